/** Evaluates the rail's answers about payments that have ended here. */
import { type AttemptOutcome, hasMoved } from '../../domain/payment/attempt.ts';
import { isOpen } from '../../domain/payment/payment.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { findOrphan, recordContradiction, recordOrphan, recordOrphanReturned } from './orphaned-charges.ts';
import { type LockedPayment, lockPayment } from './payment-row.ts';
import { type AnswerDetails, storeAnswerDetails } from './rail-calls.ts';
import { applyWebhooksReceivedBefore } from './rail-webhooks.ts';

/** Records the answer to an attempt that has ended in the meantime: a charge is listed as orphaned (rule 7). */
export async function recordAfterEnd(
  tx: Transaction,
  { id, status }: LockedPayment,
  outcome: AttemptOutcome,
  details: AnswerDetails | null,
): Promise<void> {
  if (details) await storeAnswerDetails(tx, id, details);
  const ended = status === 'failed' || status === 'cancelled';
  if (hasMoved(outcome) && ended) await recordOrphan(tx, id);
}

/**
 * The result of a rail's webhook about an ended payment:
 *
 * - `agrees`: rail and row agree.
 * - `orphaned`: the rail has charged an attempt that has ended here; the charge must be returned, by an operator if the
 *   rail's amount differs.
 * - `returned`: the money of an orphaned charge is back with the buyer.
 * - `contradicts`: an operator settled the payment as paid, but the rail reports otherwise, or another amount. An
 *   operator must act.
 * - `open`: the payment is open again; its own workflow looks it up.
 * - `unknown`: the rail does not know yet and is asked again. Alerts if an operator settled the payment as paid while
 *   the rail waits for the buyer to pass a challenge.
 * - `rowNotFound`: the payment's row no longer exists.
 */
export type Verdict = 'agrees' | 'orphaned' | 'returned' | 'contradicts' | 'open' | 'unknown' | 'rowNotFound';

interface AnswerToJudge {
  readonly paymentId: string;
  readonly outcome: AttemptOutcome;
  /** Start of the look-up by the database's clock: the answer covers webhooks received before it. */
  readonly askedAt: string;
  /** True within the rail's lag: an object that it did not find may still appear (rule 4). */
  readonly isEarly: boolean;
}

/** @returns the verdict, and whether an alert was recorded */
export function judgeAfterEnd(
  pool: Pool,
  { paymentId, outcome, askedAt, isEarly }: AnswerToJudge,
): Promise<{ readonly verdict: Verdict; readonly alerted: boolean }> {
  return inTransaction(pool, async (tx) => {
    const payment = await lockPayment(tx, paymentId, null);
    if (!payment) return { verdict: 'rowNotFound', alerted: false };
    if (isOpen(payment.status)) return { verdict: 'open', alerted: false };
    const orphan = await findOrphan(tx, paymentId);
    // The rail reports a charge as approved indefinitely, even after it was refunded, or returned by an operator.
    if (orphan?.returnedBy && (orphan.returnedBy !== 'cancel' || orphan.amount === 0)) {
      await applyWebhooksReceivedBefore(tx, paymentId, askedAt);
      return { verdict: 'returned', alerted: false };
    }
    const ended = payment.status === 'failed' || payment.status === 'cancelled';
    if ((outcome.kind === 'unknown' && !hasMoved(outcome)) || outcome.kind === 'pending')
      return { verdict: 'unknown', alerted: false };
    // The buyer may still pass the challenge, so the rail is queried again.
    if (outcome.kind === 'challenge') {
      const contradicts = !ended && !(await changedNothing(tx, paymentId));
      return {
        verdict: 'unknown',
        alerted: contradicts && (await recordContradiction(tx, paymentId, 'challenged')),
      };
    }
    // A final `notFound` does not prove that the money was returned either (rule 4).
    if (outcome.kind === 'notFound' && (isEarly || (orphan && !orphan.returnedBy)))
      return { verdict: 'unknown', alerted: false };
    await applyWebhooksReceivedBefore(tx, paymentId, askedAt);
    if (ended && hasMoved(outcome)) {
      return { verdict: 'orphaned', alerted: await recordOrphan(tx, paymentId) };
    }
    // The orphan was cancelled, but the answer to the cancel was lost.
    if (ended && orphan && (await recordOrphanReturned(tx, paymentId, 'cancel'))) {
      return { verdict: 'returned', alerted: false };
    }
    if (ended || outcome.kind === 'approved') return { verdict: 'agrees', alerted: false };
    if (await changedNothing(tx, paymentId)) return { verdict: 'agrees', alerted: false };
    return { verdict: 'contradicts', alerted: await recordContradiction(tx, paymentId) };
  });
}

/** Returns whether a change of method that an operator settled as succeeded failed for lack of a mandate. */
function changedNothing(tx: Transaction, paymentId: string): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from payments p join checkouts c on c.id = p.checkout_id
    where p.id = ${paymentId} and c.subscription_id is not null and c.state = 'failed'
  `);
}
