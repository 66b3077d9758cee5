/** Rebuilds rows that a restored database has lost, for attempts that the rail knows (rule 29). */

import { z } from 'zod';
import { deductionOf } from '../../domain/catalogue/coupon.ts';
import { PAYMENT_STATUSES } from '../../domain/payment/payment.ts';
import { isRefundable } from '../../domain/refund/refund.ts';
import { priceTotal } from '../../domain/subscription/proration.ts';
import { isBilled } from '../../domain/subscription/subscription.ts';
import { couponAsJson, type StoredCoupon, storedCoupon } from '../catalogue/stored-coupon.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { claimAttempt } from '../session/claim-attempt.ts';
import { lockSession } from '../session/core/session-row.ts';
import { endTrialOffer, refusalOfBuyer } from '../session/once-per-customer.ts';
import { replaceCoupon } from '../session/redeem-coupon.ts';
import { cancelAtOnce } from '../subscription/cancel-subscription.ts';
import { claimCharge } from '../subscription/claim-charge.ts';
import { oldestUnpaidInvoice } from '../subscription/core/subscription-invoices.ts';
import { lockSubscription, saveSubscription } from '../subscription/core/subscription-row.ts';
import { draftOfWaiting } from '../subscription/core/waiting-change.ts';
import type { Difference } from './differences.ts';
import { adopting } from './fence.ts';

/**
 * Claims the session's next attempt again, marked as called because the rail has it: the workflow looks it up and never
 * sends it. Attempts with lower numbers, which the rail never received, end as cancelled.
 * @returns the claim's id for the workflow; null if the session cannot take an attempt now
 */
export async function adoptAttempt(
  pool: Pool,
  { ownerId, amount, quantity: listed, at }: Difference & { readonly ownerId: string },
): Promise<string | null> {
  const claimId = await pool.transaction(async (tx) => {
    await adopting(tx);
    const { quantity, coupon, isPrice } = await choiceBehind(tx, ownerId, { amount, listed, at });
    // A session that offers a trial is charged only after its buyer has accepted the price instead. A price of 0 counts
    // as accepted if, according to this copy, the buyer could not have the trial.
    if (amount > 0) await endTrialOffer(tx, ownerId);
    else if (isPrice) await refusalOfBuyer(tx, await lockSession(tx, ownerId), { email: null, card: null });
    if (coupon !== undefined) await replaceCoupon(tx, await lockSession(tx, ownerId), coupon);
    return tx.oneFirst(sql.type(z.object({ claim_id: z.string() }))`
      insert into clicks (claim_id, merchant_id, environment, checkout_id, method_type, quantity, not_after)
      select md5('restored ' || id || (select count(*) from payments where checkout_id = c.id))::uuid::text, merchant_id,
        environment, id, 'card', ${quantity}::int, service_clock() + interval '1 minute'
      from checkouts c
      where id = ${ownerId}
      on conflict (claim_id) do update set not_after = excluded.not_after
      returning claim_id
    `);
  });
  const answer = await claimAttempt(pool, { checkoutId: ownerId, claimId, isAtRail: true });
  if (answer.kind !== 'claimed') return null;
  await pool.transaction(async (tx) => {
    await adopting(tx);
    await tx.query(sql.typeAlias('void')`
      update payments set call_started_at = ${at}, call_deadline = greatest(service_clock(), ${at}::timestamptz + interval '1 hour')
      where id = ${answer.attemptId} and call_started_at is null
    `);
  });
  return claimId;
}

const offered = z.object({
  unit: z.number(),
  own: z.number(),
  least: z.number().nullable(),
  most: z.number().nullable(),
  is_trial: z.boolean(),
  coupon: storedCoupon.nullable(),
  others: z.array(storedCoupon),
});

interface Choice {
  /** Null if the buyer had no choice, or if the rail lists no quantity and no quantity costs this amount. */
  readonly quantity: number | null;
  /** Undefined for the session's own coupon; null for none. */
  readonly coupon: StoredCoupon | null | undefined;
  /** True if some quantity costs this amount, so that the amount need not be a trial's. */
  readonly isPrice: boolean;
}

/**
 * Derives the choices of the lost click from the quantity that the rail lists, or else from the amount that it charged.
 * If only the price without the session's coupon has this amount, the coupon was refused and the buyer accepted that
 * price. If only the price with one other coupon, which the page accepted at that time, has this amount, the buyer
 * entered that coupon.
 */
