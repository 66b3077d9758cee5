/** A subscription's invoices: one per period, paid oldest first. */

import { z } from 'zod';
import { deductionOf } from '../../../domain/catalogue/coupon.ts';
import { periodUntil } from '../../../domain/core/calendar.ts';
import {
  type Calculation,
  calculate,
  type Period,
  storedLine,
} from '../../../domain/subscription/proration.ts';
import { sql, type Transaction } from '../../core/pool.ts';
import type { InvoiceDraft } from '../../invoice/invoices.ts';
import { UNPAID } from '../../invoice/unpaid.ts';
import { type LockedSubscription, scopeOfSubscription } from './subscription-row.ts';

const billedInterval = z.object({
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: z.number(),
});

const billed = billedInterval.extend({
  unit_amount: z.number(),
  product_name: z.string(),
  merchant_name: z.string(),
  tax_rate: z.number(),
  legal_identity: z.record(z.string(), z.unknown()),
});
type BilledPlan = z.infer<typeof billed>;

/** Returns the price and plan that the subscription bills from now on, and the plan's supplier. */
export function billedPlan(
  tx: Transaction,
  { product_id, price_id, merchant_id }: LockedSubscription,
): Promise<BilledPlan> {
  return tx.one(sql.type(billed)`
    select price.interval, coalesce(price.interval_count, 1) as interval_count, product.name as product_name,
      price.amount as unit_amount, price.tax_rate, m.name as merchant_name, m.legal_identity
    from products product, prices price, merchants m
    where product.id = ${product_id} and price.id = ${price_id} and m.id = ${merchant_id}
  `);
}

export function calculatePeriod(
  { quantity, coupon }: LockedSubscription,
  { unit_amount: unitAmount, tax_rate: taxRate }: BilledPlan,
  period: Period,
): ToInvoice {
  const terms = { unitAmount, quantity, taxRate, coupon: coupon && deductionOf(coupon) };
  return { ...calculate({ terms, period }), period };
}

/** The lines to invoice, and their period. */
export interface ToInvoice extends Calculation {
  readonly period: Period;
}

/**
 * Writes a period's order and drafts its open invoice, with the current plan and price frozen. A period cannot have a
 * second invoice (rule 25).
 * @param creditedName the plan whose unused share is credited
 */
export async function draftPeriodInvoice(
  tx: Transaction,
  subscription: LockedSubscription,
  plan: BilledPlan,
  { lines, total, period }: ToInvoice,
  creditedName = plan.product_name,
) {
  const { product_id, price_id, currency, customer_id, merchant_id, environment, now } = subscription;
  // A period that a coupon makes free is not charged.
  const isFree = total === 0;
  const lineItems = lines.map((line) => {
    const description = descriptionOf(line.key, subscription, plan, creditedName);
    return storedLine(line, { product_id, price_id, description });
  });
  const orderId = await tx.oneFirst(sql.type(z.object({ id: z.string() }))`
    insert into orders (merchant_id, environment, customer_id, product_id, price_id, source, line_items, amount,
      currency, status, created_at, updated_at)
    values (${merchant_id}, ${environment}, ${customer_id}, ${product_id}, ${price_id}, 'subscription',
      ${sql.jsonb(lineItems)}, ${total}, ${currency}, ${isFree ? 'completed' : 'pending'}, ${now}, ${now})
    returning id
  `);
  return {
    scope: scopeOfSubscription(subscription),
    customerId: customer_id,
    orderId,
    subscriptionId: subscription.id,
    period,
    status: isFree ? 'created' : 'open',
    amount: total,
    amountDue: total,
    currency,
    lineItems,
    supplier: { ...plan.legal_identity, name: plan.legal_identity.name ?? plan.merchant_name },
    issuedAt: now,
  } satisfies InvoiceDraft;
}

function descriptionOf(
  key: ToInvoice['lines'][number]['key'],
  { coupon }: LockedSubscription,
  { product_name }: BilledPlan,
  creditedName: string,
): string {
  if (key === 'unused') return creditedName;
  return key === 'discount' && coupon ? coupon.code : product_name;
}

export const unpaidInvoice = z.object({
  id: z.string(),
  order_id: z.string().nullable(),
  amount_due: z.number(),
  version: z.number(),
  /** The start of the period that the invoice charges. */
  period_start: z.string(),
  /** The change that takes effect when the invoice is paid. */
  change_id: z.string().nullable(),
});
export type UnpaidInvoice = z.infer<typeof unpaidInvoice>;

export function oldestUnpaidInvoice(tx: Transaction, subscriptionId: string): Promise<UnpaidInvoice | null> {
  return tx.maybeOne(sql.type(unpaidInvoice)`
    select id, order_id, amount_due, version, period_start, null::text as change_id from invoices
    where subscription_id = ${subscriptionId} and status in ${UNPAID}
    order by period_start limit 1 for update
  `);
}

