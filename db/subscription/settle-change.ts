/**
 * Settles the charge for an immediate change, in a transaction of `inSettlementTransaction`: the change is
 * applied if paid; otherwise nothing changes, and it fails or waits until its buyer has confirmed and paid on
 * a hosted page.
 */
import { z } from 'zod';
import type { Scope } from '../../domain/core/environment.ts';
import { keepsPeriod } from '../../domain/subscription/change-now.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { issueDraftOrStore } from '../invoice/draft-invoice.ts';
import { everyOf, isInQuestion } from './calculate-change.ts';
import { appliedUpdate, recordSubscriptionEvents } from './core/subscription-events.ts';
import { closeUnpaidChange, completeOrder, intervalOf } from './core/subscription-invoices.ts';
import {
  couponOn,
  cyclesLeftAfter,
  type LockedSubscription,
  type SubscriptionChanges,
  saveSubscription,
  scopeOfSubscription,
} from './core/subscription-row.ts';
import { payableWaiting } from './core/waiting-change.ts';
import { type ChargeBeingSettled, methodWasReplaced, move, settled, showCharged } from './settle-charge.ts';

const paidChange = z.object({
  type: z.string(),
  target_plan_id: z.string(),
  target_price_id: z.string(),
  target_offering_id: z.string().nullable(),
  amount: z.number(),
  quantity: z.number(),
  start: z.string(),
  end: z.string(),
});

export async function applyChange(charge: ChargeBeingSettled, changeId: string): Promise<void> {
  const { tx, subscription, invoice, byLink = false } = charge;
  const paid = await move(charge, 'succeeded', null);
  await showCharged(tx, paid.id, subscription.id);
  await completeOrder(tx, invoice, subscription.now);
  const change = await tx.one(sql.type(paidChange)`
    update subscription_changes c set status = 'applied', updated_at = ${subscription.now}
    from invoices i
    where c.id = ${changeId} and c.status in ('pending', 'requires_action') and i.id = c.invoice_id
    returning c.type, c.target_plan_id, c.target_price_id, c.target_offering_id, c.amount, c.quantity,
      i.period_start as start, i.period_end as end
  `);
  const [before, after] = [
    everyOf(await intervalOf(tx, subscription.price_id)),
    everyOf(await intervalOf(tx, change.target_price_id)),
  ];
  const begins = { beginsPeriod: !keepsPeriod(before, after) };
  const now = await saveSubscription(tx, subscription, {
    product_id: change.target_plan_id,
    price_id: change.target_price_id,
    offering_id: change.target_offering_id,
    amount: change.amount,
    quantity: change.quantity,
    ...(begins.beginsPeriod && periodOf(change)),
    billing_cycles_left: cyclesLeftAfter(subscription, begins),
    // Same result as at the claim, because no other period begins while a change is pending.
    ...couponOn(subscription, change.target_plan_id, begins),
    ...settled(subscription.unpaid_invoices),
    open_change: null,
    method_declined: byLink && subscription.method_declined,
  });
  const ids = { invoiceId: invoice.id, paymentId: paid.id };
  const issued = await issueDraftOrStore(tx, scopeOfSubscription(now), { ...ids, paidAt: now.now });
  const about = issued ? ids : { paymentId: paid.id };
  await recordSubscriptionEvents(tx, now, [
    { type: 'payment.succeeded', aggregate: paid, ...about },
    ...(issued ? [{ type: 'invoice.created', aggregate: issued, ...about } as const] : []),
    { type: 'subscription.updated', change: appliedUpdate(change) },
  ]);
}

/** In a period that begins with the change, months are counted from the period's first day. */
function periodOf({ start, end }: z.infer<typeof paidChange>): SubscriptionChanges {
  return { current_period_start: start, current_period_end: end, billing_anchor: start };
}

/** Inserts a payment link for an invoice; false if the merchant's account cannot take the payment. */
export type OfferLink = (
  tx: Transaction,
  of: { readonly scope: Scope; readonly subscriptionId: string; readonly invoiceId: string },
) => Promise<boolean>;

interface DeclinedChange {
  /** Used if the bank requires the buyer to confirm the charge; without it, the change fails. */
  readonly offerLink?: OfferLink | null | undefined;
  /** True if the issuer has declined the method permanently. */
  readonly methodDeclined?: boolean;
}

/** @param code the reason of the decline; null if the attempt ended without an answer */
export async function failChange(
  charge: ChargeBeingSettled,
  code: string | null,
  { offerLink = null, methodDeclined = false }: DeclinedChange = {},
): Promise<void> {
  const { tx, subscription, payment } = charge;
  const ended = await move(charge, code === null ? 'cancelled' : 'failed', code);
  const waiting = code === 'authentication_required' && offerLink ? await offer(charge, offerLink) : null;
  const left = waiting ?? (await closeUnpaidChange(tx, subscription, 'failed'));
  const now = await saveSubscription(tx, left, {
    ...settled(subscription.unpaid_invoices),
    method_declined:
      subscription.method_declined ||
      (methodDeclined && !(await methodWasReplaced(tx, payment.id, subscription.id))),
  });
  await recordSubscriptionEvents(tx, now, [
    { type: 'payment.failed', aggregate: ended, paymentId: ended.id },
    { type: 'subscription.updated', change: waiting ? 'change_waits' : 'change_failed' },
  ]);
}

/** @returns the subscription with its waiting change; null if a link could not be paid */
async function offer(
  { tx, subscription, invoice }: ChargeBeingSettled,
  offerLink: OfferLink,
): Promise<LockedSubscription | null> {
  const scope = scopeOfSubscription(subscription);
  const waiting = await waitForBuyer(tx, subscription);
  if (!(await isPayable(tx, waiting))) return null;
  const offered = await offerLink(tx, { scope, subscriptionId: subscription.id, invoiceId: invoice.id });
  return offered ? waiting : null;
}

/** An answer may arrive days later: by then a dispute may have been lost, or a charge may be in question. */
async function isPayable(tx: Transaction, waiting: LockedSubscription): Promise<boolean> {
  if (waiting.charging_stopped || waiting.cancel_requested_at !== null) return false;
  return !(await isInQuestion(tx, waiting)) && (await payableWaiting(tx, waiting)) !== null;
}

async function waitForBuyer(tx: Transaction, subscription: LockedSubscription): Promise<LockedSubscription> {
  const status = 'requires_action';
  await tx.query(sql.typeAlias('void')`
    update subscription_changes set status = ${status}, updated_at = ${subscription.now}
    where subscription_id = ${subscription.id} and status = 'pending'
  `);
  return { ...subscription, open_change: status };
}
