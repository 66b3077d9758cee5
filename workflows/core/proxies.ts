/**
 * Activity options by kind. Database writes are local activities; calls to the rail are regular ones. No
 * kind gives up: "Only bugs may fail a run" (rule 16), and a run must not end over a live charge.
 */
import { proxyActivities, proxyLocalActivities } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { insisting } from './insist.ts';

/** Nothing is written to the history while it fails, and what was mended is noticed within these seconds. */
const WITHOUT_END = { initialInterval: '5 s', backoffCoefficient: 1 } as const;

/** One short transaction each. Four attempts take a second and a half, besides what each of them takes. */
export const database = insisting(
  proxyLocalActivities<Activities>({
    startToCloseTimeout: '15 s',
    retry: { initialInterval: '200 ms', backoffCoefficient: 2, maximumAttempts: 4 },
  }),
  proxyActivities<Activities>({
    summary: 'a write that failed several times: tried until it succeeds',
    startToCloseTimeout: '15 s',
    retry: WITHOUT_END,
  }).tryAgain,
);

const RAIL_CALL = {
  startToCloseTimeout: '2 min',
  heartbeatTimeout: '5 s',
} as const;

/**
 * Calls to the rail. The activity's own deadline (RAIL_CALL_TIMEOUT_SECONDS) is shorter than the time-out here;
 * heartbeats let a worker's death be noticed within 5 s instead. A rail that does not answer is an outcome; what
 * fails is the activity around it.
 */
export const rail = insisting(
  proxyActivities<Activities>({
    ...RAIL_CALL,
    summary: 'a call to the card processor',
    retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumAttempts: 5 },
  }),
  proxyActivities<Activities>({
    ...RAIL_CALL,
    summary: 'a call around the card processor that failed several times: tried until it succeeds',
    retry: WITHOUT_END,
  }).tryAgain,
);

/** What the sweep does: bounded, repeated each minute anyway. */
export const sweeping = proxyActivities<Activities>({
  startToCloseTimeout: '50 s',
  retry: { maximumAttempts: 1 },
});
