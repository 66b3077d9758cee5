/** Records a rail answer about a refund in one transaction: refund, payment, order, events and credit note. */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import type { Resolution, ResolveCommand } from '../../domain/core/resolution.ts';
import { REFUND_STATUSES, type RefundAnswer, statusAfterRefund } from '../../domain/refund/refund.ts';
import { writeAudit } from '../core/audit.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { rowOrNotFound } from '../core/row-not-found.ts';
import { creditOrStore } from '../invoice/credit-notes.ts';
import { inSettlementTransaction } from '../invoice/invoices.ts';
import { eventContextOfPayment } from '../payment/event-payment.ts';
import { lockPayment, transitionPayment } from '../payment/payment-row.ts';
import type { AnswerToRecord } from '../payment/rail-calls.ts';
import { askUntilAnswered } from '../payment/rail-webhooks.ts';
import { decisionOf } from '../payment/resolve-requests.ts';
import { recordEvent } from '../webhook/events.ts';

const lockedRefund = z.object({
  id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  payment_id: z.string(),
  rail_account_id: z.string(),
  amount: z.number(),
  status: z.enum(REFUND_STATUSES),
  version: z.number(),
  reconciling: z.boolean(),
  /** True if no call of this service can still be running. */
  past_deadline: z.boolean(),
});
type LockedRefund = z.infer<typeof lockedRefund>;

export function recordRefundAnswer(pool: Pool, input: AnswerToRecord<RefundAnswer>): Promise<void> {
  return inSettlementTransaction(pool, async (tx) => {
    const refund = await lockRefund(tx, input.attemptId);
    if (refund.status !== 'pending') return;
    const { outcome } = input;
    if (outcome.kind !== 'succeeded' && outcome.kind !== 'failed') return waitLonger(tx, refund, input);
    const decision = input.resolution && (await decisionOf(tx, input.resolution));
    if (decision) await auditRefund(tx, refund, decision, outcome.kind);
    return settle(tx, refund, outcome.kind, outcome.kind === 'failed' ? outcome.code : null);
  });
}

/**
 * An operator settles a refund whose outcome the rail does not report. Does nothing if it has been settled or changed
 * since, while a call may still be running, or when the request no longer exists.
 */
export function resolveRefund(
  pool: Pool,
  input: { readonly refundId: string; readonly version: number; readonly request: Resolution },
): Promise<void> {
  return inSettlementTransaction(pool, async (tx) => {
    const refund = await lockRefund(tx, input.refundId);
    if (refund.status !== 'pending' || refund.version !== input.version || !refund.past_deadline) return;
    const { outcome } = input.request;
    const decision = await decisionOf(tx, input.request);
    if (!decision) return;
    await auditRefund(tx, refund, decision, outcome);
    await settle(tx, refund, outcome, outcome === 'failed' ? 'resolved_by_operator' : null);
    await askUntilAnswered(tx, 'refund', refund.id);
  });
}

/** Locks the payment's row first, in the same order as the creation of a refund. */
export async function lockRefund(tx: Transaction, refundId: string): Promise<LockedRefund> {
  await tx.query(sql.typeAlias('void')`
    select from payments where id = (select payment_id from refunds where id = ${refundId}) for update
  `);
  const row = await tx.maybeOne(sql.type(lockedRefund)`
    select id, merchant_id, environment, payment_id, rail_account_id, amount, status, version,
      reconciling_since is not null as reconciling, coalesce(call_deadline < service_clock(), true) as past_deadline
    from refunds where id = ${refundId} for update
  `);
  return rowOrNotFound(row, refundId);
}

