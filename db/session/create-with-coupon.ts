/** Creates a session with a coupon, which takes more than one statement. */
import type { CouponRefusal } from '../../domain/catalogue/coupon.ts';
import type { Pool } from '../core/pool.ts';
import { orRefused } from '../core/refused.ts';
import { lockSession } from './core/session-row.ts';
import { type CreationOutcome, countCreated, insertSession, type NewSession } from './create-session.ts';
import { applyCoupon } from './redeem-coupon.ts';

export const COUPON_REFUSALS = ['coupon_invalid', 'coupon_not_redeemable', 'coupon_amount_zero'] as const;
type Refusal = CouponRefusal | 'coupon_amount_zero';

/** @returns the session; or the check that failed, or why the coupon cannot be applied: then nothing is written */
export async function createSessionWithCoupon(
  pool: Pool,
  session: NewSession,
  code: string,
): Promise<CreationOutcome | Refusal> {
  return orRefused<CreationOutcome, Refusal>(async (refuse) => {
    const created = await pool.transaction(async (tx) => {
      const inserted = await insertSession(tx, { ...session, hasCoupon: true });
      if (inserted.refusal !== null) return inserted;
      const amount = await applyCoupon(tx, await lockSession(tx, inserted.id), code, session.buyer.email);
      return typeof amount === 'string' ? refuse(amount) : { ...inserted, amount };
    });
    if (created.refusal === null) countCreated(session.scope);
    return created;
  });
}
