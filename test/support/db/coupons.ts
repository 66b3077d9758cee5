/** Coupons in the database, and sessions that have one. */
import { createCoupon } from '../../../db/catalogue/coupons.ts';
import type { Pool } from '../../../db/core/pool.ts';
import { lockSession } from '../../../db/session/core/session-row.ts';
import { applyCoupon } from '../../../db/session/redeem-coupon.ts';
import type { Scope } from '../../../domain/core/environment.ts';

let codes = 0;

/** 20 % off the first charge, unless the fields say otherwise. */
export async function insertCoupon(
  pool: Pool,
  { merchantId, environment }: Scope,
  fields: object = {},
): Promise<{ readonly id: string; readonly code: string }> {
  const given = {
    environment,
    code: `Code-${++codes}`,
    percent: 'amount' in fields ? null : 20,
    duration: 'once' as const,
    first_purchase_only: false,
    ...fields,
  };
  const coupon = await createCoupon(pool, merchantId, given, { actor: 'test' });
  if (typeof coupon === 'string') throw new Error(coupon);
  return coupon;
}

/** Gives a session a coupon, as its request or the page does. */
export function giveCoupon(pool: Pool, checkoutId: string, code: string, email: string | null = null) {
  return pool.transaction(async (tx) => applyCoupon(tx, await lockSession(tx, checkoutId), code, email));
}
