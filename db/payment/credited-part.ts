/**
 * The part of a payment that a change credited to its own invoice: refunding it too would return it twice. The invoice of
 * a change begins with its credit. A later change may have credited that credit again, and once its charge is refunded
 * completely, it no longer holds what the payments before it paid.
 */
import { sql } from '../core/pool.ts';

const creditOf = (invoice: string) =>
  sql.fragment`greatest(0, -(${sql.identifier([invoice, 'line_items'])} -> 0 ->> 'amount')::integer)`;

/** Selects the cents of payment `p`. */
export const creditedPart = sql.fragment`
  coalesce((
    select least(p.amount - p.refunded_amount, greatest(0, ${creditOf('next')} - ${creditOf('own')}))
    from invoices own cross join lateral (
      select i.line_items from invoices i join payments charge on charge.invoice_id = i.id
      where i.subscription_id = own.subscription_id and i.period_start > own.period_start
        and charge.status not in ('failed', 'cancelled', 'refunded')
      order by i.period_start limit 1
    ) next
    where own.id = p.invoice_id
  ), 0)`;
