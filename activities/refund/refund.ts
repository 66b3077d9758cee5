/**
 * A refund's call: sent, looked up and recorded like the attempts of payments
 * (activities/payment/attempt.ts).
 */

import type { Answer, AnswerToRecord } from '../../db/payment/rail-calls.ts';
import { mustNotResolve } from '../../db/payment/resolve-requests.ts';
import { recordRefundAnswer, resolveRefund } from '../../db/refund/record-refund.ts';
import {
  beginRefund,
  keepRailRefundId,
  loadRefundView,
  type RefundAtRail,
  refundAtRailOf,
  takeBackCall,
} from '../../db/refund/refund-calls.ts';
import type { RefundAnswer, RefundView } from '../../domain/refund/refund.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import { isOver, startCallTimer } from '../../rail/deadline.ts';
import type { RefundOutcome } from '../../rail/outcomes.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { withLinks } from '../core/subject-links.ts';
import { attemptsOf } from '../payment/attempt.ts';
import { isNotFoundFinal } from '../payment/attempt-at-rail.ts';
import { withoutDetails } from '../payment/rail-attempt.ts';
import { type InDoubt, type Resolved, resolving, type ToResolve } from '../payment/resolve.ts';

/** Sends the refund once: a second run that finds the mark of a call looks up instead (rule 3). */
async function sendRefund(deps: ActivityDeps, refundId: string): Promise<Answer<RefundAnswer> | null> {
  const timer = startCallTimer();
  const begun = await beginRefund(deps.pool, refundId, deps.session.railCallTimeoutSeconds);
  if (!begun) return null;
  const signal = timer.signalAfter(-begun.ms_past_deadline);
  if (isOver(signal)) return withoutDetails(refundId, { kind: 'unknown', reason: 'not_sent' });
  const { rail, call } = callOf(deps, refundId, begun);
  // A lost copy of the database may have sent this refund (rule 28).
  const earlier = await rail.lookupRefund({ ...call, signal });
  if (earlier.kind !== 'notFound') return keep(deps, refundId, earlier);
  return keep(deps, refundId, await rail.refund({ ...call, idempotencyKey: `${refundId}:refund`, signal }));
}

/**
 * Looks the refund up and sends nothing. `notFound` is not an answer (rule 4) until the call's deadline and
 * the rail's lag have passed. After that, the call had no effect, and the workflow sends it again under the
 * same key.
 */
async function lookUpRefund(deps: ActivityDeps, refundId: string): Promise<Answer<RefundAnswer>> {
  const row = await refundAtRailOf(deps.pool, refundId);
  const { rail, call } = callOf(deps, refundId, row);
  const signal = AbortSignal.timeout(deps.session.railCallTimeoutSeconds * 1_000);
  const outcome = await rail.lookupRefund({ ...call, signal });
  if (outcome.kind === 'notFound' && isNotFoundFinal(rail, row))
    await takeBackCall(deps.pool, refundId, row.call_deadline);
  return keep(deps, refundId, outcome);
}

/** An accepted refund is sent even if the account no longer has the capability. */
function callOf(deps: ActivityDeps, refundId: string, row: RefundAtRail) {
  const { rail, account } = openRailAccount(deps, row);
  const capabilities = { ...account.capabilities, refunds: true };
  const call = {
    account: { ...account, capabilities },
    reference: refundId,
    paymentReference: row.payment_id,
    railReference: row.rail_order_id,
    amountCents: row.amount,
    currency: row.currency,
  };
  return { rail, call };
}

/** Stores the rail's id. @returns the part that may enter a history */
async function keep(
  { pool }: ActivityDeps,
  refundId: string,
  outcome: RefundOutcome,
): Promise<Answer<RefundAnswer>> {
  if ('railReference' in outcome && outcome.railReference)
    await keepRailRefundId(pool, refundId, outcome.railReference);
  const { kind } = outcome;
  if (kind === 'failed') return withoutDetails(refundId, { kind, code: outcome.code });
  if (kind === 'unknown') return withoutDetails(refundId, { kind, reason: outcome.reason });
  return withoutDetails(refundId, { kind });
}

async function load({ pool, pages }: ActivityDeps, refundId: string): Promise<RefundView> {
  const view = await loadRefundView(pool, refundId);
  return view.reconciling ? withLinks(view, refundId, pages) : view;
}

export function createRefundActivities(deps: ActivityDeps) {
  const { pool } = deps;

  async function record(answer: AnswerToRecord<RefundAnswer>): Promise<RefundView> {
    await recordRefundAnswer(pool, answer);
    return load(deps, answer.ownerId);
  }

  const attempts = attemptsOf<RefundAnswer, RefundView>(deps, {
    name: 'refund',
    send: sendRefund,
    lookUp: lookUpRefund,
    record,
    view: (refundId) => load(deps, refundId),
  });

  return {
    loadRefund: (refundId: string) => load(deps, refundId),
    sendRefund: attempts.continueAttempt,
    lookUpRefund: attempts.lookUp,

    resolveRefund: (asked: ToResolve) =>
      resolving(deps, asked, {
        resolve,
        view: (refundId) => load(deps, refundId),
        stateOf: ({ status }) => status,
        whyNot: () => 'the look-ups are still running',
      }),
  };

  async function resolve({ version, request, ...of }: InDoubt): Promise<Resolved<RefundView>> {
    const { attemptId: refundId } = of;
    const answer = await lookUpRefund(deps, refundId);
    const recorded = await record({ ...of, ...answer, resolution: request });
    if (recorded.status !== 'pending') {
      const refused = `the rail reports ${recorded.status}, which is now recorded`;
      return { view: recorded, refused: recorded.status === request.outcome ? null : refused };
    }
    // Otherwise its amount could be refunded again before the rail completes it.
    if (answer.outcome.kind === 'pending' && request.outcome === 'failed')
      return { view: recorded, refused: 'the rail reports pending: the refund may still succeed' };
    const isRefused = await mustNotResolve(pool, request, refundId, deps.secondPersonAbove);
    if (!isRefused) await resolveRefund(pool, { refundId, version, request });
    const view = await load(deps, refundId);
    return { view, refused: view.status === 'pending' ? NOT_WRITTEN : null };
  }
}

const NOT_WRITTEN =
  'nothing was written: a call may still be running (try again in a minute), or a second person has to confirm this ' +
  'amount (npm run ops -- resolve)';
