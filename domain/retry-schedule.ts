/**
 * When a delivery that failed is tried again (docs/contract.md#webhook-delivery). The schedule is a list of
 * seconds: the wait before each attempt, counted from the end of the one before; its first number is 0, because
 * the first attempt is made at once.
 */
export interface RetrySchedule {
  readonly seconds: readonly number[];
  /** 0.1 lengthens each wait by a random 0 to 10 %, so that receivers are not hit in waves. 0: none. */
  readonly jitter: number;
}

/** What a receiver asks for in `Retry-After` is honoured up to this. */
const RETRY_AFTER_LIMIT_SECONDS = 86_400;

/** Nothing but failure for this long disables an endpoint. */
export const DISABLED_AFTER_SECONDS = 5 * 86_400;

/** One alert per endpoint and day about deliveries that used up their attempts. */
export const EXHAUSTED_ALERT_EVERY_SECONDS = 86_400;

/**
 * Seconds from the attempt that failed just now to the next one; null when it was the last. A `Retry-After`
 * can only lengthen the wait.
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
