/**
 * Activity options by kind. Database writes and an attempt's first second at the rail are local activities,
 * other rail calls regular ones. No activity is given up: after its last attempt `retryForever` lists an
 * incident, and `tryAgain` repeats it without limit. Only bugs may fail a run (rule 16), and a run must not
 * end while a charge is open.
 */
import { isCancellation, proxyActivities, proxyLocalActivities, TemporalFailure } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { referenceOf, showIncident } from './incident.ts';
import { rowNotFoundIn } from './row-not-found.ts';

/** Unlimited retries, which add nothing to the history and notice a recovery within five seconds. */
const WITHOUT_END = { initialInterval: '5 s', backoffCoefficient: 1 } as const;

/** Activities within the workflow task. The waits between their four attempts add up to 1.4 s. */
const local = proxyLocalActivities<Activities>({
  startToCloseTimeout: '15 s',
  retry: { initialInterval: '200 ms', backoffCoefficient: 2, maximumAttempts: 4 },
});

/** Database activities: one short transaction each. */
export const database = retryForever(
  local,
  proxyActivities<Activities>({
    summary: 'a repeatedly failing write, retried until it succeeds',
    startToCloseTimeout: '15 s',
    retry: WITHOUT_END,
  }).tryAgain,
);

const RAIL_CALL = {
  startToCloseTimeout: '2 min',
  heartbeatTimeout: '5 s',
} as const;

const tryCallAgain = proxyActivities<Activities>({
  ...RAIL_CALL,
  summary: 'a repeatedly failing call, retried until it succeeds',
  retry: WITHOUT_END,
}).tryAgain;

/** Waits of 1 s and 2 s only: until this activity succeeds, the rail's answer is unrecorded and no incident is listed. */
const LISTED_SOON = { initialInterval: '1 s', backoffCoefficient: 2, maximumAttempts: 3 } as const;

/**
 * Rail calls, which also record the rail's answer. The call's deadline (RAIL_CALL_TIMEOUT_SECONDS) is shorter than
 * this time-out; heartbeats detect a dead worker within 5 s. A rail that does not answer is an outcome; only the
 * code around the call can fail.
 */
export const rail = retryForever(
  proxyActivities<Activities>({
    ...RAIL_CALL,
    summary: 'a call to the card processor',
    retry: LISTED_SOON,
  }),
  tryCallAgain,
);

/** Messages to another workflow. */
export const otherWorkflow = retryForever(
  proxyActivities<Activities>({ ...RAIL_CALL, summary: 'a message to another workflow', retry: LISTED_SOON }),
  tryCallAgain,
);

/** A rail call within the workflow task: the activity bounds the wait, and a retry finds the call's mark (rule 3). */
export const railWithinTask = retryForever(local, tryCallAgain);

type Activity = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Wraps the calls. A call that has used up its attempts becomes an incident (rule 40), and `tryAgain` repeats
 * it: Temporal retries it without limit and without growing the history.
 */
function retryForever<Calls extends object>(calls: Calls, tryAgain: Activities['tryAgain']): Calls {
  return new Proxy(calls, {
    get: (target, name) => {
      const activity = String(name);
      return async (...args: readonly unknown[]) => {
        try {
          return await (Reflect.get(target, activity) as Activity)(...args);
        } catch (error) {
          if (isCancellation(error) || rowNotFoundIn(error) || !(error instanceof TemporalFailure))
            throw error;
          const reference = referenceOf(args[0]);
          const showNormal = showIncident(activity, reference, error);
          const result = await tryAgain({ activity, args, reference });
          showNormal();
          return result;
        }
      };
    },
  });
}
