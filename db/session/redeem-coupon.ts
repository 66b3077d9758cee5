/**
 * Coupons of sessions. Redemptions are not stored: a session counts as a redemption while it has the coupon and is
 * being paid or has been paid. A failed attempt therefore makes the redemption available again.
 */
import { z } from 'zod';
import {
  type CouponRefusal,
  comparedCode,
  deductionOf,
  refusalOfCoupon,
} from '../../domain/catalogue/coupon.ts';
import { priceTotal } from '../../domain/subscription/proration.ts';
import { type StoredCoupon, storedCoupon, termsOfCoupon } from '../catalogue/stored-coupon.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { waitForBuyer } from '../subscription/core/per-customer.ts';
import { emailOf, sameBuyer } from './core/same-buyer.ts';
import { type LockedSession, lockSession } from './core/session-row.ts';

const redeemable = storedCoupon.extend({
  first_purchase_only: z.boolean(),
  valid_from: z.string().nullable(),
  valid_until: z.string().nullable(),
  max_redemptions: z.number().nullable(),
  max_per_customer: z.number().nullable(),
  status: z.enum(['active', 'stopped']),
});
type Redeemable = z.infer<typeof redeemable>;

const columns = sql.fragment`id, code, percent, amount, duration, periods, product_ids, first_purchase_only, valid_from,
  valid_until, max_redemptions, max_per_customer, status`;

const facts = z.object({
  now: z.string(),
  redemptions: z.number(),
  by_buyer: z.number(),
  /** True even if nothing was paid, as for a trial or a free period. */
  has_bought: z.boolean(),
});

/**
 * Applies the coupon with this code to a locked session and reduces its amount. The claim decides whether the coupon is
 * still available (`redeem`).
 *
 * @param email the email in the session's request
 * @returns the new amount, or why the session cannot have the coupon and is unchanged
 */
export async function applyCoupon(
  tx: Transaction,
  session: LockedSession,
  code: string,
  email: string | null,
): Promise<number | CouponRefusal | 'coupon_amount_zero'> {
  const coupon = await tx.maybeOne(sql.type(redeemable)`
    select ${columns} from coupons
    where merchant_id = ${session.merchant_id} and environment = ${session.environment}
      and compared_code = ${comparedCode(code)} and status = 'active'
  `);
  const refusal = coupon ? await refusalFor(tx, session, coupon, email) : 'coupon_invalid';
  if (!coupon || refusal) return refusal ?? 'coupon_invalid';
  if (isUnpayable(session, coupon)) return 'coupon_amount_zero';
  const amount = amountOf(session, coupon);
  await setCoupon(tx, session, { couponId: coupon.id, amount });
  return amount;
}

/**
 * Redeems the coupon of a session that is being claimed, before the session's state changes.
 * @param email the email of the click; null for the one that the customer has confirmed
 * @param isAtRail true if the rail already has the attempt, whose click may be lost: the remaining redemptions are then
 * checked only for a trial, whose amount does not show whether the coupon was redeemed
 * @returns the coupon; null for a session without one; `refused` if the coupon can no longer be redeemed: it is then
 * removed from the session, and the clicks that saw its amount are voided
 */
export async function redeem(
  tx: Transaction,
  session: LockedSession,
  email: string | null,
  isAtRail: boolean,
): Promise<StoredCoupon | null | 'refused'> {
  if (session.coupon_id === null) return null;
  const coupon = await couponOf(tx, session);
  if (isAtRail && !session.terms.price.recurring?.trial_period_days) return coupon;
  await waitForOthers(tx, session, coupon, email);
  if ((await refusalFor(tx, session, isAtRail ? withoutConditions(coupon) : coupon, email)) === null)
    return coupon;
  await dropCoupon(tx, session);
  if (isAtRail) return null;
  await voidClicks(tx, session.id);
  return 'refused';
}

/** Leaves only the limits on redemptions, which also count lost redemptions once they are adopted. */
function withoutConditions(coupon: Redeemable): Redeemable {
  return { ...coupon, valid_from: null, valid_until: null, status: 'active', first_purchase_only: false };
}

function couponOf(tx: Transaction, { coupon_id }: LockedSession): Promise<Redeemable> {
  return tx.one(sql.type(redeemable)`select ${columns} from coupons where id = ${coupon_id}`);
}

/**
 * Makes claims that count towards the same limit wait for each other, so that the next statement counts all of them.
 * The buyer's lock comes first, because the claim of a product with a limit per customer already holds it. Without a
 * limit, claims do not wait, because a popular coupon is redeemed by many buyers at once.
 */
