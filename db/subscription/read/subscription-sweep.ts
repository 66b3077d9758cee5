/** Finds subscriptions whose workflow is missing or late, from rows alone (rules 16 and 27). */
import { z } from 'zod';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import { CURRENCIES } from '../../../domain/core/money.ts';
import { SUBSCRIPTION_STATUSES } from '../../../domain/subscription/subscription.ts';
import { camelCased, type Db, sql } from '../../core/pool.ts';
import { NOW } from '../../core/service-clock.ts';
import { UNPAID } from '../../invoice/unpaid.ts';
import { OPEN_STATUSES } from '../../payment/open-payment.ts';
import { BILLED } from '../core/billed-statuses.ts';
import { continues, endsUncharged, nextPeriodAt } from '../core/next-period.ts';

const startable = camelCased({
  id: z.string(),
  merchant_id: z.string(),
  environment: z.enum(ENVIRONMENTS),
  status: z.enum(SUBSCRIPTION_STATUSES),
  plan_name: z.string(),
  amount: z.number(),
  currency: z.enum(CURRENCIES),
  next_action_at: z.string(),
});
type StartableSubscription = z.infer<typeof startable>;

const startableColumns = sql.fragment`
  s.id, s.merchant_id, s.environment, s.status, plan.name as plan_name, s.amount, s.currency,
    coalesce(s.next_action_at, subscription_clock(s.id)) as next_action_at`;
const fromSubscriptions = sql.fragment`from subscriptions s join products plan on plan.id = s.product_id`;
const isStartable = sql.fragment`s.status in ${BILLED}`;

/** Returns subscriptions begun by a checkout, whose workflow may not exist. */
export function unstartedSubscriptions(db: Db, limit: number): Promise<readonly StartableSubscription[]> {
  return db.any(sql.type(startable)`
    select ${startableColumns} ${fromSubscriptions}
    where ${isStartable} and s.workflow_started_at is null order by s.id limit ${limit}
  `);
}

/**
 * Selects `id` and `since` (by the service's clock) of subscriptions that are late by their own clock. An index finds
 * those that use the service's clock; the few with their own clock, which runs ahead, are checked one by one. A clock
 * with a target must move immediately: if it does not, its workflow has lost the command.
 */
export function lateByOwnClock(minutes: number) {
  const overdue = sql.fragment`make_interval(mins => ${minutes})`;
  return sql.fragment`
    select id, min(since) as since from (
      select id, next_action_at as since from subscriptions
      where status in ${BILLED} and next_action_at < ${NOW} - ${overdue}
      union all
      select moved.id, moved.next_action_at - make_interval(secs => clock.ahead_ms::float8 / 1000)
      from subscription_clocks clock join subscriptions moved on moved.id = clock.subscription_id
      where moved.status in ${BILLED}
        and moved.next_action_at < subscription_clock(moved.id) - ${overdue}
      union all
      select moving.id, clock.moved_at
      from subscription_clocks clock join subscriptions moving on moving.id = clock.subscription_id
      where clock.target is not null and clock.moved_at < ${NOW} - ${overdue}
        and moving.status in ${BILLED} and not exists (
          select from invoices i join payments p on p.invoice_id = i.id
          where i.subscription_id = moving.id and p.status in ${OPEN_STATUSES})
    ) late group by id`;
}

export function findStartableSubscription(db: Db, id: string): Promise<StartableSubscription | null> {
  return db.maybeOne(sql.type(startable)`
    select ${startableColumns} ${fromSubscriptions} where ${isStartable} and s.id = ${id}
  `);
}

/**
 * Returns true if the charge with this id is claimed, or its workflow may claim it now by the subscription's clock. The
 * end of a last period, or of one that waits for its invoice, claims nothing.
 */
export function isChargeDue(db: Db, subscriptionId: string, paymentId: string): Promise<boolean> {
  return db.oneFirst(sql.type(z.object({ due: z.boolean() }))`
    select exists (select from payments where id = ${paymentId})
      or coalesce(least(
        case when ${continues} and not (s.next_period_waits
            and exists (select from invoices where subscription_id = s.id and status in ${UNPAID}))
          then ${nextPeriodAt(sql.fragment`s`)} end,
        case when not ${endsUncharged} then charge_at end) <= subscription_clock(id), false) as due
    from subscriptions s where id = ${subscriptionId}
  `);
}
