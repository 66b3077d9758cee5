/**
 * Records a rail answer in one transaction: payment, session, order, subscription, invoice and events change together
 * or not at all. Idempotent.
 */
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { isOpen } from '../../domain/payment/payment.ts';
import { settlesInDays } from '../../domain/payment/payment-method.ts';
import { DECLINE_LIMITS, type DeclineLimits, isAboutCard } from '../../domain/session/card-testing.ts';
import { isFinal, type NextStates, nextStates, type SessionView } from '../../domain/session/session.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inSettlementTransaction } from '../invoice/invoices.ts';
import { recordAfterEnd } from '../payment/judge-after-end.ts';
import { type LockedPayment, transitionPayment } from '../payment/payment-row.ts';
import type { AnswerToRecord } from '../payment/rail-calls.ts';
import { agreeingWebhooksApplied, applyAgreeingWebhooks } from '../payment/rail-webhooks.ts';
import { decisionOf } from '../payment/resolve-requests.ts';
import { countDecline } from './card-declines.ts';
import { closeSession, completePurchase, isPurchase } from './close-session.ts';
import { recordReconciliationAlert } from './core/session-events.ts';
import { type LockedSession, lockSessionAndPayment, transitionSession } from './core/session-row.ts';
import { viewOfEnded } from './core/session-view.ts';
import { recordPaymentFailed } from './payment-failed.ts';
import { auditResolution } from './resolve-session.ts';

type SessionAnswer = AnswerToRecord<AttemptOutcome> & { readonly declines?: DeclineLimits | undefined };

/** @returns the session if this outcome ended it */
export function recordOutcome(pool: Pool, input: SessionAnswer): Promise<SessionView | null> {
  return inSettlementTransaction(pool, async (tx) => {
    const { session, payment } = await lockSessionAndPayment(tx, input.ownerId, input.attemptId);
    if (!payment) return null;
    const { outcome, details } = input;
    if (!isOpen(payment.status)) {
      await recordAfterEnd(tx, payment, outcome, details);
      return null;
    }

    const next = nextStates(outcome, {
      attemptsUsed: session.attempts,
      maxAttempts: session.max_attempts,
      expired: session.expired,
      cancelRequested: session.cancel_requested,
      // A run whose history was reset is behind the row; without this check it would try a backward transition.
      lookupTimeUp: input.lookupTimeUp || session.state === 'reconciliation_required',
      settlesInDays: payment.method_type !== null && settlesInDays(payment.method_type),
      reconciling: session.state === 'reconciliation_required',
    });
    const now =
      next.session === 'succeeded' && isPurchase(session)
        ? await completePurchase(tx, session, payment, details)
        : await moveBoth(tx, session, payment, next, input);
    await closeAttempt(tx, now.payment);
    const decision = input.resolution && (await decisionOf(tx, input.resolution));
    if (decision) await auditResolution(tx, session, decision, next.session);
    return isFinal(now.session.state) ? viewOfEnded(now.session) : null;
  });
}

async function moveBoth(
  tx: Transaction,
  session: LockedSession,
  payment: LockedPayment,
  next: NextStates,
  { outcome, details, declines = DECLINE_LIMITS, nextLookupSeconds }: SessionAnswer,
): Promise<{ readonly session: LockedSession; readonly payment: LockedPayment }> {
  const failureCode = outcome.kind === 'declined' ? outcome.code : null;
  const moved = await transitionPayment(tx, payment, next.payment, failureCode, { details });
  if (moved.status === 'failed' || moved.status === 'cancelled') {
    if (failureCode !== null && isAboutCard(failureCode))
      await countDecline(tx, moved.id, details?.card ?? null, declines);
    await recordPaymentFailed(tx, session, moved);
  }
  if (isFinal(next.session))
    return {
      session: await closeSession(tx, session, next.session, next.failureReason, moved),
      payment: moved,
    };
  const now = await transitionSession(tx, session, next.session, {
    nextActionSeconds: next.session === 'created' ? null : nextLookupSeconds,
  });
  if (now.state === 'reconciliation_required' && session.state !== now.state)
    await recordReconciliationAlert(tx, now);
  return { session: now, payment: moved };
}

/**
 * Marks webhooks with the same outcome as applied, and deletes the single-use token of an attempt that has ended.
 */
async function closeAttempt(tx: Transaction, { id, status }: LockedPayment): Promise<void> {
  if (isOpen(status)) return applyAgreeingWebhooks(tx, id, status);
  await tx.query(sql.typeAlias('void')`
    with forgotten as (
      update clicks r set method_token = null, address = null, card = null from payments p where p.id = ${id} and r.claim_id = p.claim_id
    )
    ${agreeingWebhooksApplied(id, status)}
  `);
}
