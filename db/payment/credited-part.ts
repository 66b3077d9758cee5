/**
 * The part of a payment that a plan change has credited on its own invoice, which begins with that credit: refunding
 * this part too would return it twice. A later change may have credited it again. Once the charge for a change is
 * completely returned, by refunds or lost disputes, the change no longer holds any part of earlier payments.
 */
import { sql } from '../core/pool.ts';
import { disputedPart } from './disputed-part.ts';

/** Selects the cents that an invoice credits for earlier time. */
export const creditOf = (invoice: string) =>
  sql.fragment`greatest(0, -(${sql.identifier([invoice, 'line_items'])} -> 0 ->> 'amount')::integer)`;

/** Selects the credited part of payment `p`, in cents. */
export const creditedPart = sql.fragment`
  coalesce((
    select least(p.amount - p.refunded_amount, greatest(0, ${creditOf('next')} - ${creditOf('own')}))
    from invoices own cross join lateral (
      -- Within this subquery, \`p\` is the charge for the change.
      select i.line_items from invoices i join payments p on p.invoice_id = i.id ${disputedPart}
      where i.subscription_id = own.subscription_id and i.period_start > own.period_start
        and p.status not in ('failed', 'cancelled', 'refunded')
        -- A renewal credits nothing, and a later change credits part of the renewal.
        and (${creditOf('i')} = 0 or d.lost < p.amount - (
          select coalesce(sum(amount), 0) from refunds where payment_id = p.id and status = 'succeeded'))
      order by i.period_start limit 1
    ) next
    where own.id = p.invoice_id
  ), 0)`;
