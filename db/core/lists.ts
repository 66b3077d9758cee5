/**
 * The billing lists in batches, newest first. A batch goes on after the last id of the one before: no cursor
 * and no connection is held while a slow client reads, and ids are time-ordered, so that what is created in
 * the meantime is simply not in the list. Payments sort by creation: a retry's id carries the time of its period.
 */
import {
  type Invoice,
  invoice,
  type Order,
  order,
  type Payment,
  type Product,
  payment,
  product,
  type Subscription,
  subscription,
} from '../../contract/core/resources.ts';
import { ENVIRONMENTS, type Environment, type Scope } from '../../domain/environment.ts';
import { selectProducts } from '../catalogue/catalogue-columns.ts';
import { type Db, sql } from './pool.ts';
import { selectSubscriptions } from '../subscription/subscriptions.ts';

export interface Batch {
  /** The last id of the batch before; null: the newest rows. */
  readonly after: string | null;
  readonly limit: number;
}

export type ListBatch<Resource> = (db: Db, scope: Scope, batch: Batch) => Promise<readonly Resource[]>;

/** The catalogue serves both environments. */
export const listProducts: ListBatch<Product> = (db, { merchantId }, { after, limit }) =>
  db.any(sql.type(product)`
    ${selectProducts}
    where p.merchant_id = ${merchantId} ${olderThan('p', after)}
    order by p.id desc
    limit ${limit}
  `);

export const listOrders: ListBatch<Order> = (db, { merchantId, environment }, { after, limit }) =>
  db.any(sql.type(order)`
    select o.id, o.customer_id, o.product_id, o.price_id, o.source, o.external_reference, o.line_items, o.amount,
      o.currency, o.payment_id, o.status
    from orders o
    where o.merchant_id = ${merchantId} and o.environment = ${environment} ${olderThan('o', after)}
    order by o.id desc
    limit ${limit}
  `);

/** Never the mandate's reference (docs/contract.md#shapes). */
export const listPayments: ListBatch<Payment> = (db, { merchantId, environment }, { after, limit }) =>
  db.any(sql.type(payment)`
    select p.id, p.order_id, p.rail_account_id, p.rail_order_id, p.rail, p.payment_method, p.status, p.amount,
      p.currency, p.failure_code, p.failure_message, p.created_at, p.updated_at
    from payments p
    where p.merchant_id = ${merchantId} and p.environment = ${environment}
      ${
        after === null
          ? sql.fragment``
          : sql.fragment`and (unix_ms(p.created_at), p.id) < (select unix_ms(created_at), id from payments where id = ${after})`
      }
    order by unix_ms(p.created_at) desc, p.id desc
    limit ${limit}
  `);

export const listSubscriptions: ListBatch<Subscription> = (
  db,
  { merchantId, environment },
  { after, limit },
) =>
  db.any(sql.type(subscription)`
    ${selectSubscriptions}
    where s.merchant_id = ${merchantId} and s.environment = ${environment} ${olderThan('s', after)}
    order by s.id desc
    limit ${limit}
  `);

/** @param publicUrl where the links of their PDFs lead */
export function listInvoices(publicUrl: string): ListBatch<Invoice> {
  return (db, { merchantId, environment }, { after, limit }) =>
    db.any(sql.type(invoice)`
      select i.id, i.number, i.issued_at, i.customer_id, i.order_id, i.subscription_id, i.status, i.amount_due,
        i.currency, i.customer, i.line_items,
        case when i.number is not null then ${publicUrl}::text || '/invoices/' || i.pdf_token || '.pdf' end as pdf_url
      from invoices i
      where i.merchant_id = ${merchantId} and i.environment = ${environment} ${olderThan('i', after)}
      order by i.id desc
      limit ${limit}
    `);
}

/** One environment's list, or both in one for people, who see both. */
export async function listInEnvironments<Resource extends Listed>(
  db: Db,
  listBatch: ListBatch<Resource>,
  { merchantId, environment }: { readonly merchantId: string; readonly environment: Environment | null },
  batch: Batch,
): Promise<readonly Resource[]> {
  if (environment !== null) return listBatch(db, { merchantId, environment }, batch);
  const ofEach = ENVIRONMENTS.map((each) => listBatch(db, { merchantId, environment: each }, batch));
  const newestFirst = (await Promise.all(ofEach))
    .flat()
    .sort((one, other) => (placeOf(one) < placeOf(other) ? 1 : -1));
  return newestFirst.slice(0, batch.limit);
}

/** Payments alone show when they were created, and are the ones that are sorted by it. */
interface Listed {
  readonly id: string;
  readonly created_at?: string;
}

function placeOf({ id, created_at: createdAt = '' }: Listed): string {
  return createdAt + id;
}

function olderThan(table: string, after: string | null) {
  return after === null ? sql.fragment`` : sql.fragment`and ${sql.identifier([table, 'id'])} < ${after}`;
}
