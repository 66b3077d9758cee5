/** Finds the plan and quantity that a change names, and why the subscription cannot change to them. */
import { z } from 'zod';
import { MAX_CENTS } from '../../domain/core/money.ts';
import type { WantedChange } from '../../domain/subscription/operations.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { BILLED } from './core/billed-statuses.ts';
import { isOrEntersSameGroup, waitForBuyer } from './core/per-customer.ts';
import { type OperationRefusal, type Refused, refused } from './core/subscription-operations.ts';
import type { LockedSubscription } from './core/subscription-row.ts';

const target = z.object({
  plan_id: z.string().nullable(),
  offering_id: z.string().nullable(),
  /** The requested offering, if it exists and is active; null when none was requested. */
  offering_exists: z.boolean().nullable(),
  price_id: z.string().nullable(),
  billing_mode: z.enum(['one_time', 'recurring']).nullable(),
  currency: z.string().nullable(),
  amount: z.number().nullable(),
  interval: z.enum(['day', 'week', 'month', 'year']).nullable(),
  interval_count: z.number(),
  tax_rate: z.number().nullable(),
  /** When the price last became active, by the subscription's clock. */
  priced_at: z.string().nullable(),
  quantity_min: z.number(),
  quantity_max: z.number(),
  /** True for another plan that is limited to one subscription per customer. */
  is_one_of_its_kind: z.boolean(),
});
export interface Target extends z.infer<typeof target> {
  readonly quantity: number;
}

/**
 * Returns the target of the change, or why the change is refused. Concurrent claims by the same customer wait for this
 * transaction.
 */
export async function chooseTarget(
  tx: Transaction,
  subscription: LockedSubscription,
  wanted: WantedChange,
): Promise<Target | Refused> {
  const found = await findTarget(tx, subscription, wanted);
  const refusal = refusalOfTarget(subscription, wanted, found);
  if (refusal) return refused(refusal);
  return found.is_one_of_its_kind && (await hasAnother(tx, subscription, found))
    ? refused('subscription_exists')
    : found;
}

/** Counts purchases that are being paid and open changes too: otherwise only the first of two could be applied. */
async function hasAnother(
  tx: Transaction,
  subscription: LockedSubscription,
  { plan_id, offering_id }: Target,
): Promise<boolean> {
  await waitForBuyer(tx, subscription);
  return tx.exists(sql.typeAlias('void')`
    select from subscriptions s cross join (select ${plan_id}::text as id, ${offering_id}::text as offering_id) product
    where s.customer_id = ${subscription.customer_id} and s.id <> ${subscription.id} and ${isOrEntersSameGroup}
      and (s.status in ${BILLED} or s.status = 'incomplete' and exists (
        select from checkouts where id = s.checkout_id and state not in ('created', 'failed')))
  `);
}

async function findTarget(
  tx: Transaction,
  subscription: LockedSubscription,
  wanted: WantedChange,
): Promise<Target> {
  const keepsPlan = wanted.type === 'quantity_change';
  const { id, merchant_id, product_id, price_id, offering_id } = subscription;
  const planId = keepsPlan ? product_id : wanted.targetPlanId;
  const offeringId = keepsPlan ? null : wanted.targetOfferingId;
  const found = await tx.one(sql.type(target)`
    select plan.id as plan_id, case when plan.id = ${product_id} then ${offering_id}::text else plan.offering_id end as offering_id,
      coalesce(plan.quantity_min, 1) as quantity_min, coalesce(plan.quantity_max, 1) as quantity_max,
      price.id as price_id, price.billing_mode,
      price.currency, price.amount, price.interval, coalesce(price.interval_count, 1) as interval_count,
      coalesce(plan.one_subscription_per_customer and plan.id <> ${product_id}, false) as is_one_of_its_kind,
      price.tax_rate, price.activated_at + (subscription_clock(${id}) - service_clock()) as priced_at,
      case when ${offeringId}::text is not null then offering.id is not null end as offering_exists
    from (select) nothing
    left join products plan
      on plan.id = ${planId} and plan.merchant_id = ${merchant_id} and (${keepsPlan} or plan.status = 'active')
    left join prices price on price.product_id = plan.id
      and case when ${keepsPlan} then price.id = ${price_id} else price.status = 'active' end
    left join offerings offering on offering.id = ${offeringId}
      and offering.merchant_id = ${merchant_id} and offering.status = 'active'
  `);
  return { ...found, quantity: keepsPlan ? wanted.quantity : subscription.quantity };
}

/**
 * Returns why the subscription cannot change to the target. A plan change must stay within the offering, to which the
 * current plan always counts as belonging; a plan without an offering can be left only by an offering change. The
 * target must be sold in this quantity.
 */
function refusalOfTarget(
  subscription: LockedSubscription,
  wanted: WantedChange,
  found: Target,
): OperationRefusal | null {
  if (wanted.type === 'quantity_change') {
    if (found.quantity === subscription.quantity) return 'quantity_unchanged';
    return isSold(found) ? null : 'subscription_quantity_invalid';
  }
  const { type, targetPlanId, targetOfferingId } = wanted;
  if (found.offering_exists === false) return 'offering_not_found';
  if (found.plan_id === null) return 'plan_not_found';
  const movesPrice = type === 'plan_change' && targetPlanId === subscription.product_id;
  if (targetPlanId === subscription.product_id && !(movesPrice && found.price_id !== subscription.price_id))
    return 'plan_unchanged';
  if (found.billing_mode !== 'recurring' || found.currency !== subscription.currency)
    return 'plan_incompatible';
  if (found.interval === null) return 'recurring_price_interval_missing';
  if (type === 'offering_change' && targetOfferingId === subscription.offering_id)
    return 'offering_unchanged';
  const offeringId = type === 'plan_change' ? subscription.offering_id : targetOfferingId;
  const isOfOffering = movesPrice || (offeringId !== null && found.offering_id === offeringId);
  return isOfOffering && isSold(found) ? null : 'plan_incompatible';
}

/** Returns whether the quantity is within the plan's bounds, and the price of a period at most `MAX_CENTS`. */
function isSold({ quantity, quantity_min, quantity_max, amount }: Target): boolean {
  return quantity >= quantity_min && quantity <= quantity_max && (amount ?? 0) * quantity <= MAX_CENTS;
}