async function choiceBehind(
  tx: Transaction,
  checkoutId: string,
  { amount, listed, at }: Pick<Difference, 'amount' | 'at'> & { readonly listed: number | null },
): Promise<Choice> {
  const { unit, own, least, most, is_trial, coupon, others } = await tx.one(sql.type(offered)`
    select (terms #>> '{price,amount}')::int as unit, quantity as own, (terms #>> '{product,quantity,min}')::int as least,
      (terms #>> '{product,quantity,max}')::int as most,
      terms #>> '{price,recurring,trial_period_days}' is not null as is_trial,
      ${couponAsJson(sql.fragment`c.coupon_id`)} as coupon,
      array(select ${couponAsJson(sql.fragment`other.id`)} from coupons other
        where (c.terms ->> 'takes_codes')::boolean and other.id is distinct from c.coupon_id
          and other.merchant_id = c.merchant_id and other.environment = c.environment and other.status = 'active'
          and coalesce(other.valid_from <= ${at}::timestamptz + interval '1 hour', true)
          and coalesce(other.valid_until > ${at}::timestamptz - interval '1 hour', true)
          and (other.product_ids is null or c.product_id = any (other.product_ids))) as others
    from checkouts c where id = ${checkoutId}
  `);
  const sold: readonly (number | null)[] = most === null ? [null] : integersBetween(least ?? 1, most);
  const chosen = listed !== null && sold.includes(listed) ? listed : null;
  const choices = chosen === null ? sold : [chosen];
  const fitting = (reduction: StoredCoupon | null) =>
    choices.find((quantity) => {
      const deduction = reduction && deductionOf(reduction);
      return priceTotal({ unitAmount: unit, quantity: quantity ?? own, coupon: deduction }) === amount;
    });
  const known = [coupon, null].find((each) => fitting(each) !== undefined);
  // A trial costs nothing, whatever code the buyer entered.
  const entered = is_trial && amount === 0 ? [] : others.filter((each) => fitting(each) !== undefined);
  const used = known === undefined && entered.length === 1 ? entered[0] : known;
  if (used === undefined) return { quantity: chosen, coupon: undefined, isPrice: false };
  const isOwn = used?.id === coupon?.id;
  return { quantity: fitting(used) ?? chosen, coupon: isOwn ? undefined : used, isPrice: true };
}

function integersBetween(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, n) => first + n);
}

/**
 * Claims an attempt that was made on request or through a link, before the next retry is due. The next match marks its
 * call.
 * @returns false unless this is the next attempt of an unpaid invoice, or of a change that waits for its buyer
 */
export function adoptRequestedCharge(
  pool: Pool,
  subscriptionId: string,
  reference: string,
): Promise<boolean> {
  return inTransaction(pool, async (tx) => {
    await adopting(tx);
    const subscription = await lockSubscription(tx, subscriptionId);
    const invoice =
      (await draftOfWaiting(tx, subscriptionId)) ?? (await oldestUnpaidInvoice(tx, subscriptionId));
    if (!invoice || subscription.open_payment_id) return false;
    const isNext = await tx.exists(sql.typeAlias('void')`
      select from (select count(*)::int + 1 as no from payments where invoice_id = ${invoice.id}) attempt
      where period_payment_id(${subscriptionId}, ${invoice.period_start}, attempt.no) = ${reference}
    `);
    if (!isNext) return false;
    const paymentId = await claimCharge(tx, subscription, invoice, { byRequest: true });
    if (paymentId === null) return false;
    await saveSubscription(tx, subscription, { open_payment_id: paymentId });
    return true;
  });
}

const refunded = z.object({
  id: z.string(),
  status: z.enum(PAYMENT_STATUSES),
  left: z.number(),
});

export interface AdoptedRefund {
  /** False if the refund's payment is missing, or its status does not allow a refund. */
  readonly adopted: boolean;
  /** The subscription that the refund ended. */
  readonly ended: string | null;
}

/**
 * Rebuilds a refund with the mark of its call, and reserves its amount; its workflow looks it up. If the refund is the
 * return of an orphaned charge, the same transaction ends the subscription that the adopted charge began, because the
 * buyer's money was returned.
 */
export function adoptRefund(pool: Pool, difference: Difference): Promise<AdoptedRefund> {
  const { reference, accountId, paymentReference, amount, at } = difference;
  const isIts = sql.fragment`
    p.rail_account_id = ${accountId} and (p.id = ${paymentReference} or p.rail_order_id = ${paymentReference})`;
  return inTransaction(pool, async (tx) => {
    await adopting(tx);
    const begun = await tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
      select s.id from payments p join subscriptions s on s.checkout_id = p.checkout_id
      where ${isIts} and p.id || '-return' = ${reference}
    `);
    // Lock order: the subscription first.
    const subscription = begun ? await lockSubscription(tx, begun) : null;
    const payment = await tx.maybeOne(sql.type(refunded)`
      select p.id, p.status, p.amount - p.refunded_amount as left from payments p where ${isIts} for update
    `);
    if (!payment || !isRefundable(payment.status) || payment.left < amount)
      return { adopted: false, ended: null };
    await tx.query(sql.typeAlias('void')`
      update payments set refunded_amount = refunded_amount + ${amount} where id = ${payment.id}
    `);
    await tx.query(sql.typeAlias('void')`
      insert into refunds (id, merchant_id, environment, payment_id, order_id, rail_account_id, operation_id, amount,
        currency, call_started_at, call_deadline)
      select ${reference}, merchant_id, environment, id, order_id, rail_account_id, ${`restored:${reference}`},
        ${amount}, currency, ${at}, service_clock()
      from payments where id = ${payment.id}
    `);
    if (!subscription || !isBilled(subscription.status)) return { adopted: true, ended: null };
    await cancelAtOnce(tx, subscription);
    return { adopted: true, ended: begun };
  });
}
