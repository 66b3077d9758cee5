/** Calculates the charge for an immediate change, for both the preview and the change itself. */

import { z } from 'zod';
import { deductionOf } from '../../domain/catalogue/coupon.ts';
import { type ChangedNow, changeNow, isOutdated, keepsPeriod } from '../../domain/subscription/change-now.ts';
import type { WantedChange } from '../../domain/subscription/operations.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { chooseTarget, type Target } from './change-target.ts';
import { invoicedParts } from './core/invoiced-parts.ts';
import { intervalOf } from './core/subscription-invoices.ts';
import { type Refused, refused } from './core/subscription-operations.ts';
import {
  type CouponColumns,
  couponOn,
  cyclesLeftAfter,
  isLastPeriod,
  type LockedSubscription,
} from './core/subscription-row.ts';

export interface CalculatedChange extends ChangedNow {
  /** The coupon that applies to this change's charge, and the periods that it has used. */
  readonly coupon: CouponColumns;
  /** Billing cycles left: a change of interval begins a period, which uses up a cycle. Null if unlimited. */
  readonly cyclesLeft: number | null;
  readonly kind: 'calculated';
  readonly target: ChosenTarget;
}

export interface ChosenTarget {
  readonly planId: string;
  readonly priceId: string;
  readonly offeringId: string | null;
  readonly quantity: number;
  /** The price of a period. */
  readonly amount: number;
}

export async function calculateChange(
  tx: Transaction,
  subscription: LockedSubscription,
  wanted: WantedChange,
): Promise<CalculatedChange | Refused> {
  const target = await chooseTarget(tx, subscription, wanted);
  if ('kind' in target) return target;
  const { now, current_period_start: start, current_period_end: end } = subscription;
  if (!start || !end) throw new Error(`${subscription.id} has no period`);
  if (end <= now || subscription.unpaid_invoices > 0 || (await isInQuestion(tx, subscription)))
    return refused('subscription_charge_pending');
  const period = { start, end };
  const parts = await invoicedParts(tx, subscription.id);
  const paid = parts.filter(({ is_settled }) => is_settled);
  // If the import could not read the amount paid for the period, the customer would get no credit and pay twice.
  if (paid.at(-1)?.end !== end)
    return refused(
      (await isInvoiceLate(tx, subscription.id)) ? 'subscription_charge_pending' : 'change_needs_period_end',
    );
  const changedAt = [
    subscription.updated_at,
    String(target.priced_at),
    ...parts.map(({ changed_at }) => changed_at),
  ];
  const { calculatedAt } = wanted;
  const isCurrent = calculatedAt === null || !isOutdated({ calculatedAt, now, period, changedAt });
  const at = calculatedAt !== null && isCurrent ? calculatedAt : now;
  // Invoices are identified by the start of their period, so no invoice may start at or after `at`.
  if (parts.some((part) => part.start >= at)) return refused('subscription_charge_pending');
  const before = everyOf(await intervalOf(tx, subscription.price_id));
  const { terms, every } = termsOf(target);
  const beginsPeriod = !keepsPeriod(before, every);
  if (beginsPeriod && isLastPeriod(subscription)) return refused('subscription_cancel_scheduled');
  const coupon = couponOn(subscription, String(target.plan_id), { beginsPeriod });
  const change = changeNow({
    terms: { ...terms, coupon: coupon.coupon && deductionOf(coupon.coupon) },
    every,
    before,
    period,
    at,
    paid: paid.map(({ tax_rate: taxRate, ...part }) => ({ ...part, taxRate })),
  });
  if (!isCurrent) return refused('preview_outdated', change.total);
  if (change.total <= 0) return refused('change_needs_period_end', change.total);
  return {
    ...change,
    kind: 'calculated',
    target: chosenTarget(target),
    coupon,
    cyclesLeft: cyclesLeftAfter(subscription, { beginsPeriod }),
  };
}

/** True if the purchase's invoice could not be issued with its payment and is still to be issued. */
function isInvoiceLate(tx: Transaction, subscriptionId: string): Promise<boolean> {
  return tx.oneFirst(sql.type(z.object({ is: z.boolean() }))`
    select exists (
      select from subscriptions s join payments p on p.checkout_id = s.checkout_id
      join invoices_due d on d.payment_id = p.id where s.id = ${subscriptionId}) as is
  `);
}

/**
 * Returns whether a charge of the subscription may be missing in this copy. A change made now would repeat that charge,
 * because it gets another instant, and so another id.
 */
export function isInQuestion(
  tx: Transaction,
  { id, merchant_id, environment }: LockedSubscription,
): Promise<boolean> {
  return tx.oneFirst(sql.type(z.object({ is: z.boolean() }))`
    select is_subscription_in_question(${id}, ${merchant_id}, ${environment}) as is
  `);
}

function termsOf({ amount, quantity, tax_rate, interval, interval_count }: Target) {
  if (amount === null || tax_rate === null || interval === null) throw new Error('not a recurring price');
  return {
    terms: { unitAmount: amount, quantity, taxRate: tax_rate },
    every: { interval, intervalCount: interval_count },
  };
}

export function everyOf({ interval, interval_count }: Awaited<ReturnType<typeof intervalOf>>) {
  return { interval, intervalCount: interval_count };
}

/** Returns the columns that a change to this target sets. */
export function chosenTarget({ plan_id, price_id, offering_id, amount, quantity }: Target): ChosenTarget {
  if (plan_id === null || price_id === null || amount === null) throw new Error('the target has no price');
  return { planId: plan_id, priceId: price_id, offeringId: offering_id, quantity, amount: amount * quantity };
}
