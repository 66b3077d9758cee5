/**
 * Cancels intents. At Stripe a declined intent stays open and could still be paid with another card through its client
 * secret, so a decline is final only after a cancel. A cancel moves no money.
 */
import { randomUUID } from 'node:crypto';
import type { RailOutcome } from '../../outcomes.ts';
import type { Answer } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { unknownOf } from '../core/refused.ts';
import { cancelIntent, retrieveIntent } from './intent-calls.ts';
import type { Intent } from './intent-schema.ts';
import { outcomeOf } from './outcome.ts';

/** Cancels the intent and returns its outcome, even if it could not be cancelled. */
export async function endIntent(api: StripeApi, id: string, idempotencyKey: string): Promise<RailOutcome> {
  let answer = await cancelIntent(api, id, idempotencyKey);
  if (isStoredFailure(answer)) answer = await cancelIntent(api, id, `${idempotencyKey}:${randomUUID()}`);
  // The intent cannot be cancelled in its state: it is settled, in progress or already cancelled.
  if (answer.kind === 'movedOn') answer = await retrieveIntent(api, id);
  return answer.kind === 'answer' ? outcomeOf(answer.value) : unknownOf(answer);
}

/** Returns the attempt's outcome, after cancelling a declined intent that is still open. */
export function outcomeOfClosed(api: StripeApi, reference: string, intent: Intent): Promise<RailOutcome> {
  const outcome = outcomeOf(intent);
  return intent.status === 'canceled' ? Promise.resolve(outcome) : whenDeclined(api, reference, outcome);
}

/**
 * Cancels a declined intent: the outcome is unknown until the cancel succeeds. Returns any other outcome unchanged.
 */
export async function whenDeclined(
  api: StripeApi,
  reference: string,
  outcome: RailOutcome,
): Promise<RailOutcome> {
  if (outcome.kind !== 'declined' || outcome.railReference === null) return outcome;
  const ended = await endIntent(api, outcome.railReference, `${reference}:close`);
  return ended.kind === 'cancelled' || ended.kind === 'declined' ? outcome : ended;
}

/**
 * Detects a failure that Stripe repeats for a day under the same key: the cancel can safely be retried under a new one.
 */
function isStoredFailure(answer: Answer<Intent>): boolean {
  return answer.kind === 'unknown' && answer.stored === true;
}
