/** Dashboard figures for one merchant and environment: 60 days of payments and sessions, read by time. */
import { z } from 'zod';
import { type Overview, overview } from '../../contract/merchant/overview.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { DEFAULT_CURRENCY } from '../../domain/core/money.ts';
import { type Db, type Fragment, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { IS_SLOW } from '../webhook/endpoint-failure.ts';

/** Excludes the card checks of 0 cents at the start of a trial or a method change. */
export const PAID = sql.fragment`status in ('succeeded', 'partially_refunded', 'refunded') and amount > 0`;
/** The currency of all sums; counts of checkouts, declines and subscriptions cover all currencies. */
const CURRENCY = DEFAULT_CURRENCY;

/**
 * The deduction of coupon `k` from the next period of subscription `s`, as in `deductedFrom`
 * (domain/catalogue/coupon.ts).
 */
const NEXT_DISCOUNT = sql.fragment`case
  when k.duration <> 'forever' and s.coupon_used_periods >= coalesce(k.periods, 1) or k.id is null then 0
  when k.amount is not null then least(k.amount, s.amount)
  else (s.amount::bigint * k.percent + 50) / 100 end`;

/** Reads the figures. Days are days of the merchant's time zone. */
export async function readOverview(db: Db, scope: Scope): Promise<Overview> {
  // One query at a time: each can take a second, and buyers' requests use the same pool.
  const payments = await paymentNumbers(db, scope);
  const rest = await otherNumbers(db, scope);
  return { currency: CURRENCY, ...payments, ...rest };
}

const {
  time_zone,
  today,
  last_30_days,
  previous_30_days,
  days,
  declines,
  checkouts,
  subscriptions,
  attention,
} = overview.shape;

function paymentNumbers(db: Db, { merchantId, environment }: Scope) {
  return db.one(sql.type(z.object({ time_zone, today, last_30_days, previous_30_days, days, declines }))`
    with clock as (
      select time_zone, date_trunc('day', service_clock() at time zone time_zone) as midnight
      from merchants where id = ${merchantId}
    ),
    recent as materialized (
      select status, currency, amount, refunded_amount, failure_code,
        (midnight::date - (p.created_at at time zone time_zone)::date) as days_ago
      from payments p, clock
      where merchant_id = ${merchantId} and environment = ${environment}
        and unix_ms(p.created_at) >= unix_ms((midnight - interval '59 days') at time zone time_zone)
        -- A sandbox clock can date payments in the future.
        and unix_ms(p.created_at) <= unix_ms(${NOW})
    ),
    by_day as (
      select days_ago, count(*) as count, coalesce(sum(amount), 0)::bigint as amount,
        coalesce(sum(refunded_amount), 0)::bigint as refunded
      from recent where ${PAID} and currency = ${CURRENCY} group by days_ago
    )
    select (select time_zone from clock) as time_zone,
      ${salesOf(sql.fragment`days_ago = 0`)} as today,
      ${salesOf(sql.fragment`days_ago < 30`)} as last_30_days,
      ${salesOf(sql.fragment`days_ago >= 30`)} as previous_30_days,
      (select jsonb_agg(jsonb_build_object('day', to_char(midnight - make_interval(days => ago), 'YYYY-MM-DD'),
          'count', coalesce(d.count, 0), 'amount', coalesce(d.amount, 0)) order by ago desc)
        from clock, generate_series(0, 59) ago left join by_day d on d.days_ago = ago) as days,
      coalesce((select jsonb_agg(jsonb_build_object('failure_code', failure_code, 'count', count) order by count desc)
        from (select failure_code, count(*) as count from recent where status = 'failed' and days_ago < 30
          group by failure_code order by count desc limit 6) f), '[]') as declines`);
}

function salesOf(when: Fragment) {
  return sql.fragment`(
    select jsonb_build_object('count', coalesce(sum(count), 0)::bigint, 'amount', coalesce(sum(amount), 0)::bigint,
      'refunded', coalesce(sum(refunded), 0)::bigint)
    from by_day where ${when})`;
}

function otherNumbers(db: Db, { merchantId, environment }: Scope) {
  const ofScope = sql.fragment`merchant_id = ${merchantId} and environment = ${environment}`;
  return db.one(sql.type(z.object({ checkouts, subscriptions, attention }))`
    select
      (select jsonb_build_object('created', count(*), 'paid', count(*) filter (where state = 'succeeded'))
        from checkouts
        where ${ofScope} and purpose = 'purchase' and state in ('succeeded', 'failed')
          and id >= 'ap_chk_' || lpad(to_hex(unix_ms(${NOW} - interval '30 days')), 12, '0')) as checkouts,
      (select jsonb_build_object('active', count(*) filter (where s.status = 'active'),
          'trialing', count(*) filter (where s.status = 'trialing'),
          'past_due', count(*) filter (where s.status = 'past_due'),
          'monthly_amount', coalesce(round(sum((s.amount - ${NEXT_DISCOUNT}) / p.interval_count::numeric
            * case p.interval when 'day' then 30.4375 when 'week' then 4.348214 when 'month' then 1 else 1.0 / 12 end
          ) filter (where s.status = 'active' and not s.ends_with_period and not s.pause_at_period_end
            and s.currency = ${CURRENCY})), 0)::bigint)
        from subscriptions s join prices p on p.id = s.price_id left join coupons k on k.id = s.coupon_id
        where s.merchant_id = ${merchantId} and s.environment = ${environment}
          and s.status in ('active', 'trialing', 'past_due')) as subscriptions,
      jsonb_build_object(
        'disputes_open', (select count(*) from disputes where ${ofScope} and status = 'open'),
        'declines_above_limit', (select count(*) from card_declines
          where ${ofScope} and passing_since is not null and at > ${NOW} - interval '10 minutes'),
        'unconfirmed_payments', (select count(*) from checkouts where ${ofScope} and state = 'reconciliation_required'),
        'endpoints_disabled', (select count(*) from webhook_endpoints where ${ofScope} and status = 'disabled'),
        'endpoints_failing', (select count(*) from webhook_endpoints
          where ${ofScope} and (status = 'enabled' and failing_since is not null or ${IS_SLOW})),
        'deliveries_exhausted', (select count(*) from deliveries d join webhook_endpoints e on e.id = d.endpoint_id
          where e.merchant_id = ${merchantId} and e.environment = ${environment} and e.status <> 'deleted'
            and d.status = 'exhausted'),
        'rail_account', coalesce((select status from rail_accounts where ${ofScope}
          order by status <> 'disabled' desc, created_at desc limit 1), 'missing')
      ) as attention`);
}
