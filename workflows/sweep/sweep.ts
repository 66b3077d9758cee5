import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { SWEEP_TIMEOUT_SECONDS, type SweepResult } from './sweep-messages.ts';

/** Limited in time and never retried: the next round starts within a minute. */
const sweeping = proxyActivities<Activities>({
  startToCloseTimeout: `${SWEEP_TIMEOUT_SECONDS} s`,
  retry: { maximumAttempts: 1 },
});

/**
 * Guarantees: each minute, unfinished work is picked up: lost or missing workflows, unsent events, unapplied
 * rail webhooks, orphaned charges. `activities/sweep/sweep.ts` lists the chores in order.
 */
export async function sweep(): Promise<SweepResult> {
  try {
    return await sweeping.sweepOnce();
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    // The round died with its worker or with PostgreSQL, so it is not counted; the next round does its work.
    return { mark: null };
  }
}
