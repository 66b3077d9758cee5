/** Moves of a price's subscribers to the price that replaced it. Each change writes an audit row. */
import { z } from 'zod';
import { type NewPriceMove, type PriceMove, priceMove } from '../../contract/subscription/price-moves.ts';
import type { AnyScope } from '../../domain/core/environment.ts';
import { type Actor, auditChange } from '../core/audit.ts';
import type { Batch } from '../core/lists/list-batch.ts';
import { type Db, type Fragment, type Pool, sql, type Transaction } from '../core/pool.ts';
import { lockProduct } from './products.ts';

const columns = sql.fragment`id, merchant_id, environment, product_id, old_price_id, new_price_id, from_at as "from",
  notice_days, case when cancelled_at is null then 'active' else 'cancelled' end as status, created_at, cancelled_at`;

/** Lists price moves, newest first, including cancelled ones. */
export function listPriceMoves(
  db: Db,
  { merchantId, environment }: AnyScope,
  productId: string | null,
  { after, limit }: Batch,
): Promise<readonly PriceMove[]> {
  return db.any(sql.type(priceMove)`
    select ${columns} from price_moves
    where merchant_id = ${merchantId} and (${environment}::text is null or environment = ${environment})
      and (${productId}::text is null or product_id = ${productId}) and (${after}::text is null or id < ${after})
    order by id desc
    limit ${limit}
  `);
}

export function findPriceMove(
  db: Db,
  { merchantId, environment }: AnyScope,
  id: string,
): Promise<PriceMove | null> {
  return db.maybeOne(sql.type(priceMove)`
    select ${columns} from price_moves
    where id = ${id} and merchant_id = ${merchantId}
      and (${environment}::text is null or environment = ${environment})
  `);
}

type Refusal =
  | 'price_not_found'
  | 'price_move_incompatible'
  | 'price_move_date_invalid'
  | 'price_move_exists';

/** A move that passed the checks; `notice_days` is the merchant's setting. */
export type CheckedMove = NewPriceMove & { readonly product_id: string; readonly notice_days: number };

/** Creates the move; the sweep announces it to each subscriber. */
export function createPriceMove(
  pool: Pool,
  merchantId: string,
  given: NewPriceMove,
  actor: Actor,
  id: string | null = null,
): Promise<PriceMove | Refusal> {
  return pool.transaction(async (tx) => {
    const productId = await productOfPrice(tx, merchantId, given.new_price_id);
    // Under this lock, the active price cannot change.
    if (productId !== null) await lockProduct(tx, { merchantId, productId });
    const move = await checkPriceMove(tx, merchantId, given);
    if (typeof move === 'string') return move;
    const { environment, product_id, old_price_id, new_price_id, from, notice_days } = move;
    const created = await tx.maybeOne(sql.type(priceMove)`
      insert into price_moves (id, merchant_id, environment, product_id, old_price_id, new_price_id, from_at,
        notice_days)
      values (coalesce(${id}, new_id('ap_pm_')), ${merchantId}, ${environment}, ${product_id}, ${old_price_id}, ${new_price_id}, ${from}, ${notice_days})
      on conflict (old_price_id, environment) where cancelled_at is null do nothing
      returning ${columns}
    `);
    if (!created) return 'price_move_exists';
    await auditChange(tx, 'price_move.create', null, created, actor);
    return created;
  });
}

function productOfPrice(tx: Transaction, merchantId: string, priceId: string): Promise<string | null> {
  return tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select p.id from prices price join products p on p.id = price.product_id
    where price.id = ${priceId} and p.merchant_id = ${merchantId}
  `);
}

const checked = z.object({
  product_id: z.string(),
  notice_days: z.number(),
  is_compatible: z.boolean(),
  is_in_time: z.boolean(),
});

/** Checks the prices, and that the date is at least the merchant's notice and at most five years from now. */
export async function checkPriceMove(
  db: Db,
  merchantId: string,
  given: NewPriceMove,
): Promise<CheckedMove | Refusal> {
  const found = await db.maybeOne(sql.type(checked)`
    select p.id as product_id, m.price_move_notice_days as notice_days,
      old_price.product_id = new_price.product_id and new_price.status = 'active' and old_price.status = 'inactive'
        and old_price.billing_mode = 'recurring' and new_price.billing_mode = 'recurring'
        and old_price.currency = new_price.currency and coalesce(old_price.interval = new_price.interval, false)
        and coalesce(old_price.interval_count, 1) = coalesce(new_price.interval_count, 1) as is_compatible,
      ${given.from}::timestamptz between service_clock() + m.price_move_notice_days * interval '1 day'
        and service_clock() + interval '5 years' as is_in_time
    from merchants m
    join products p on p.merchant_id = m.id
    join prices new_price on new_price.product_id = p.id and new_price.id = ${given.new_price_id}
    join prices old_price on old_price.id = ${given.old_price_id}
    join products old_product on old_product.id = old_price.product_id and old_product.merchant_id = m.id
    where m.id = ${merchantId}
  `);
  if (!found) return 'price_not_found';
  const { product_id, notice_days, is_compatible, is_in_time } = found;
  if (!is_compatible) return 'price_move_incompatible';
  return is_in_time ? { ...given, product_id, notice_days } : 'price_move_date_invalid';
}

/**
 * Cancels a move: no further subscribers are moved, and the sweep withdraws the announcement from those notified.
 * Idempotent: cancelling again changes nothing and writes no audit row.
 */
export function cancelPriceMove(
  pool: Pool,
  merchantId: string,
  id: string,
  actor: Actor,
): Promise<PriceMove | 'price_move_not_found'> {
  return pool.transaction(async (tx) => {
    await cancelOpenMoves(tx, sql.fragment`id = ${id} and merchant_id = ${merchantId}`, actor);
    return (await findPriceMove(tx, { merchantId, environment: null }, id)) ?? 'price_move_not_found';
  });
}

/** Cancels the selected moves, except those already cancelled. */
export async function cancelOpenMoves(tx: Transaction, which: Fragment, actor: Actor): Promise<void> {
  const moves = await tx.any(sql.type(priceMove)`
    update price_moves set cancelled_at = service_clock() where cancelled_at is null and ${which} returning ${columns}
  `);
  for (const cancelled of moves) {
    const before: PriceMove = { ...cancelled, status: 'active', cancelled_at: null };
    await auditChange(tx, 'price_move.cancel', before, cancelled, actor);
  }
}
