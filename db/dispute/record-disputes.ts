/** Records a payment's disputes as the rail reports them: rows, alerts, and the end of renewals, in one transaction. */
import { z } from 'zod';
import { eventPayment } from '../../contract/webhook/events.ts';
import { alertOfDispute, DISPUTE_STATUSES, type DisputeAtRail } from '../../domain/dispute/dispute.ts';
import { writeAudit } from '../core/audit.ts';
import { camelCased, type Pool, sql, type Transaction } from '../core/pool.ts';
import { inSettlementTransaction } from '../invoice/invoices.ts';
import { reverseCreditNote } from '../invoice/reverse-credit-note.ts';
import { reopenAfterReversal } from '../payment/orphaned-charges.ts';
import { applyWebhooks } from '../payment/rail-webhooks.ts';
import { lockSubscription } from '../subscription/core/subscription-row.ts';
import { recordEvent } from '../webhook/events.ts';
import { creditLostDispute } from './credit-lost-dispute.ts';
import type { DisputedPayment } from './disputed-payments.ts';
import { stopRenewing } from './stop-renewing.ts';

export interface RecordedDisputes {
  /** The codes of the alerts that were sent. */
  readonly alerts: readonly string[];
  /** The subscription whose renewal was cancelled. */
  readonly stopped: string | null;
}

export function recordDisputes(
  pool: Pool,
  payment: DisputedPayment,
  disputes: readonly DisputeAtRail[],
): Promise<RecordedDisputes> {
  return inSettlementTransaction(pool, (tx) => recordIn(tx, payment, disputes));
}

/** Runs in the caller's transaction, which must be one of `inSettlementTransaction`. */
export async function recordIn(
  tx: Transaction,
  payment: DisputedPayment,
  disputes: readonly DisputeAtRail[],
): Promise<RecordedDisputes> {
  const subscriptionId = await subscriptionOf(tx, payment.paymentId);
  // Lock order: the subscription first.
  const subscription = subscriptionId === null ? null : await lockSubscription(tx, subscriptionId);
  const alerts: string[] = [];
  for (const dispute of disputes) {
    const alert = await recordDispute(tx, payment, subscriptionId, dispute);
    if (alert) alerts.push(alert);
  }
  const lost = alerts.includes('dispute_lost');
  const ends = lost && subscription !== null && (await isEndedByDispute(tx, subscription.id));
  const stopped = ends && (await stopRenewing(tx, subscription));
  await applyWebhooks(tx, payment.railAccountId, payment.railEventIds);
  return { alerts, stopped: stopped ? subscriptionId : null };
}

export function isEndedByDispute(tx: Transaction, subscriptionId: string): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from disputes where subscription_id = ${subscriptionId} and status = 'lost' and ends_renewal
  `);
}

/**
 * Stores the merchant's current settings with a lost dispute, so that a later change of settings affects later losses
 * only.
 * @returns whether the dispute's amount is credited
 */
function decideLoss(tx: Transaction, disputeId: string): Promise<boolean> {
  return tx.oneFirst(sql.type(z.object({ credits: z.boolean() }))`
    update disputes d set credits = m.credit_note_on_lost_dispute, ends_renewal = not m.renew_after_lost_dispute
    from merchants m where d.id = ${disputeId} and m.id = d.merchant_id
    returning d.credits
  `);
}

/** The subscription that the payment was for, through its first payment or one of its periods. */
function subscriptionOf(tx: Transaction, paymentId: string): Promise<string | null> {
  return tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select s.id
    from payments p left join invoices i on i.id = p.invoice_id
    join subscriptions s on s.id = i.subscription_id or s.checkout_id = p.checkout_id
    where p.id = ${paymentId}
  `);
}

const known = camelCased({
  id: z.string(),
  status: z.enum(DISPUTE_STATUSES),
  version: z.number(),
  by_operator: z.boolean(),
});

/**
 * Stores a dispute. An operator's decision is kept while the rail still reports the dispute as open; the rail's own
 * decision replaces it, with an audit row if the two differ.
 * @returns the code of the alert, if one was sent
 */
async function recordDispute(
  tx: Transaction,
  { paymentId, railAccountId, ...scope }: DisputedPayment,
  subscriptionId: string | null,
  dispute: DisputeAtRail,
): Promise<string | null> {
  const { railDisputeId, status, amountCents: amount, currency, reason, openedAt, evidenceDueBy } = dispute;
  const before = await tx.maybeOne(sql.type(known)`
    select id, status, version, closed_by_operator as by_operator from disputes
    where rail_account_id = ${railAccountId} and rail_dispute_id = ${railDisputeId} for update
  `);
  if (before?.byOperator && status === 'open') return null;
  const { id, version } = await tx.one(sql.type(known)`
    insert into disputes (merchant_id, environment, payment_id, subscription_id, rail_account_id, rail_dispute_id,
      status, amount, currency, reason, evidence_due_by, opened_at)
    values (${scope.merchantId}, ${scope.environment}, ${paymentId}, ${subscriptionId}, ${railAccountId},
      ${railDisputeId}, ${status}, ${amount}, ${currency}, ${reason}, ${evidenceDueBy}, ${openedAt})
    on conflict (rail_account_id, rail_dispute_id) do update
    set status = excluded.status, amount = excluded.amount, evidence_due_by = excluded.evidence_due_by,
      version = disputes.version + (disputes.status <> excluded.status)::integer,
      closed_by_operator = false, updated_at = service_clock()
    returning id, status, version, closed_by_operator as by_operator
  `);
  if (before?.byOperator && before.status !== status)
    await writeAudit(tx, {
      merchantId: scope.merchantId,
      environment: scope.environment,
      actor: 'service',
      action: 'dispute.decided_by_rail',
      subjectId: id,
      before: { status: before.status },
      after: { status },
    });
  if (before?.status === 'lost' && status !== 'lost') await reverseCreditNote(tx, scope, { disputeId: id });
  if (before?.status === 'lost' && status === 'won') await reopenAfterReversal(tx, paymentId);
  const code = alertOfDispute(before?.status ?? null, status);
  if (code === null) return null;
  const payment = await tx.one(sql.type(eventPayment)`
    select id, rail, status from payments where id = ${paymentId}
  `);
  await recordEvent(tx, {
    scope: { merchantId: scope.merchantId, environment: scope.environment },
    type: 'billing.operational_alert',
    aggregateId: `${id}-${status}`,
    aggregateVersion: version,
    payment,
    dispute: { id, payment_id: paymentId, status, amount, currency, evidence_due_by: evidenceDueBy },
    alert: { code, reference: id },
  });
  if (code === 'dispute_lost' && (await decideLoss(tx, id)))
    await creditLostDispute(tx, scope, { id, paymentId, amount, currency });
  return code;
}
