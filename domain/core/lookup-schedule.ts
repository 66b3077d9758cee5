/**
 * In seconds, from configuration. They travel with a workflow's input, so that a deploy does not change a
 * running one.
 */
export interface LookupTimings {
  /** Look-ups after an unknown outcome; after the last one an operator may have to decide. */
  readonly reconcileSeconds: readonly number[];
  /** Look-ups after those; the last interval repeats indefinitely. */
  readonly reconcileLongSeconds: readonly number[];
}

/**
 * The wait before the next look-up of an unknown outcome: the quick delays, then the long ones, of which the
 * last repeats indefinitely (rule 18).
 */
export function lookupDelaySeconds(
  lookupsDone: number,
  quickSeconds: readonly number[],
  longSeconds: readonly number[],
): number {
  const all = [...quickSeconds, ...longSeconds];
  const delay = all[Math.min(lookupsDone, all.length - 1)];
  if (delay === undefined) throw new RangeError('an empty look-up schedule');
  return delay;
}

/** The quick look-ups are used up: an operator may have to decide. */
export function quickLookupsOver(lookupsDone: number, quickSeconds: readonly number[]): boolean {
  return lookupsDone >= quickSeconds.length;
}
