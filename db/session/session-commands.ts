/** Changes of a session that are caused by time or by the buyer instead of the rail. */

import { isOpen } from '../../domain/payment/payment.ts';
import { type Pool, sql } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { OPEN_STATUSES } from '../payment/open-payment.ts';
import { transitionPayment } from '../payment/payment-row.ts';
import { closeSession } from './close-session.ts';
import { lockSession, lockSessionAndPayment, transitionSession } from './core/session-row.ts';

/** Expires a session without an open attempt, unless `expires_at` is still in the future by the database's clock. */
export function expireSession(pool: Pool, checkoutId: string): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const session = await lockSession(tx, checkoutId);
    if (session.state !== 'created' || !session.expired) return;
    await closeSession(tx, session, 'failed', 'expired', null);
  });
}

/**
 * Cancels at the buyer's request: an attempt by its id, or the session. If an attempt is open, only stores the request.
 * An unsent attempt is then never sent; for a sent one, the rail's answer to the cancel counts, and the rail is queried
 * until it answers. After a cancelled attempt, the session can be paid again.
 */
export function requestCancel(pool: Pool, checkoutId: string, what: string): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const session = await lockSession(tx, checkoutId);
    if (session.state === 'succeeded' || session.state === 'failed') return;
    // The request is stored on the attempt's row, which is also locked to mark the call: either the mark comes first,
    // or the call never begins.
    const { rowCount: open } = await tx.query(sql.typeAlias('void')`
      update payments set cancel_requested_at = coalesce(cancel_requested_at, service_clock())
      where checkout_id = ${checkoutId} and status in ${OPEN_STATUSES} and ${what} in ('session', id)
    `);
    if (what !== 'session') return;
    await tx.query(sql.typeAlias('void')`
      update checkouts set cancel_requested_at = coalesce(cancel_requested_at, service_clock()) where id = ${checkoutId}
    `);
    if (open > 0) return;
    await closeSession(tx, session, 'failed', 'cancelled', null);
  });
}

/**
 * Records that the buyer has returned from the challenge, whose result only the rail knows. Ignored unless the payment
 * is this session's open challenge, because the message may be late, repeated or forged.
 */
export function recordChallengeReturned(pool: Pool, checkoutId: string, paymentId: string): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const { session, payment } = await lockSessionAndPayment(tx, checkoutId, paymentId);
    if (session.state !== 'requires_action' || !payment || !isOpen(payment.status)) return;
    await transitionPayment(tx, payment, 'processing', null);
    await transitionSession(tx, session, 'processing', { nextActionSeconds: 60 });
  });
}
