/** Settles a session in doubt as an operator decided: state, audit row and answer in one transaction. */
import type { Resolution } from '../../domain/core/resolution.ts';
import { isOpen } from '../../domain/payment/payment.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inSettlementTransaction } from '../invoice/invoices.ts';
import { OPEN_STATUSES } from '../payment/open-payment.ts';
import { type LockedPayment, transitionPayment } from '../payment/payment-row.ts';
import { askUntilAnswered } from '../payment/rail-webhooks.ts';
import { decisionOf } from '../payment/resolve-requests.ts';
import { auditResolution, closeSession, isPurchase } from './close-session.ts';
import { type LockedSession, lockSessionAndPayment } from './core/session-row.ts';
import { recordPaymentFailed } from './payment-failed.ts';
import { completePurchase } from './record-outcome.ts';

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
    // The buyer may have begun another attempt since this one ended.
    if (!isOpen(payment.status) && (await hasOpenAttempt(tx, session.id))) return false;
    if (isOpen(payment.status)) await askUntilAnswered(tx, 'payment', payment.id);
    const ended =
      outcome === 'succeeded' && isPurchase(session)
        ? (await completePurchase(tx, session, payment, null)).session
        : await end(tx, session, payment, outcome);
    await auditResolution(tx, session, decision, ended.state);
    return true;
  });
}

function hasOpenAttempt(tx: Transaction, checkoutId: string): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from payments where checkout_id = ${checkoutId} and status in ${OPEN_STATUSES}`);
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
