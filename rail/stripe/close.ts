/**
 * Ending intents. A declined intent stays open at Stripe, and whoever holds its client secret could still pay
 * it with another card: so it is cancelled, and only then is the decline final. A cancel moves no money.
 */
import { randomUUID } from 'node:crypto';
import type { RailOutcome } from '../rail.ts';
import type { Answer } from './call.ts';
import type { StripeApi } from './client.ts';
import type { Intent } from './intent.ts';
import { cancelIntent, retrieveIntent } from './intents.ts';
import { outcomeOf } from './outcome.ts';
import { unknownOf } from './refused.ts';

/** Whatever the answer, it tells where the intent stands. */
export async function endIntent(api: StripeApi, id: string, idempotencyKey: string): Promise<RailOutcome> {
  let answer = await cancelIntent(api, id, idempotencyKey);
  if (isStoredFailure(answer)) answer = await cancelIntent(api, id, `${idempotencyKey}:${randomUUID()}`);
  // It cannot be cancelled where it stands: settled, under way, or cancelled before.
  if (answer.kind === 'movedOn') answer = await retrieveIntent(api, id);
  return answer.kind === 'answer' ? outcomeOf(answer.value) : unknownOf(answer);
}

/** What an intent says of its attempt; one that was declined and is still open is closed first. */
export function outcomeOfClosed(api: StripeApi, reference: string, intent: Intent): Promise<RailOutcome> {
  const outcome = outcomeOf(intent);
  return intent.status === 'canceled' ? Promise.resolve(outcome) : whenDeclined(api, reference, outcome);
}

/** Closes the intent of a decline, which is unknown until that is known; any other outcome passes. */
export async function whenDeclined(
  api: StripeApi,
  reference: string,
  outcome: RailOutcome,
): Promise<RailOutcome> {
  if (outcome.kind !== 'declined' || outcome.railReference === null) return outcome;
  const ended = await endIntent(api, outcome.railReference, `${reference}:close`);
  return ended.kind === 'cancelled' || ended.kind === 'declined' ? outcome : ended;
}

/** Stripe repeats for a day under the same key that it once broke down; a cancel may be asked for anew. */
function isStoredFailure(answer: Answer<Intent>): boolean {
  return answer.kind === 'unknown' && answer.stored === true;
}
