/** What lost requests of one subscription do together: a later one undoes or replaces an earlier one. */
import type { LostRequest } from '../../db/restore/lost-requests.ts';
import {
  cancelSubscriptionUpdate,
  moveTrialUpdate,
  pauseSubscriptionUpdate,
  resumeSubscriptionUpdate,
  undoCancelUpdate,
} from '../../workflows/subscription/subscription-messages.ts';

export type LostUpdate = Omit<LostRequest, 'effect' | 'resumedAt'> & {
  /** The name of the update; `name` is the operator's text. */
  readonly update: string;
};

/**
 * @param updates oldest first
 * @returns the requests in that order. The first of several pauses has the effect, with the date of the last one,
 *   because the period after which it began is that of the first
 */
export function withEffects(updates: readonly LostUpdate[]): readonly LostRequest[] {
  const requests: LostRequest[] = [];
  const replaceAt = (index: number, changes: Partial<LostRequest>) => {
    const request = requests[index];
    if (request) requests[index] = { ...request, ...changes };
  };
  const cancellations: number[] = [];
  /** The pause that lasts at this point. */
  let lasting: number | null = null;
  for (const [index, { update, ...asked }] of updates.entries()) {
    let effect: LostRequest['effect'] = null;
    if (update === cancelSubscriptionUpdate.name) {
      effect = 'stops';
      cancellations.push(index);
    } else if (update === undoCancelUpdate.name) {
      for (const cancellation of cancellations.splice(0)) replaceAt(cancellation, { effect: null });
    } else if (update === moveTrialUpdate.name) {
      // Without it, the trial's end is wrong here.
      effect = 'stops';
    } else if (update === pauseSubscriptionUpdate.name) {
      if (lasting !== null) replaceAt(lasting, { resumesAt: asked.resumesAt });
      else effect = 'pauses';
      lasting ??= index;
    } else if (update === resumeSubscriptionUpdate.name) {
      if (lasting !== null) replaceAt(lasting, { resumesAt: null, resumedAt: asked.at });
      else effect = 'holds';
      lasting = null;
    }
    requests.push({ ...asked, effect, resumedAt: null });
  }
  return requests;
}
