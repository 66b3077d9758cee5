/**
 * Activity options by kind. Database writes are local activities; calls to the rail are regular ones. No
 * kind gives up: "Only bugs may fail a run" (rule 16), and a run must not end over a live charge.
 */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';

/** One short transaction each. */
export const database = proxyLocalActivities<Activities>({
  startToCloseTimeout: '15 s',
  retry: { initialInterval: '200 ms', backoffCoefficient: 2, maximumInterval: '10 s' },
});

/**
 * Calls to the rail. The activity's own deadline (RAIL_CALL_TIMEOUT_SECONDS) is shorter than the time-out here;
 * heartbeats let a worker's death be noticed within 5 s instead.
 */
export const rail = proxyActivities<Activities>({
  summary: 'a call to the card processor',
  startToCloseTimeout: '2 min',
  heartbeatTimeout: '5 s',
  retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumInterval: '30 s' },
});

/** What the sweep does: bounded, repeated each minute anyway. */
export const sweeping = proxyActivities<Activities>({
  startToCloseTimeout: '50 s',
  retry: { maximumAttempts: 1 },
});
