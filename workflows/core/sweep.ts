import { ActivityFailure, isCancellation } from '@temporalio/workflow';
import { sweeping } from './proxies.ts';
import type { SweepResult } from './sweep-messages.ts';

/**
 * Promise: each minute, whatever was left behind is picked up: workflows not started or lost, unsent events, unapplied
 * rail news, orphaned charges. A restored database is fenced.
 */
export async function sweep(): Promise<SweepResult> {
  try {
    return await sweeping.sweepOnce();
  } catch (error) {
    if (isCancellation(error) || !(error instanceof ActivityFailure)) throw error;
    // A round that died with its worker or with PostgreSQL stores no mark; the next one does its work. Earlier runs
    // failed here, and a run that has ended is not replayed.
    return { mark: null };
  }
}
