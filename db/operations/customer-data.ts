/** Shared by the export and the erasure of a customer's data. */

import { z } from 'zod';
import type { AuditAction } from '../../contract/merchant/audit.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Db, sql, type Transaction } from '../core/pool.ts';

export class CustomerRefusal extends Error {
  override readonly name = 'CustomerRefusal';
}

export class CustomerUnknown extends CustomerRefusal {}

const owner = z.object({ id: z.string(), merchant_id: z.string(), environment: z.string() });
export type Owner = z.infer<typeof owner>;

/** @throws CustomerUnknown */
export async function findCustomer(db: Db, id: string): Promise<Owner> {
  const found = await db.maybeOne(sql.type(owner)`
    select id, merchant_id, environment from customers where id = ${id}`);
  if (!found) throw new CustomerUnknown(`No customer has the id ${id}: look it up with "search <email>".`);
  return found;
}

/**
 * Selects all payments of a customer: purchases, renewals, and payments of 0 cents, which set up a payment method and
 * have no order.
 */
export const paymentsOf = (id: string) => sql.fragment`(
  select * from payments where id in (
    select p.id from payments p join checkouts c on c.id = p.checkout_id where c.customer_id = ${id}
    union all select p.id from payments p join orders o on o.id = p.order_id where o.customer_id = ${id})
)`;

/** Selects the ids of the customer's sessions, orders, payments, subscriptions, invoices, refunds and disputes. */
export const aggregatesOf = (id: string) => sql.fragment`(
  select id from checkouts where customer_id = ${id}
  union all select id from orders where customer_id = ${id}
  union all select id from subscriptions where customer_id = ${id}
  union all select id from invoices where customer_id = ${id}
  union all select id from credit_notes where customer_id = ${id}
  union all select id from ${paymentsOf(id)} payment
  union all select r.id from refunds r join ${paymentsOf(id)} p on p.id = r.payment_id
  union all select d.id || '-' || alerted.status from disputes d join ${paymentsOf(id)} p on p.id = d.payment_id
    cross join (values ('open'), ('lost')) alerted (status)
)`;

export function audited(
  tx: Transaction,
  { id, merchant_id: merchantId, environment }: Owner,
  action: AuditAction,
  actor: Actor,
  after: object,
): Promise<void> {
  return writeAudit(tx, {
    ...actor,
    merchantId,
    environment,
    action,
    subjectId: id,
    before: null,
    after,
  });
}
