/** Row counts of one merchant in some environments, by kind. */
import { z } from 'zod';
import type { Environment } from '../../domain/core/environment.ts';
import { type Db, sql } from '../core/pool.ts';

const counters = z.object({
  orders: z.number(),
  payments: z.number(),
  invoices: z.number(),
  /** Null if the merchant lacks the subscriptions capability. */
  subscriptions: z.number().nullable(),
});
export type BillingCounters = z.infer<typeof counters>;

export function countBilling(
  db: Db,
  merchantId: string,
  environments: readonly Environment[],
): Promise<BillingCounters> {
  const ofScope = sql.fragment`
    where merchant_id = ${merchantId} and environment = any(${sql.array([...environments], 'text')})`;
  return db.one(sql.type(counters)`
    select
      (select count(*) from orders ${ofScope}) as orders,
      (select count(*) from payments ${ofScope}) as payments,
      (select count(*) from invoices ${ofScope}) as invoices,
      case when m.subscriptions_enabled then (select count(*) from subscriptions ${ofScope}) end as subscriptions
    from merchants m
    where m.id = ${merchantId}
  `);
}
