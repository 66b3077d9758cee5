/** Facts that the hosted page of a method change shows in addition to the session `c`. */
import { z } from 'zod';
import { sql } from '../core/pool.ts';
import { UNPAID } from '../invoice/unpaid.ts';
import { FINISHED } from '../subscription/core/billed-statuses.ts';
import { continues, nextPeriodAt } from '../subscription/core/next-period.ts';
import { renewalTerms, renewalTotalAt, selectRenewalTerms } from '../subscription/core/next-renewal.ts';

export const methodChangeFacts = z.object({
  current: z.object({ brand: z.string().nullable(), last4: z.string().nullable() }).nullable(),
  /** The unpaid amount, in cents, that the new method will be charged. */
  due: z.number(),
  /** The charge after the current period; null if the subscription then ends, or pauses without an end date. */
  next: z
    .object({
      at: z.string().transform((at) => new Date(at).toISOString()),
      terms: renewalTerms,
      interval: z.enum(['day', 'week', 'month', 'year']),
      interval_count: z.number(),
    })
    .transform(({ at, terms, interval, interval_count }) => ({
      amount: renewalTotalAt(terms, at),
      interval,
      interval_count,
    }))
    .nullable(),
  period_end: z.string().transform((at) => new Date(at).toISOString()),
  /** True if the subscription is paused, or will be at the end of the period, without an end date. */
  pauses: z.boolean(),
  /** True if a newer method change replaced this one, or the subscription has ended. */
  over: z.boolean(),
});

/** True if unpaid invoices are not charged with the new method either; otherwise they are charged immediately. */
const staysUncharged = sql.fragment`(s.charging_stopped_at is not null or s.cancel_requested_at is not null
  or s.cancel_at_period_end and not s.collects and s.dunning is not null)`;

export const selectMethodChangeFacts = sql.fragment`(
  select jsonb_build_object(
    'current', s.payment_method,
    'due', (select coalesce(sum(i.amount_due), 0) from invoices i
      where i.subscription_id = s.id and i.status in ${UNPAID} and not ${staysUncharged}),
    'next', case when ${continues} and ${nextPeriodAt(sql.fragment`s`)} is not null then jsonb_build_object(
      'at', ${nextPeriodAt(sql.fragment`s`)}, 'terms', ${selectRenewalTerms},
      'interval', price.interval,
      'interval_count', coalesce(price.interval_count, 1)) end,
    'period_end', coalesce(${nextPeriodAt(sql.fragment`s`)}, s.current_period_end),
    'pauses', ${continues} and ${nextPeriodAt(sql.fragment`s`)} is null,
    'over', s.status in ${FINISHED} or s.newest_method_change_id <> c.id)
  from subscriptions s
  left join subscription_changes change on change.subscription_id = s.id and change.status = 'scheduled'
  join prices price on price.id = coalesce(change.target_price_id, s.price_id)
  where s.id = c.subscription_id and c.invoice_id is null)`;
