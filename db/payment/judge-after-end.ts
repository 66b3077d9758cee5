/** Rail news about a payment that has ended here: does the rail's answer agree with the database? */
import type { AttemptOutcome } from '../../domain/payment/attempt.ts';
import { isOpen } from '../../domain/payment/payment.ts';
import type { Pool } from '../core/pool.ts';
import { inSettlement } from '../core/settlement.ts';
import { findOrphan, markOrphanReturned, recordContradiction, recordOrphan } from './orphaned-charges.ts';
import { lockPayment } from './payment-row.ts';
import { applyNewsReceivedBefore } from './rail-news.ts';

/**
 * - `agrees`: rail and row say the same.
 * - `orphaned`: the rail has charged an attempt that has ended here; the charge has to be returned.
 * - `returned`: an orphaned charge that is back with the buyer.
 * - `contradicts`: an operator settled the payment as paid, the rail says otherwise, or waits for the buyer to pass a
 *   challenge. Needs an operator.
 * - `open`: the payment is open again; its own workflow looks it up.
 * - `unknown`: the rail does not know yet; it is asked again.
 * - `gone`: the payment's row no longer exists.
 */
export type Verdict = 'agrees' | 'orphaned' | 'returned' | 'contradicts' | 'open' | 'unknown' | 'gone';

/**
 * @param askedAt start of the look-up by the database's clock: it covers news received until then
 * @returns the verdict, and whether it was alerted
 */
export function judgeAfterEnd(
  pool: Pool,
  { paymentId, outcome, askedAt }: { paymentId: string; outcome: AttemptOutcome; askedAt: string },
): Promise<{ readonly verdict: Verdict; readonly alerted: boolean }> {
  return inSettlement(pool, async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (!payment) return { verdict: 'gone', alerted: false };
    if (isOpen(payment.status)) return { verdict: 'open', alerted: false };
    const orphan = await findOrphan(tx, paymentId);
    // The rail reports a charge as approved for ever, even if it was refunded or returned by an operator.
    if (orphan?.returnedBy && (orphan.returnedBy !== 'cancel' || orphan.amount === 0)) {
      await applyNewsReceivedBefore(tx, paymentId, askedAt);
      return { verdict: 'returned', alerted: false };
    }
    const ended = payment.status === 'failed' || payment.status === 'cancelled';
    const mayStillBePaid = outcome.kind === 'challenge' && ended;
    if (outcome.kind === 'unknown' || outcome.kind === 'pending' || mayStillBePaid) {
      return { verdict: 'unknown', alerted: false };
    }
    // `notFound` does not say that the money is back (rule 4).
    if (outcome.kind === 'notFound' && orphan && !orphan.returnedBy)
      return { verdict: 'unknown', alerted: false };
    await applyNewsReceivedBefore(tx, paymentId, askedAt);
    if (ended && outcome.kind === 'approved') {
      return { verdict: 'orphaned', alerted: await recordOrphan(tx, paymentId) };
    }
    // The orphan was cancelled, and the answer to the cancel was lost.
    if (ended && orphan && (await markOrphanReturned(tx, paymentId, 'cancel'))) {
      return { verdict: 'returned', alerted: false };
    }
    if (ended || outcome.kind === 'approved') return { verdict: 'agrees', alerted: false };
    await recordContradiction(tx, paymentId);
    return { verdict: 'contradicts', alerted: true };
  });
}
