/** Settles a session in doubt as an operator decided: state, audit row and answer in one transaction. */
import type { Resolution, ResolveCommand } from '../../domain/core/resolution.ts';
import { isOpen } from '../../domain/payment/payment.ts';
import { writeAudit } from '../core/audit.ts';
import type { Pool, Transaction } from '../core/pool.ts';
import { inSettlementTransaction } from '../invoice/invoices.ts';
import { type LockedPayment, transitionPayment } from '../payment/payment-row.ts';
import { askUntilAnswered } from '../payment/rail-webhooks.ts';
import { decisionOf } from '../payment/resolve-requests.ts';
import { closeSession, completePurchase, isPurchase } from './close-session.ts';
import { type LockedSession, lockSessionAndPayment } from './core/session-row.ts';
import { recordPaymentFailed } from './payment-failed.ts';

export interface SessionResolution {
  readonly checkoutId: string;
  readonly paymentId: string;
  /** The version read before the look-up; if it has changed, nothing is written (rule 17). */
  readonly version: number;
  readonly request: Resolution;
  /** True if the rail waits for the buyer: `succeeded` is then not written (rule 17). */
  readonly unpaid?: boolean;
}

/**
 * @returns false if nothing was written: the session has ended or changed since the look-up, the request no longer exists, or
 *   the rail waits for the buyer
 */
export function resolveSession(pool: Pool, input: SessionResolution): Promise<boolean> {
  return inSettlementTransaction(pool, async (tx) => {
    const { session, payment } = await lockSessionAndPayment(tx, input.checkoutId, input.paymentId);
    const settled = session.state === 'succeeded' || session.state === 'failed';
    if (settled || session.version !== input.version || input.unpaid) return false;
    const { outcome } = input.request;
    const decision = await decisionOf(tx, input.request);
    if (!payment || !decision) return false;
    if (isOpen(payment.status)) await askUntilAnswered(tx, 'payment', payment.id);
    const ended =
      outcome === 'succeeded' && isPurchase(session)
        ? (await completePurchase(tx, session, payment, null)).session
        : await end(tx, session, payment, outcome);
    await auditResolution(tx, session, decision, ended.state);
    return true;
  });
}

async function end(
  tx: Transaction,
  session: LockedSession,
  payment: LockedPayment,
  outcome: Resolution['outcome'],
): Promise<LockedSession> {
  let decided = payment;
  if (isOpen(payment.status)) {
    decided = await transitionPayment(
      tx,
      payment,
      outcome,
      outcome === 'failed' ? 'resolved_by_operator' : null,
    );
    if (outcome === 'failed') await recordPaymentFailed(tx, session, decided);
  }
  // A method change without its mandate fails even if the operator settled it as `succeeded`.
  return closeSession(tx, session, outcome, 'resolved_by_operator', decided);
}

export async function auditResolution(
  tx: Transaction,
  session: LockedSession,
  request: ResolveCommand,
  state: LockedSession['state'],
): Promise<void> {
  await writeAudit(tx, {
    merchantId: session.merchant_id,
    environment: session.environment,
    actor: request.operator,
    action: 'checkout.resolve',
    subjectId: session.id,
    before: { state: session.state, version: session.version },
    after: { state, asked: request.outcome, reason: request.reason, evidence: request.evidence },
  });
}