async function waitForOthers(
  tx: Transaction,
  session: LockedSession,
  coupon: Redeemable,
  email: string | null,
): Promise<void> {
  if (coupon.first_purchase_only || coupon.max_per_customer !== null)
    await waitForBuyer(tx, session, [emailOf(sql.fragment`${session.customer_id}`, email)]);
  if (coupon.max_redemptions === null) return;
  await tx.query(
    sql.typeAlias('void')`select from coupons where id = ${session.coupon_id} for no key update`,
  );
}

/** Removes the coupon: the session charges its full price. */
export function dropCoupon(tx: Transaction, session: LockedSession): Promise<void> {
  return replaceCoupon(tx, session, null);
}

/** Sets another coupon, or none, without checking whether the session may use it. */
export function replaceCoupon(
  tx: Transaction,
  session: LockedSession,
  coupon: StoredCoupon | null,
): Promise<void> {
  return setCoupon(tx, session, { couponId: coupon?.id ?? null, amount: amountOf(session, coupon) });
}

/** Voids clicks made under other terms, even if the amount happens to be the same. */
async function voidClicks(tx: Transaction, checkoutId: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update clicks set not_after = least(not_after, service_clock()) where checkout_id = ${checkoutId}
  `);
}

/**
 * Sets the amount of a session that no longer offers a trial to its price less its coupon, and voids the clicks that
 * saw the trial.
 */
export async function priceAgain(tx: Transaction, checkoutId: string): Promise<void> {
  const session = await lockSession(tx, checkoutId);
  const coupon = await tx.maybeOne(sql.type(redeemable)`
    select ${columns} from coupons where id = ${session.coupon_id}
  `);
  await setCoupon(tx, session, { couponId: session.coupon_id, amount: amountOf(session, coupon) });
  await voidClicks(tx, checkoutId);
}

/** Returns the amount that the session charges: nothing in a trial. */
export function amountOf({ terms: { price }, quantity }: LockedSession, coupon: StoredCoupon | null): number {
  if (price.recurring?.trial_period_days) return 0;
  return priceTotal({ unitAmount: price.amount, quantity, coupon: coupon && deductionOf(coupon) });
}

/** True if the smallest quantity would cost nothing: no event would report such a one-time purchase as paid. */
function isUnpayable(session: LockedSession, coupon: StoredCoupon): boolean {
  const { price, product } = session.terms;
  const quantity = product.quantity?.min ?? session.quantity;
  return !price.recurring && amountOf({ ...session, quantity }, coupon) === 0;
}

async function setCoupon(
  tx: Transaction,
  { id }: LockedSession,
  { couponId, amount }: { readonly couponId: string | null; readonly amount: number },
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    with changed as (
      update checkouts set coupon_id = ${couponId}, amount = ${amount}, version = version + 1 where id = ${id}
      returning id
    )
    select pg_notify('checkout_changed', id) from changed
  `);
}

async function refusalFor(
  tx: Transaction,
  { merchant_id: merchantId, environment, customer_id: customerId, terms }: LockedSession,
  coupon: Redeemable,
  email: string | null,
): Promise<CouponRefusal | null> {
  // Counts redemptions only if the coupon limits them: a popular coupon without a limit has very many.
  const isLimited = coupon.max_redemptions !== null;
  const buyer = sameBuyer({ merchantId, environment }, sql.fragment`${customerId}`, email);
  const { now, redemptions, by_buyer, has_bought } = await tx.one(sql.type(facts)`
    with buyer (id) as materialized (${buyer})
    select service_clock() as now,
      (select count(*) from checkouts
        where ${isLimited} and coupon_id = ${coupon.id} and state not in ('created', 'failed')) as redemptions,
      (select count(*) from checkouts
        where coupon_id = ${coupon.id} and customer_id in (table buyer) and state not in ('created', 'failed'))
        as by_buyer,
      exists (select from payments where customer_id in (table buyer) and status not in ('failed', 'cancelled')
          and rail_account_id is not null)
        or exists (select from subscriptions where customer_id in (table buyer) and status not in ('incomplete', 'expired'))
        as has_bought
  `);
  const { first_purchase_only, valid_from, valid_until, max_redemptions, max_per_customer } = coupon;
  return refusalOfCoupon(
    {
      terms: termsOfCoupon(coupon),
      firstPurchaseOnly: first_purchase_only,
      validFrom: valid_from,
      validUntil: valid_until,
      maxRedemptions: max_redemptions,
      maxPerCustomer: max_per_customer,
      isStopped: coupon.status === 'stopped',
    },
    {
      productId: terms.product.id,
      now,
      redemptions,
      byCustomer: by_buyer,
      isFirstPurchase: !has_bought,
    },
  );
}
