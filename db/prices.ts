/**
 * Prices as people manage them: their terms are never changed, one of a product is active, and the one that
 * becomes active takes the place of the one that was, in one transaction. Every change is audited.
 */
import { z } from 'zod';
import type { NewPrice } from '../contract/prices.ts';
import { type Price, price } from '../contract/resources.ts';
import { type Actor, writeAudit } from './audit.ts';
import { priceColumns } from './catalogue-columns.ts';
import { type Db, type Pool, sql, type Transaction } from './pool.ts';
import { lockProduct, type ProductRef } from './products.ts';

/** Newest first. */
export function listPrices(db: Db, { merchantId, productId }: ProductRef): Promise<readonly Price[]> {
  return db.any(sql.type(price)`
    select ${priceColumns}
    from prices price join products p on p.id = price.product_id
    where p.id = ${productId} and p.merchant_id = ${merchantId}
    order by price.id desc
  `);
}

type Refusal = 'product_not_found' | 'price_not_found' | 'product_in_offering';

/** Active at once, unless it is to be inactive. */
export function createPrice(
  pool: Pool,
  ref: ProductRef,
  { status = 'active', ...terms }: NewPrice,
  actor: Actor,
): Promise<Price | Refusal> {
  return changePrices(pool, ref, async (tx) => {
    if (status === 'active' && terms.billing_mode === 'one_time' && (await isPlanOfOffering(tx, ref)))
      return 'product_in_offering';
    const { id } = await tx.one(sql.type(z.object({ id: z.string() }))`
      insert into prices (product_id, amount, currency, tax_rate, billing_mode, interval, interval_count,
        trial_period_days, status)
      values (${ref.productId}, ${terms.amount}, ${terms.currency ?? 'EUR'}, ${terms.tax_rate}, ${terms.billing_mode},
        ${terms.recurring?.interval ?? null}, ${terms.recurring ? (terms.recurring.interval_count ?? 1) : null},
        ${terms.recurring?.trial_period_days ?? null}, 'inactive')
      returning id
    `);
    const created = await priceOf(tx, ref, id);
    await audit(tx, ref, 'price.create', id, null, created, actor);
    return status === 'active' ? activate(tx, ref, id, actor) : created;
  });
}

export function setPriceStatus(
  pool: Pool,
  ref: ProductRef,
  { priceId, status }: { readonly priceId: string; readonly status: Price['status'] },
  actor: Actor,
): Promise<Price | Refusal> {
  return changePrices(pool, ref, async (tx) => {
    const before = (await listPrices(tx, ref)).find(({ id }) => id === priceId);
    if (!before) return 'price_not_found';
    if (before.status === status) return before;
    if (status === 'inactive') return deactivate(tx, ref, before, actor);
    if (before.billing_mode === 'one_time' && (await isPlanOfOffering(tx, ref))) return 'product_in_offering';
    return activate(tx, ref, priceId, actor);
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

async function activate(tx: Transaction, ref: ProductRef, priceId: string, actor: Actor): Promise<Price> {
  const prices = await listPrices(tx, ref);
  const active = prices.find(({ status }) => status === 'active');
  if (active) await deactivate(tx, ref, active, actor);
  const before = prices.find(({ id }) => id === priceId) ?? null;
  await tx.query(sql.unsafe`update prices set status = 'active' where id = ${priceId}`);
  const after = await priceOf(tx, ref, priceId);
  await audit(tx, ref, 'price.activate', priceId, before, after, actor);
  return after;
}

async function deactivate(tx: Transaction, ref: ProductRef, before: Price, actor: Actor): Promise<Price> {
  await tx.query(sql.unsafe`update prices set status = 'inactive' where id = ${before.id}`);
  const after: Price = { ...before, status: 'inactive' };
  await audit(tx, ref, 'price.deactivate', before.id, before, after, actor);
  return after;
}

function priceOf(tx: Transaction, { productId }: ProductRef, priceId: string): Promise<Price> {
  return tx.one(sql.type(price)`
    select ${priceColumns} from prices price where price.id = ${priceId} and price.product_id = ${productId}
  `);
}

function isPlanOfOffering(tx: Transaction, { productId }: ProductRef): Promise<boolean> {
  return tx.exists(sql.unsafe`select from products where id = ${productId} and offering_id is not null`);
}

function audit(
  tx: Transaction,
  { merchantId }: ProductRef,
  action: string,
  subjectId: string,
  before: Price | null,
  after: Price,
  actor: Actor,
): Promise<void> {
  return writeAudit(tx, { ...{ merchantId, environment: null, action, subjectId, before, after }, ...actor });
}
