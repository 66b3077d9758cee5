/** Settles a subscription's charge in doubt as an operator decided, with an audit row. */
import type { Resolution, ResolveCommand } from '../../domain/core/resolution.ts';
import { isOpen, type PaymentStatus } from '../../domain/payment/payment.ts';
import { writeAudit } from '../core/audit.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inSettlementTransaction } from '../invoice/invoices.ts';
import { lockPayment } from '../payment/payment-row.ts';
import { askUntilAnswered } from '../payment/rail-webhooks.ts';
import { decisionOf } from '../payment/resolve-requests.ts';
import { invoiceOfPayment } from './core/subscription-invoices.ts';
import { lockSubscription } from './core/subscription-row.ts';
import { applyChange, failChange } from './settle-change.ts';
import { type ChargeBeingSettled, type Decline, settleDeclined, settlePaid } from './settle-charge.ts';

/** A decline that says nothing about the stored method. */
const BY_OPERATOR: Decline = { code: 'resolved_by_operator', needsMethod: false, methodDeclined: false };

export interface SubscriptionResolution {
  readonly subscriptionId: string;
  readonly paymentId: string;
  /** The version read before the look-up; if it has changed, nothing is written (rule 17). */
  readonly version: number;
  readonly dunningLadderDays: readonly number[];
  readonly request: Resolution;
  /** True if the rail waits for the buyer: `succeeded` is then not written (rule 17). */
  readonly unpaid?: boolean;
}

/**
 * @returns false if nothing was written: the charge is already settled, the subscription has changed, the request no
 *   longer exists, or the rail waits for the buyer
 */
export function resolveSubscription(pool: Pool, input: SubscriptionResolution): Promise<boolean> {
  return inSettlementTransaction(pool, async (tx) => {
    const subscription = await lockSubscription(tx, input.subscriptionId);
    const payment = await lockPayment(tx, input.paymentId, input.subscriptionId);
    if (!payment || !isOpen(payment.status) || subscription.version !== input.version)
      return isWritten(tx, input);
    const { request } = input;
    const decision = await decisionOf(tx, request);
    if (!decision || input.unpaid) return false;
    const charge = { tx, subscription, payment, invoice: await invoiceOfPayment(tx, payment.id) };
    // `failed` is treated like the rail's decline: dunning schedules a retry.
    const { change_id: changeId } = charge.invoice;
    const isPaid = request.outcome === 'succeeded';
    if (changeId !== null)
      await (isPaid ? applyChange(charge, changeId) : failChange(charge, BY_OPERATOR.code));
    else if (isPaid) await settlePaid(charge);
    else await settleDeclined(charge, BY_OPERATOR, input.dunningLadderDays);
    await askUntilAnswered(tx, 'payment', payment.id);
    await auditChargeResolution(charge, decision, request.outcome);
    return true;
  });
}

/** Returns whether this request was already executed: the answer to its COMMIT may have been lost. */
function isWritten(tx: Transaction, { subscriptionId, paymentId, version, request }: SubscriptionResolution) {
  return tx.exists(sql.typeAlias('void')`
    select from audit_log
    where subject_id = ${subscriptionId} and action = 'subscription.resolve'
      and before ->> 'payment' = ${paymentId} and (before ->> 'version')::integer = ${version}
      and after ->> 'status' = ${request.outcome} and after ->> 'asked' = ${request.outcome}
  `);
}

export async function auditChargeResolution(
  { tx, subscription, payment }: ChargeBeingSettled,
  request: ResolveCommand,
  status: PaymentStatus,
): Promise<void> {
  await writeAudit(tx, {
    merchantId: subscription.merchant_id,
    environment: subscription.environment,
    actor: request.operator,
    action: 'subscription.resolve',
    subjectId: subscription.id,
    before: { payment: payment.id, status: payment.status, version: subscription.version },
    after: { status, asked: request.outcome, reason: request.reason, evidence: request.evidence },
  });
}
