/** The combined effect of one subscription's lost requests: a later request undoes or replaces an earlier one. */
import type { LostRequest } from '../../db/restore/lost-requests.ts';
import {
  cancelSubscriptionUpdate,
  moveTrialUpdate,
  pauseSubscriptionUpdate,
  resumeSubscriptionUpdate,
  undoCancelUpdate,
} from '../../workflows/subscription/subscription-messages.ts';

const ABOUT_PAUSES = new Set<string>([pauseSubscriptionUpdate.name, resumeSubscriptionUpdate.name]);

export type LostUpdate = Omit<LostRequest, 'effect'> & {
  /** The name of the update; `name` is the operator's text. */
  readonly update: string;
};

/**
 * @param updates oldest first
 * @returns the requests in that order. A cancellation that was taken back stops nothing. Every request about a pause
 *   pauses, because the copy cannot know what was charged in between; only the last one's date counts
 */
export function withEffects(updates: readonly LostUpdate[]): readonly LostRequest[] {
  const lastUndo = updates.findLastIndex(({ update }) => update === undoCancelUpdate.name);
  const lastPause = updates.findLastIndex(({ update }) => ABOUT_PAUSES.has(update));
  return updates.map(({ update, ...asked }, index) => ({
    ...asked,
    effect: effectOf(update, index < lastUndo),
    resumesAt: index === lastPause ? asked.resumesAt : null,
  }));
}

function effectOf(update: string, isUndone: boolean): LostRequest['effect'] {
  if (ABOUT_PAUSES.has(update)) return 'pauses';
  // Without a moved trial, the trial's end is wrong here.
  const stops = update === moveTrialUpdate.name || (update === cancelSubscriptionUpdate.name && !isUndone);
  return stops ? 'stops' : null;
}
