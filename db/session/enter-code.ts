/** Codes that buyers enter on the hosted page. */
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { lockSession } from './core/session-row.ts';
import { applyCoupon, dropCoupon } from './redeem-coupon.ts';

/** Leaves room for typing errors, but not for guessing codes. */
export const MOST_REFUSED_CODES = 10;

type Refusal = 'session_not_payable' | 'too_many_codes' | 'code_refused';

/**
 * Applies the coupon with this code to the session, or removes its coupon. The refusal is the same for every reason
 * why a coupon cannot be redeemed, so that codes cannot be guessed.
 *
 * @param code null removes the coupon
 * @returns why the session is unchanged; null if it has changed
 */
export function enterCode(pool: Pool, checkoutId: string, code: string | null): Promise<Refusal | null> {
  return pool.transaction(async (tx) => {
    const session = await lockSession(tx, checkoutId);
    if (session.state !== 'created' || session.expired) return 'session_not_payable';
    if (!session.terms.takes_codes) return 'code_refused';
    if (code === null) {
      await dropCoupon(tx, session);
      return null;
    }
    if (session.refused_codes >= MOST_REFUSED_CODES) return 'too_many_codes';
    const applied = await applyCoupon(tx, session, code, null);
    if (typeof applied === 'number') return null;
    await countRefusal(tx, checkoutId);
    return 'code_refused';
  });
}

async function countRefusal(tx: Transaction, checkoutId: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update checkouts set refused_codes = refused_codes + 1 where id = ${checkoutId}
  `);
}
