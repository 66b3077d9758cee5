/**
 * Activities that are retried until they succeed: after the last attempt, `retryForever` lists an incident, and
 * `tryAgain` repeats the activity without limit. Only bugs may fail a run (rule 16), and a run must not end while a
 * charge is open.
 */
import { isCancellation, proxyActivities, proxyLocalActivities, TemporalFailure } from '@temporalio/workflow';
import type { Activities } from '../../activities/index.ts';
import { referenceOf, showIncident } from './incident.ts';
import { rowNotFoundIn } from './row-not-found.ts';

/** Longer than a rail call (RAIL_CALL_TIMEOUT_SECONDS); heartbeats detect a dead worker within 5 s. */
const TIMEOUTS = { startToCloseTimeout: '2 min', heartbeatTimeout: '5 s' } as const;

const { tryAgain } = proxyActivities<Activities>({
  ...TIMEOUTS,
  summary: 'a repeatedly failing activity, retried until it succeeds',
  // Retries without limit add nothing to the history; with this interval, a recovery is noticed within five seconds.
  retry: { initialInterval: '5 s', backoffCoefficient: 1 },
});

/**
 * Activities that run within the workflow task: a short transaction, or an attempt, which waits up to a second for the
 * rail. A retry finds the mark of its call (rule 3). The waits between the four attempts add up to 1.4 s.
 */
export const localActivities = retryForever(
  proxyLocalActivities<Activities>({
    startToCloseTimeout: '15 s',
    retry: { initialInterval: '200 ms', backoffCoefficient: 2, maximumAttempts: 4 },
  }),
);

/**
 * Rail calls, which also record the rail's answer, and messages to other workflows. A rail that does not answer is an
 * outcome; only the code around the call can fail.
 */
export const activities = retryForever(
  proxyActivities<Activities>({
    ...TIMEOUTS,
    summary: 'a call to the card processor or another workflow',
    // Waits only 1 s and 2 s, because in the meantime the answer is unrecorded and no incident is listed.
    retry: { initialInterval: '1 s', backoffCoefficient: 2, maximumAttempts: 3 },
  }),
);

type Activity = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Wraps activities: one that has used up its attempts becomes an incident (rule 40), and `tryAgain` repeats it.
 * Temporal retries `tryAgain` without limit and without growing the history.
 */
function retryForever<Calls extends object>(calls: Calls): Calls {
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
