/** Reports a price move's effect: counts, a sample with old and new totals, and why some subscribers are not moved. */
import { z } from 'zod';
import {
  type PriceMoveReport,
  priceMoveCounts,
  priceMoveRefusal,
} from '../../contract/subscription/price-moves.ts';
import { periodFrom } from '../../domain/core/calendar.ts';
import type { CheckedMove } from '../catalogue/price-moves.ts';
import { couponAsJson, storedCoupon } from '../catalogue/stored-coupon.ts';
import { type Db, sql } from '../core/pool.ts';
import { isoInstant } from '../core/service-clock.ts';
import { noticeOfMove, refusalOfMove } from './announce-price-move.ts';
import { BILLED } from './core/billed-statuses.ts';
import { nextPeriodAt } from './core/next-period.ts';
import { type CouponColumns, couponOn, renewalTotal } from './core/subscription-row.ts';

/** Maximum number of subscribers counted for each of the two prices; counting 200,000 took half a second. */
const MOST_COUNTED = 100_000;
const MOST_IN_SAMPLE = 10;
const MOST_REFUSALS = 100;

const subscriber = z.object({
  subscription_id: z.string(),
  customer: z.object({
    id: z.string(),
    external_customer_id: z.string().nullable(),
    email: z.string().nullable(),
  }),
  product_id: z.string(),
  quantity: z.number(),
  old_unit: z.number(),
  new_unit: z.number(),
  coupon: storedCoupon.nullable(),
  coupon_used_periods: z.number(),
  cycles_left: z.number().nullable(),
  /** When the next period begins; null during a pause without a date. */
  next_at: z.string().nullable(),
  anchor: z.string().nullable(),
  interval: z.enum(['day', 'week', 'month', 'year']),
  interval_count: z.number(),
  moves_from: z.string(),
});
type Subscriber = z.infer<typeof subscriber>;

const report = z.object({
  currency: z.string(),
  counts: priceMoveCounts,
  sample: z.array(subscriber),
  refusals: z.array(priceMoveRefusal),
});

/** @param move has no id before it is created */
export async function reportPriceMove(
  db: Db,
  move: CheckedMove & { readonly id?: string; readonly status?: 'active' | 'cancelled' },
): Promise<PriceMoveReport> {
  const { sample, ...counted } = await db.one(sql.type(report)`
    with move as materialized (
      select ${move.id ?? ''}::text as id, ${move.from}::timestamptz as from_at, ${move.notice_days}::int as notice_days
    ), subscribers as materialized (
      (select s.id, s.customer_id, case when refusal is not null then 'refused'
        when s.price_move_id = move.id then 'announced' else 'waiting' end as state, refusal
      from move
      join prices new_price on new_price.id = ${move.new_price_id}
      join subscriptions s on s.price_id = ${move.old_price_id}
      cross join lateral (select ${refusalOfMove} as refusal) r
      where s.environment = ${move.environment} and s.status in ${BILLED} and ${move.status !== 'cancelled'}
      limit ${MOST_COUNTED})
      union all
      (select s.id, s.customer_id, 'moved', null
      from move join subscriptions s on s.price_id = ${move.new_price_id} and s.price_move_id = move.id
      where s.environment = ${move.environment} and s.status in ${BILLED}
      limit ${MOST_COUNTED})
    )
    select jsonb_build_object(
        'announced', count(*) filter (where state = 'announced'),
        'waiting', count(*) filter (where state = 'waiting'),
        'moved', count(*) filter (where state = 'moved'),
        'refused', count(*) filter (where state = 'refused')) as counts,
      coalesce((select jsonb_agg(to_jsonb(listed) order by subscription_id) from (
        select s.id as subscription_id,
          jsonb_build_object('id', u.id, 'external_customer_id', u.external_customer_id, 'email', u.email) as customer,
          s.product_id, coalesce(change.quantity, s.quantity) as quantity, old_price.amount as old_unit,
          new_price.amount as new_unit, ${couponAsJson(sql.fragment`s.coupon_id`)} as coupon, s.coupon_used_periods,
          s.billing_cycles_left as cycles_left, ${isoInstant(nextPeriodAt(sql.fragment`s`))} as next_at,
          ${isoInstant(sql.fragment`case when s.status = 'paused' or s.pause_at_period_end then s.resumes_at else s.billing_anchor end`)}
            as anchor, new_price.interval, coalesce(new_price.interval_count, 1) as interval_count,
          ${isoInstant(sql.fragment`case when s.price_move_id = move.id then s.price_moves_from else ${noticeOfMove} end`)}
            as moves_from
        from (
          select id from subscribers where state in ('announced', 'waiting') order by id limit ${MOST_IN_SAMPLE}
        ) sampled
        join subscriptions s on s.id = sampled.id
        cross join move
        join prices old_price on old_price.id = ${move.old_price_id}
        join prices new_price on new_price.id = ${move.new_price_id}
        join customers u on u.id = s.customer_id
        left join subscription_changes change on change.subscription_id = s.id and change.status = 'scheduled'
        ) listed), '[]') as sample,
      coalesce((select jsonb_agg(jsonb_build_object('subscription_id', id, 'customer_id', customer_id, 'code', refusal)
        order by id) from (
          select id, customer_id, refusal from subscribers where state = 'refused' order by id limit ${MOST_REFUSALS}
        ) listed), '[]') as refusals,
      (select currency from prices where id = ${move.new_price_id}) as currency
    from subscribers
  `);
  return { ...counted, sample: sample.map(previewed) };
}

function previewed(of: Subscriber): PriceMoveReport['sample'][number] {
  const { subscription_id, customer, product_id, quantity, old_unit, new_unit } = of;
  const renewal = firstRenewalOf(of);
  const totalAt = (unit: number) =>
    renewalTotal({ product_id, ...(renewal ?? of) }, { planId: product_id, amount: unit * quantity });
  return {
    subscription_id,
    customer,
    at: renewal?.at ?? null,
    old_total: totalAt(old_unit),
    new_total: totalAt(new_unit),
  };
}

/**
 * Returns the first renewal to which the move applies, with the coupon that is left by then; null if there will be
 * none, or during a pause without a date.
 */
function firstRenewalOf(of: Subscriber): (CouponColumns & { readonly at: string }) | null {
  const { product_id, quantity, old_unit, interval, interval_count, moves_from } = of;
  let { next_at: at, anchor, cycles_left: left, coupon, coupon_used_periods } = of;
  if (at === null || anchor === null) return null;
  while (at < moves_from && left !== 0) {
    const before = { product_id, coupon, coupon_used_periods };
    const isFree = renewalTotal(before, { planId: product_id, amount: old_unit * quantity }) === 0;
    if (left !== null && !isFree) left -= 1;
    ({ coupon, coupon_used_periods } = couponOn(before, product_id, { beginsPeriod: true }));
    ({ end: at, anchor } = periodFrom(anchor, at, interval, interval_count));
  }
  return left === 0 ? null : { at, coupon, coupon_used_periods };
}
