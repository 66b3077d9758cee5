/** The parts of periods that a subscription's customer has paid, with their amounts, to credit the unused share. */
import { z } from 'zod';
import { sql, type Transaction } from '../../core/pool.ts';
import { creditOf } from '../../payment/credited-part.ts';
import { disputedPart } from '../../payment/disputed-part.ts';

const part = z.object({
  start: z.string(),
  end: z.string(),
  /** False while the part's charge is unpaid; a period that a coupon makes free has no charge. */
  is_settled: z.boolean(),
  paid: z.number(),
  credited: z.number(),
  tax_rate: z.number(),
  changed_at: z.string(),
});

/**
 * Returns the amounts charged here, less refunds and open or lost disputes, and the amounts that an import read as
 * paid, oldest first. Waits for a refund that is being created: otherwise a preview calculated without that refund
 * would not become outdated.
 */
export async function invoicedParts(
  tx: Transaction,
  subscriptionId: string,
): Promise<readonly z.infer<typeof part>[]> {
  await tx.query(sql.typeAlias('void')`
    select from payments p join invoices i on i.id = p.invoice_id
    where i.subscription_id = ${subscriptionId} order by p.id for share of p
  `);
  return tx.any(sql.type(part)`
    select i.period_start as start, i.period_end as end, p.id is not null or i.amount = 0 and i.status = 'created' as is_settled,
      coalesce(greatest(0, p.amount - p.refunded_amount - d.amount), 0) as paid, ${creditOf('i')} as credited,
      coalesce((i.line_items -> -1 ->> 'tax_rate')::float8, 0) as tax_rate,
      -- Refunds and disputes are not dated by the subscription's clock.
      greatest(i.updated_at, p.updated_at, clock.ahead + (
        select max(updated_at) from (
          select updated_at from disputes where payment_id = p.id
          union all select updated_at from refunds where payment_id = p.id) returned)) as changed_at
    from (select subscription_clock(${subscriptionId}) - service_clock() as ahead) clock
    cross join invoices i
    left join payments p on p.invoice_id = i.id and p.status in ('succeeded', 'partially_refunded', 'refunded')
    ${disputedPart}
    where i.subscription_id = ${subscriptionId} and i.period_start is not null and i.period_end is not null
    union all
    select (imported_period ->> 'start')::timestamptz, (imported_period ->> 'end')::timestamptz, true,
      (imported_period ->> 'paid')::integer, 0, (imported_period ->> 'tax_rate')::float8, created_at
    from subscriptions where id = ${subscriptionId} and imported_period is not null
    order by start
  `);
}
