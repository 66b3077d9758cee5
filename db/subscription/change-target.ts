/** Finds the plan that a change names, and why the subscription cannot change to it. */
import { z } from 'zod';
import { sql, type Transaction } from '../core/pool.ts';
import type { OperationRefusal } from './subscription-operations.ts';
import type { LockedSubscription } from './subscription-row.ts';

export interface WantedChange {
  readonly type: 'plan_change' | 'offering_change';
  readonly targetPlanId: string;
  /** Null except for offering changes. */
  readonly targetOfferingId: string | null;
}

const target = z.object({
  offering_id: z.string().nullable(),
  /** The requested offering, if it exists and is active; null when none was requested. */
  offering_exists: z.boolean().nullable(),
  plan_exists: z.boolean(),
  price_id: z.string().nullable(),
  billing_mode: z.enum(['one_time', 'recurring']).nullable(),
  currency: z.string().nullable(),
  amount: z.number().nullable(),
  interval: z.enum(['day', 'week', 'month', 'year']).nullable(),
  interval_count: z.number(),
  tax_rate: z.number().nullable(),
  /** When the price was created, by the subscription's clock. */
  priced_at: z.string().nullable(),
});
export type Target = z.infer<typeof target>;

export function findTarget(
  tx: Transaction,
  { id, merchant_id }: LockedSubscription,
  { targetPlanId, targetOfferingId }: WantedChange,
): Promise<Target> {
  return tx.one(sql.type(target)`
    select plan.offering_id, plan.id is not null as plan_exists, price.id as price_id, price.billing_mode,
      price.currency, price.amount, price.interval, coalesce(price.interval_count, 1) as interval_count,
      price.tax_rate, price.created_at + (subscription_clock(${id}) - service_clock()) as priced_at,
      case when ${targetOfferingId}::text is not null then offering.id is not null end as offering_exists
    from (select) nothing
    left join products plan
      on plan.id = ${targetPlanId} and plan.merchant_id = ${merchant_id} and plan.status = 'active'
    left join prices price on price.product_id = plan.id and price.status = 'active'
    left join offerings offering on offering.id = ${targetOfferingId}
      and offering.merchant_id = ${merchant_id} and offering.status = 'active'
  `);
}

/**
 * Returns why the subscription cannot change to the plan. A plan change must stay within the offering; a plan without
 * an offering can be left only by an offering change.
 */
export function refusalOfTarget(
  subscription: LockedSubscription,
  { type, targetPlanId, targetOfferingId }: WantedChange,
  found: Target,
): OperationRefusal | null {
  if (found.offering_exists === false) return 'offering_not_found';
  if (!found.plan_exists) return 'plan_not_found';
  if (targetPlanId === subscription.product_id) return 'plan_unchanged';
  if (found.billing_mode !== 'recurring' || found.currency !== subscription.currency)
    return 'plan_incompatible';
  if (found.interval === null) return 'recurring_price_interval_missing';
  if (type === 'offering_change' && targetOfferingId === subscription.offering_id)
    return 'offering_unchanged';
  const offeringId = type === 'plan_change' ? subscription.offering_id : targetOfferingId;
  return offeringId === null || found.offering_id !== offeringId ? 'plan_incompatible' : null;
}