export async function settle(
  tx: Transaction,
  refund: LockedRefund,
  to: 'succeeded' | 'failed',
  failureCode: string | null,
): Promise<void> {
  const version = refund.version + 1;
  await tx.query(sql.typeAlias('void')`
    update refunds set status = ${to}, version = ${version}, failure_code = ${failureCode}, next_action_at = null,
      reconciling_since = null, updated_at = service_clock()
    where id = ${refund.id}
  `);
  // The sweep handles a contradiction by looking the refund up again.
  const contradiction = to === 'failed' ? 'refunded' : 'refund_failed';
  await tx.query(sql.typeAlias('void')`
    update rail_webhooks set applied_at = service_clock()
    where reference = ${refund.id} and rail_account_id = ${refund.rail_account_id} and applied_at is null
      and hint <> ${contradiction}
  `);
  if (to === 'failed') {
    await tx.query(sql.typeAlias('void')`
      update payments set refunded_amount = refunded_amount - ${refund.amount},
        updated_at = greatest(updated_at, service_clock())
      where id = ${refund.payment_id}
    `);
    await alert(tx, refund, 'refund_failed', version);
    return;
  }
  const payment = rowOrNotFound(await lockPayment(tx, refund.payment_id, null), refund.payment_id);
  const refunded = await tx.oneFirst(sql.type(z.object({ cents: z.number() }))`
    select sum(amount) as cents from refunds where payment_id = ${payment.id} and status = 'succeeded'
  `);
  const status = statusAfterRefund(payment.amount, refunded);
  await transitionPayment(tx, payment, status, null);
  await tx.query(sql.typeAlias('void')`
    update orders set status = ${status}, updated_at = greatest(updated_at, service_clock())
    where id = ${payment.order_id} and payment_id = ${payment.id}
  `);
  await recordRefundCreated(tx, refund, version);
}

async function waitLonger(
  tx: Transaction,
  refund: LockedRefund,
  { lookupTimeUp, nextLookupSeconds }: AnswerToRecord<RefundAnswer>,
): Promise<void> {
  const givesUp = lookupTimeUp && !refund.reconciling;
  const version = refund.version + (givesUp ? 1 : 0);
  await tx.query(sql.typeAlias('void')`
    update refunds
    set next_action_at = service_clock() + ${nextLookupSeconds}::float8 * interval '1 second', version = ${version},
      reconciling_since = case when ${givesUp} then service_clock() else reconciling_since end
    where id = ${refund.id}
  `);
  if (givesUp) await alert(tx, refund, 'reconciliation_required', version);
}

async function alert(tx: Transaction, refund: LockedRefund, code: string, version: number): Promise<void> {
  await recordEvent(tx, {
    scope: { merchantId: refund.merchant_id, environment: refund.environment },
    type: 'billing.operational_alert',
    aggregateId: refund.id,
    aggregateVersion: version,
    alert: { code, reference: refund.id },
  });
}

/** Records the refund's event, with its credit note if the payment has an invoice. */
async function recordRefundCreated(tx: Transaction, refund: LockedRefund, version: number): Promise<void> {
  const { context, invoiceId } = await eventContextOfPayment(tx, refund.payment_id);
  const { id, payment_id, amount } = refund;
  const scope = { merchantId: refund.merchant_id, environment: refund.environment };
  await recordEvent(tx, {
    ...context,
    scope,
    type: 'refund.created',
    aggregateId: id,
    aggregateVersion: version,
    refund: { id, payment_id, amount, status: 'succeeded' },
  });
  // If the invoice is stored for later, its credit notes are issued after it.
  if (invoiceId === null) return;
  const of = { paymentId: payment_id, refundId: id, disputeId: null };
  await creditOrStore(tx, { scope, invoiceId, ...of, reason: 'refund', amount }, context);
}

export async function auditRefund(
  tx: Transaction,
  refund: LockedRefund,
  request: ResolveCommand,
  status: string,
): Promise<void> {
  await writeAudit(tx, {
    merchantId: refund.merchant_id,
    environment: refund.environment,
    actor: request.operator,
    action: 'refund.resolve',
    subjectId: refund.id,
    before: { status: refund.status, version: refund.version },
    after: { status, ...request },
  });
}
