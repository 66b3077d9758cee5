/** Rail calls that charge. Splits their answers into what may enter a history, and details for the row. */
import type { Db } from '../../db/core/pool.ts';
import { storeUnrecordedAnswer, waitForUsedName } from '../../db/payment/payment-at-rail.ts';
import {
  type Answer,
  type AnswerDetails,
  type BegunCall,
  beginAuthorize,
  isAttemptStopped,
  storeRailId,
} from '../../db/payment/rail-calls.ts';
import { hasWebhookBeside, ownerOfPayment } from '../../db/payment/rail-webhooks.ts';
import type { BegunStoredCharge } from '../../db/payment/stored-charge.ts';
import { type AttemptOutcome, isFinalOutcome } from '../../domain/payment/attempt.ts';
import { keyedHash } from '../../platform/secrets/keyed-hash.ts';
import { openPageToken } from '../../platform/secrets/page-token.ts';
import { mandateOf, methodTokenOf } from '../../platform/secrets/places.ts';
import { presentWebhookTo } from '../../platform/temporal/messages.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import { isOver, startCallTimer } from '../../rail/deadline.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
import type { RailId } from '../../rail/requests.ts';
import type { ActivityDeps } from '../core/deps.ts';

/**
 * Sends the attempt once: the mark is stored before the call, and a second run that finds the mark looks up instead
 * (rule 3). The socket is closed at the stored deadline.
 */
export async function sendOnce(
  deps: ActivityDeps,
  attemptId: string,
): Promise<Answer<AttemptOutcome> | null> {
  const timer = startCallTimer();
  const begun = await beginAuthorize(deps.pool, attemptId, deps.session.railCallTimeoutSeconds);
  if (!begun) return null;
  const sending = sendingOf(deps, attemptId, begun, timer.signalAfter(begun.ms_left));
  const { rail, call } = sending;
  if (begun.key_may_have_expired) {
    const earlier = await askBeforeSending(deps, sending, isAttemptStopped);
    if (earlier) return earlier;
  }
  const request = {
    ...call,
    idempotencyKey: `${attemptId}:authorize`,
    methodToken: deps.secretBox.open(begun.method_token, methodTokenOf(begun.claim_id)),
    quantity: begun.quantity,
    saveMandate: begun.save_mandate,
    challengeReturnUrl: deps.challengeReturnUrl(openPageToken(deps.secretBox, begun)),
  };
  return isOver(call.signal) ? notSent(attemptId) : answered(deps, sending, await rail.authorize(request));
}

export type Sending = ReturnType<typeof sendingOf>;

/** Returns the common parts of calls for clicks and for stored charges. */
export function sendingOf(
  deps: ActivityDeps,
  attemptId: string,
  begun: BegunCall | BegunStoredCharge,
  signal: AbortSignal,
) {
  const { rail, account } = openRailAccount(deps, begun);
  const call = {
    account,
    reference: attemptId,
    signal,
    storeId: (id: RailId) => storeRailId(deps.pool, attemptId, id),
    amountCents: begun.amount,
    currency: begun.currency,
  };
  return { rail, call, customerId: begun.customer_id };
}

/**
 * Looks the attempt up before its first send, because a lost copy of the database may have sent it (rule 28). Null
 * allows the send; `unknown` forbids it while the account is active.
 */
export async function askBeforeSending(
  deps: ActivityDeps,
  { rail, call, customerId }: Sending,
  isStopped: (db: Db, attemptId: string) => Promise<boolean>,
): Promise<Answer<AttemptOutcome> | null> {
  const outcome = await rail.lookup({ ...call, railReference: null, railCustomer: null, begunAt: null });
  // A disabled account sends nothing: its attempt ends without waiting for the look-up to succeed.
  const nothingToAdopt =
    outcome.kind === 'notFound' ||
    (outcome.kind === 'unknown' && outcome.reason !== 'other_amount' && call.account.status === 'disabled');
  if (!nothingToAdopt) return withDetails(deps, call.reference, customerId, outcome);
  return (await isStopped(deps.pool, call.reference)) ? notSent(call.reference) : null;
}

