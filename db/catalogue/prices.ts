/**
 * Prices, for the management API. Their terms never change. A product has one active price; activating another price
 * replaces it in the same transaction. Each change writes an audit row.
 */

import type { NewPrice } from '../../contract/catalogue/prices.ts';
import { type Price, price } from '../../contract/catalogue/resources.ts';
import type { AuditAction } from '../../contract/merchant/audit.ts';
import { DEFAULT_CURRENCY } from '../../domain/core/money.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import type { Batch } from '../core/lists/list-batch.ts';
import { type Db, type Fragment, type Pool, sql, type Transaction } from '../core/pool.ts';
import { priceColumns } from './catalogue-columns.ts';
import { cancelOpenMoves } from './price-moves.ts';
import { lockProduct, type ProductRef } from './products.ts';

/** Lists prices, newest first. */
export function listPrices(
  db: Db,
  { merchantId, productId }: ProductRef,
  { after, limit }: Batch,
): Promise<readonly Price[]> {
  return db.any(sql.type(price)`
    select ${priceColumns}
    from prices price join products p on p.id = price.product_id
    where p.id = ${productId} and p.merchant_id = ${merchantId} and (${after}::text is null or price.id < ${after})
    order by price.id desc
    limit ${limit}
  `);
}

export function findOwnPrice(db: Db, merchantId: string, priceId: string): Promise<Price | null> {
  return db.maybeOne(sql.type(price)`
    select ${priceColumns} from prices price join products p on p.id = price.product_id
    where price.id = ${priceId} and p.merchant_id = ${merchantId}
  `);
}

type Refusal = 'product_not_found' | 'price_not_found' | 'product_in_offering' | 'price_changed';

/** Creates a price, active unless requested otherwise. */
export function createPrice(
  pool: Pool,
  ref: ProductRef,
  { status = 'active', replaces, ...terms }: NewPrice,
  actor: Actor,
  id: string | null = null,
): Promise<Price | Refusal> {
  return changePrices(pool, ref, async (tx) => {
    if (replaces !== undefined) {
      const active = await findPrice(tx, ref, sql.fragment`price.status = 'active'`);
      if ((active?.id ?? null) !== replaces) return 'price_changed';
    }
    if (status === 'active' && terms.billing_mode === 'one_time' && (await isPlanOfOffering(tx, ref)))
      return 'product_in_offering';
    const created = await tx.one(sql.type(price)`
      insert into prices as price (id, product_id, amount, currency, tax_rate, billing_mode, interval, interval_count,
        trial_period_days, status)
      values (coalesce(${id}, new_id('ap_price_')), ${ref.productId}, ${terms.amount}, ${terms.currency ?? DEFAULT_CURRENCY}, ${terms.tax_rate}, ${terms.billing_mode},
        ${terms.recurring?.interval ?? null}, ${terms.recurring ? (terms.recurring.interval_count ?? 1) : null},
        ${terms.recurring?.trial_period_days ?? null}, 'inactive')
      returning ${priceColumns}
    `);
    await audit(tx, ref, 'price.create', created.id, null, created, actor);
    return status === 'active' ? activate(tx, ref, created, actor) : created;
  });
}

export function setPriceStatus(
  pool: Pool,
  ref: ProductRef,
  { priceId, status }: { readonly priceId: string; readonly status: Price['status'] },
  actor: Actor,
): Promise<Price | Refusal> {
  return changePrices(pool, ref, async (tx) => {
    const before = await findPrice(tx, ref, sql.fragment`price.id = ${priceId}`);
    if (!before) return 'price_not_found';
    if (before.status === status) return before;
    if (status === 'inactive') return deactivate(tx, ref, before, actor);
    if (before.billing_mode === 'one_time' && (await isPlanOfOffering(tx, ref))) return 'product_in_offering';
    return activate(tx, ref, before, actor);
  });
}

function changePrices(
  pool: Pool,
  ref: ProductRef,
  change: (tx: Transaction) => Promise<Price | Refusal>,
): Promise<Price | Refusal> {
  return pool.transaction(async (tx) =>
    (await lockProduct(tx, ref)) ? change(tx) : ('product_not_found' as const),
  );
}

async function activate(tx: Transaction, ref: ProductRef, before: Price, actor: Actor): Promise<Price> {
  const active = await findPrice(tx, ref, sql.fragment`price.status = 'active'`);
  if (active) await deactivate(tx, ref, active, actor);
  // Buyers can again agree to this price, so its subscribers need not be moved to another one.
  await cancelOpenMoves(tx, sql.fragment`old_price_id = ${before.id}`, actor);
  await tx.query(sql.typeAlias('void')`
    update prices set status = 'active', activated_at = service_clock() where id = ${before.id}
  `);
  const after: Price = { ...before, status: 'active' };
  await audit(tx, ref, 'price.activate', before.id, before, after, actor);
  return after;
}

async function deactivate(tx: Transaction, ref: ProductRef, before: Price, actor: Actor): Promise<Price> {
  await tx.query(sql.typeAlias('void')`update prices set status = 'inactive' where id = ${before.id}`);
  const after: Price = { ...before, status: 'inactive' };
  await audit(tx, ref, 'price.deactivate', before.id, before, after, actor);
  return after;
}

function findPrice(tx: Transaction, { productId }: ProductRef, which: Fragment): Promise<Price | null> {
  return tx.maybeOne(sql.type(price)`
    select ${priceColumns} from prices price where price.product_id = ${productId} and ${which}
  `);
}

export function isPriceOf(db: Db, { merchantId, productId }: ProductRef, priceId: string): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from prices price join products p on p.id = price.product_id
    where price.id = ${priceId} and p.id = ${productId} and p.merchant_id = ${merchantId}
  `);
}

function isPlanOfOffering(tx: Transaction, { productId }: ProductRef): Promise<boolean> {
  return tx.exists(
    sql.typeAlias('void')`select from products where id = ${productId} and offering_id is not null`,
  );
}

function audit(
  tx: Transaction,
  { merchantId }: ProductRef,
  action: AuditAction,
  subjectId: string,
  before: Price | null,
  after: Price,
  actor: Actor,
): Promise<void> {
  return writeAudit(tx, { merchantId, environment: null, action, subjectId, before, after, ...actor });
}