/** Returns the named invoice if it is the next to be paid, or why it cannot be paid now. */
export async function payableInvoice(
  tx: Transaction,
  { subscriptionId, invoiceId }: { readonly subscriptionId: string; readonly invoiceId: string },
): Promise<UnpaidInvoice | 'invoice_older_unpaid' | 'invoice_not_payable'> {
  const oldest = await oldestUnpaidInvoice(tx, subscriptionId);
  if (oldest?.id === invoiceId) return oldest;
  const isUnpaid = await tx.exists(sql.typeAlias('void')`
    select from invoices where id = ${invoiceId} and subscription_id = ${subscriptionId} and status in ${UNPAID}
  `);
  return isUnpaid ? 'invoice_older_unpaid' : 'invoice_not_payable';
}

/** Returns the invoice that an open attempt pays. */
export function invoiceOfPayment(tx: Transaction, paymentId: string): Promise<UnpaidInvoice> {
  return tx.one(sql.type(unpaidInvoice)`
    select i.id, i.order_id, i.amount_due, i.version, i.period_start,
      (select c.id from subscription_changes c where c.invoice_id = i.id) as change_id
    from invoices i join payments p on p.invoice_id = i.id
    where p.id = ${paymentId} and i.status in ('draft', 'open', 'payment_failed') for update of i
  `);
}

export async function settleInvoice(tx: Transaction, invoice: UnpaidInvoice, now: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with settled as (
      update invoices set status = 'created', amount_due = 0, version = version + 1, updated_at = ${now}
      where id = ${invoice.id}
    )
    update orders set status = 'completed', updated_at = ${now} where id = ${invoice.order_id}
  `);
}

export async function completeOrder(
  tx: Transaction,
  { order_id }: UnpaidInvoice,
  now: string,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update orders set status = 'completed', updated_at = ${now} where id = ${order_id}
  `);
}

/**
 * Closes an unpaid immediate change, and voids its draft, which gets no number: nothing is owed for it.
 * @returns the subscription without the change
 */
export async function closeUnpaidChange(
  tx: Transaction,
  subscription: LockedSubscription,
  to: 'failed' | 'cancelled',
): Promise<LockedSubscription> {
  const { id, now } = subscription;
  await tx.query(sql.typeAlias('void')`
    with closed as (
      update subscription_changes set status = ${to}, updated_at = ${now}
      where subscription_id = ${id} and status in ('pending', 'requires_action')
      returning invoice_id
    ), voided as (
      update invoices set status = 'void', amount_due = 0, version = version + 1, updated_at = ${now}
      from closed where invoices.id = closed.invoice_id
      returning invoices.order_id
    )
    update orders set status = 'failed', updated_at = ${now} from voided where orders.id = voided.order_id
  `);
  return { ...subscription, open_change: null };
}

/** Fails a change that waits for its buyer, as the period whose remainder it charges, or the subscription, ends. */
export async function failWaitingChange(
  tx: Transaction,
  subscription: LockedSubscription,
): Promise<LockedSubscription> {
  const waits = subscription.open_change === 'requires_action';
  return waits ? closeUnpaidChange(tx, subscription, 'failed') : subscription;
}

/** @returns the invoice's version, raised by each failed charge; null if it failed before and `again` is false */
export function failInvoice(
  tx: Transaction,
  invoice: UnpaidInvoice,
  now: string,
  { again }: { readonly again: boolean },
): Promise<number | null> {
  return tx.maybeOneFirst(sql.type(z.object({ version: z.number() }))`
    update invoices set status = 'payment_failed', version = version + 1, updated_at = ${now}
    where id = ${invoice.id} and (status = 'open' or ${again})
    returning version
  `);
}

/** Returns a price's interval, which never changes: the catalogue replaces prices with new ones. */
export function intervalOf(tx: Transaction, priceId: string) {
  return tx.one(sql.type(billedInterval)`
    select interval, coalesce(interval_count, 1) as interval_count from prices where id = ${priceId}
  `);
}

/**
 * Writes off unpaid invoices as uncollectible when the subscription ends: they are not charged any more.
 * @returns the last paid period, or the trial; null if all invoices are paid
 */
export async function writeOffUnpaid(
  tx: Transaction,
  { id, now, price_id, billing_anchor }: LockedSubscription,
): Promise<{ readonly start: string; readonly end: string } | null> {
  const { start, end } = await tx.one(sql.type(
    z.object({ start: z.string().nullable(), end: z.string().nullable() }),
  )`
    with written_off as (
      update invoices set status = 'uncollectible', version = version + 1, updated_at = ${now}
      where subscription_id = ${id} and status in ${UNPAID}
      returning order_id, period_start
    ), failed as (
      update orders set status = 'failed', updated_at = ${now} where id in (select order_id from written_off)
    )
    select coalesce(paid.period_end, unpaid.since) as end, coalesce(paid.period_start, s.trial_start) as start
    from (select min(period_start) as since from written_off) unpaid
    join subscriptions s on s.id = ${id}
    left join lateral (
      select period_start, period_end from invoices
      where subscription_id = s.id and period_start < unpaid.since
        and (status not in ('draft', 'void') or status = 'draft' and amount_due = 0)
      order by period_start desc limit 1
    ) paid on true
  `);
  if (!end) return null;
  if (start) return { start, end };
  // An imported subscription paid this period at its processor. The start is approximate if a plan change took effect
  // at the end of that period.
  const { interval, interval_count } = await intervalOf(tx, price_id);
  return periodUntil(billing_anchor ?? end, end, interval, interval_count);
}