/** Returns the answer to a call that may have moved money; null if the rail had received the attempt before. */
export async function answered(
  deps: ActivityDeps,
  { rail, call: { reference: attemptId }, customerId }: Sending,
  outcome: RailOutcome,
): Promise<Answer<AttemptOutcome> | null> {
  if (outcome.kind !== 'unknown' || outcome.reason !== 'used_before') {
    const answer = withDetails(deps, attemptId, customerId, outcome);
    await presentWebhooksOfCall(deps, attemptId, answer.outcome);
    return answer;
  }
  // The attempt was sent before under this reference: its look-up adopts the outcome.
  await waitForUsedName(deps.pool, attemptId, rail.trust.searchLagMs);
  return null;
}

/** Stores a final answer that could not be recorded. */
export async function storeIfFinal(
  { pool }: ActivityDeps,
  { attemptId, outcome, details }: Answer<AttemptOutcome>,
): Promise<void> {
  if (isFinalOutcome(outcome)) await storeUnrecordedAnswer(pool, attemptId, outcome, details);
}

/** The answer if nothing was sent, because the call's deadline had passed or the attempt was stopped. */
export function notSent(attemptId: string): Answer<AttemptOutcome> {
  return withoutDetails(attemptId, { kind: 'unknown', reason: 'not_sent' });
}

/**
 * Handles webhooks that were stored during a call (rule 38): a webhook that the call's answer does not settle causes an
 * immediate look-up. Never throws, so that the answer is not lost; scheduled look-ups and the sweep handle a webhook
 * missed here.
 */
async function presentWebhooksOfCall(
  deps: ActivityDeps,
  paymentId: string,
  outcome: AttemptOutcome,
): Promise<void> {
  const { pool, logger } = deps;
  if (isFinalOutcome(outcome)) return;
  try {
    const ownerId =
      (await hasWebhookBeside(pool, paymentId, outcome.kind)) && (await ownerOfPayment(pool, paymentId));
    if (ownerId) await presentWebhookTo(deps, ownerId, paymentId);
  } catch (err) {
    logger.warn(
      { paymentId, err },
      'rail webhook not passed to its workflow; a look-up or the sweep will handle it',
    );
  }
}

/**
 * Splits a rail's outcome: its kind, with a decline's code or the reason of an unknown outcome, may enter a history;
 * its details (references, brand, challenge URL, mandate) are only recorded.
 *
 * @param customerId the customer for whom a mandate is encrypted
 */
export function withDetails(
  deps: ActivityDeps,
  attemptId: string,
  customerId: string,
  outcome: RailOutcome,
): Answer<AttemptOutcome> {
  return { attemptId, outcome: redact(outcome), details: detailsOf(deps, customerId, outcome) };
}

export function withoutDetails<Outcome>(attemptId: string, outcome: Outcome): Answer<Outcome> {
  return { attemptId, outcome, details: null };
}

/** The part of the outcome that may enter a history. */
function redact(outcome: RailOutcome): AttemptOutcome {
  switch (outcome.kind) {
    case 'declined':
      return { kind: 'declined', code: outcome.code, retryable: outcome.retryable };
    case 'unknown':
      return { kind: 'unknown', reason: outcome.reason };
    default:
      return { kind: outcome.kind };
  }
}

/** The details for the payment's row, with the mandate encrypted; null if the answer has none. */
function detailsOf(
  { secretBox, apiKeyPepper, session }: ActivityDeps,
  customerId: string,
  outcome: RailOutcome,
): AnswerDetails | null {
  if (!('railReference' in outcome)) return null;
  const mandate = outcome.kind === 'approved' && outcome.mandate;
  const card = outcome.kind === 'declined' && outcome.cardFingerprint;
  return {
    railReference: outcome.railReference,
    method: 'method' in outcome ? outcome.method : null,
    mandate: mandate ? secretBox.seal(mandate, mandateOf(customerId)) : null,
    challengeUrl: outcome.kind === 'challenge' ? outcome.url : null,
    challengeSeconds: session.challengeSeconds,
    card: card ? keyedHash(apiKeyPepper, 'card', card) : null,
  };
}
