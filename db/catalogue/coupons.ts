/** Coupons, for the management API. Each change writes an audit row. */
import { type Coupon, coupon, type NewCoupon } from '../../contract/catalogue/coupons.ts';
import { comparedCode } from '../../domain/catalogue/coupon.ts';
import type { AnyScope } from '../../domain/core/environment.ts';
import { type Actor, auditChange } from '../core/audit.ts';
import type { Batch } from '../core/lists/list-batch.ts';
import { type Db, type Pool, sql } from '../core/pool.ts';
import { areOwnProducts } from './own-products.ts';

const columns = sql.fragment`id, merchant_id, environment, code, percent, amount, duration, periods, product_ids,
  first_purchase_only, valid_from, valid_until, max_redemptions, max_per_customer, status, created_at, updated_at,
  (select count(*) from checkouts where coupon_id = coupons.id and state not in ('created', 'failed')) as redemptions`;

/** Lists coupons, newest first, including stopped ones. */
export function listCoupons(
  db: Db,
  { merchantId, environment }: AnyScope,
  { after, limit }: Batch,
): Promise<readonly Coupon[]> {
  return db.any(sql.type(coupon)`
    select ${columns} from coupons
    where merchant_id = ${merchantId} and (${environment}::text is null or environment = ${environment})
      and (${after}::text is null or id < ${after})
    order by id desc
    limit ${limit}
  `);
}

export function findCoupon(db: Db, merchantId: string, couponId: string): Promise<Coupon | null> {
  return db.maybeOne(sql.type(coupon)`
    select ${columns} from coupons where id = ${couponId} and merchant_id = ${merchantId}
  `);
}

export function createCoupon(
  pool: Pool,
  merchantId: string,
  given: NewCoupon,
  actor: Actor,
  id: string | null = null,
): Promise<Coupon | 'product_not_found' | 'coupon_code_taken'> {
  return pool.transaction(async (tx) => {
    const productIds = given.product_ids ? [...new Set(given.product_ids)].sort() : null;
    if (productIds && !(await areOwnProducts(tx, merchantId, productIds))) return 'product_not_found';
    const created = await tx.maybeOne(sql.type(coupon)`
      insert into coupons (id, merchant_id, environment, code, compared_code, percent, amount, duration, periods,
        product_ids, first_purchase_only, valid_from, valid_until, max_redemptions, max_per_customer)
      values (coalesce(${id}, new_id('ap_cpn_')), ${merchantId}, ${given.environment}, ${given.code.trim()}, ${comparedCode(given.code)},
        ${given.percent ?? null}, ${given.amount ?? null}, ${given.duration}, ${given.periods ?? null},
        ${productIds && sql.array(productIds, 'text')}, ${given.first_purchase_only},
        ${given.valid_from ?? null}::timestamptz, ${given.valid_until ?? null}::timestamptz,
        ${given.max_redemptions ?? null}, ${given.max_per_customer ?? null})
      on conflict (merchant_id, environment, compared_code) where status = 'active' do nothing
      returning ${columns}
    `);
    if (!created) return 'coupon_code_taken';
    await auditChange(tx, 'coupon.create', null, created, actor);
    return created;
  });
}

/** Idempotent: a coupon that is already stopped is returned without an audit row. */
export function stopCoupon(
  pool: Pool,
  merchantId: string,
  couponId: string,
  actor: Actor,
): Promise<Coupon | 'coupon_not_found'> {
  return pool.transaction(async (tx) => {
    const before = await tx.maybeOne(sql.type(coupon)`
      select ${columns} from coupons where id = ${couponId} and merchant_id = ${merchantId} for no key update
    `);
    if (!before) return 'coupon_not_found';
    if (before.status === 'stopped') return before;
    const stopped = await tx.one(sql.type(coupon)`
      update coupons set status = 'stopped', updated_at = service_clock() where id = ${couponId} returning ${columns}
    `);
    await auditChange(tx, 'coupon.update', before, stopped, actor);
    return stopped;
  });
}
