/**
 * Decides when a failed delivery is retried (docs/contract.md#webhook-delivery): a list of seconds to wait before
 * each attempt, counted from the end of the previous one. The first number is 0: the first attempt is immediate.
 */
export interface RetrySchedule {
  readonly seconds: readonly number[];
  /** 0.1 lengthens each wait by a random 0 to 10 %, so that retries do not arrive in waves; 0 means no jitter. */
  readonly jitter: number;
}

/** Upper limit for a receiver's `Retry-After`. */
const RETRY_AFTER_LIMIT_SECONDS = 86_400;

/** An endpoint whose attempts have all failed for this long is disabled. */
export const DISABLED_AFTER_SECONDS = 5 * 86_400;

/**
 * An endpoint whose attempts have all failed for this long causes an incident, and its merchant's other endpoints are
 * notified.
 */
export const FAILING_AFTER_SECONDS = 15 * 60;

/** At most one alert per endpoint and day about exhausted deliveries. */
export const EXHAUSTED_ALERT_EVERY_SECONDS = 86_400;

/**
 * Seconds from the attempt that just failed to the next one; null after the last. A `Retry-After` can only
 * lengthen the wait.
 *
 * @param attemptsMade at least 1
 * @param random in [0, 1)
 */
export function nextAttemptInSeconds(
  schedule: RetrySchedule,
  attemptsMade: number,
  retryAfterSeconds: number | null,
  random: number,
): number | null {
  const wait = schedule.seconds[attemptsMade];
  if (wait === undefined) return null;
  const asked = Math.min(Math.max(retryAfterSeconds ?? 0, 0), RETRY_AFTER_LIMIT_SECONDS);
  return Math.max(wait * (1 + schedule.jitter * random), asked);
}
