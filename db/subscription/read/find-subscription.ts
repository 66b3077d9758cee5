/** Subscriptions as the API shows them. */
import { z } from 'zod';
import { subscription, subscriptionChange } from '../../../contract/subscription/resources.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import { type Db, sql } from '../../core/pool.ts';
import { isoInstant } from '../../core/service-clock.ts';
import { isWithinCents } from '../core/announced-price-move.ts';
import { BILLED, FINISHED } from '../core/billed-statuses.ts';

const changeObject = sql.fragment`jsonb_build_object('action_id', change.id, 'type', change.type,
  'status', change.status, 'link', case when change.status = 'requires_action' then (
    select jsonb_build_object('page_token', encode(c.page_token, 'hex'), 'page_token_hash', encode(c.page_token_hash, 'hex'))
    from checkouts c where c.invoice_id = change.invoice_id) end, 'target_plan_id', change.target_plan_id,
  'target_offering_id', change.target_offering_id, 'quantity', change.quantity, 'effective_at',
  ${isoInstant(sql.fragment`change.effective_at`)})`;

const bytes = z.string().transform((hex) => Buffer.from(hex, 'hex'));

/** A change as stored: with the encrypted token of its page instead of the page's URL. */
export const storedChange = subscriptionChange
  .omit({ hostedUrl: true })
  .extend({ link: z.object({ page_token: bytes, page_token_hash: bytes }).nullable() });
export type StoredChange = z.infer<typeof storedChange>;
export const storedSubscription = subscription.extend({ change: storedChange.nullable() });
export type StoredSubscription = z.infer<typeof storedSubscription>;

/** Selects all columns of the resource; `change` is the latest change, whatever its status. */
export const selectSubscriptions = sql.fragment`
  select s.id, s.customer_id, s.product_id, jsonb_build_object('id', plan.id, 'name', plan.name) as plan, s.price_id,
    case when offering.id is not null
      then jsonb_build_object('id', offering.id, 'name', offering.name) end as offering,
    s.status, s.current_period_start, s.current_period_end, s.trial_start, s.trial_end, s.amount, s.quantity, s.currency,
    s.payment_method, s.cancel_at_period_end, s.pause_at_period_end,
    case when not s.cancel_at_period_end then s.resumes_at end as resumes_at, s.cancelled_at,
    case when s.status not in ${FINISHED} then s.billing_cycles_left end as billing_cycles_left,
    case when s.ends_with_period and s.status in ${BILLED} then s.current_period_end end as ends_at,
    case when k.id is not null then jsonb_build_object('id', k.id, 'code', k.code, 'percent', k.percent,
      'amount', k.amount, 'periods_left', case when k.duration <> 'forever'
        then coalesce(k.periods, 1) - s.coupon_used_periods end) end as coupon,
    case when new_price.id is not null and s.status in ${BILLED} then jsonb_build_object('id', move.id,
      'amount', new_price.amount * s.quantity,
      'from', ${isoInstant(sql.fragment`s.price_moves_from`)}) end as price_move,
    (select ${changeObject} from subscription_changes change
      where change.subscription_id = s.id order by change.id desc limit 1) as change
  from subscriptions s
  join products plan on plan.id = s.product_id
  left join offerings offering on offering.id = s.offering_id
  left join coupons k on k.id = s.coupon_id
  left join price_moves move on move.id = s.price_move_id and s.price_moves_from is not null and move.cancelled_at is null
  left join prices new_price on new_price.id = move.new_price_id and ${isWithinCents}`;

export function findSubscription(
  db: Db,
  { merchantId, environment }: Scope,
  id: string,
): Promise<StoredSubscription | null> {
  return db.maybeOne(sql.type(storedSubscription)`
    ${selectSubscriptions}
    where s.id = ${id} and s.merchant_id = ${merchantId} and s.environment = ${environment}
  `);
}

export function findSubscriptionChange(
  db: Db,
  { merchantId, environment }: Scope,
  subscriptionId: string,
  changeId: string,
) {
  return db.maybeOneFirst(sql.type(z.object({ change: storedChange }))`
    select ${changeObject} as change
    from subscription_changes change
    join subscriptions s on s.id = change.subscription_id
    where change.id = ${changeId} and s.id = ${subscriptionId} and s.merchant_id = ${merchantId}
      and s.environment = ${environment}
  `);
}
