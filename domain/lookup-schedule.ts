/** Seconds, from configuration; they travel with a workflow's input, so that a deploy does not change a running one. */
export interface LookupTimings {
  /** Look-ups after an unknown outcome; after the last one a person may have to decide. */
  readonly reconcileSeconds: readonly number[];
  /** Look-ups from then on; the last interval repeats without end. */
  readonly reconcileLongSeconds: readonly number[];
}

/**
 * How long to wait before the next look-up at the rail while an outcome is not known: the quick ones first,
 * then the long ones, of which the last repeats without end (rule 18).
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

/** The quick look-ups are used up: a person may have to decide. */
export function quickLookupsOver(lookupsDone: number, quickSeconds: readonly number[]): boolean {
  return lookupsDone >= quickSeconds.length;
}
