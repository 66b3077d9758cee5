/** Rail news about a payment whose session has ended: does the rail's answer agree with the database? */
import type { AttemptOutcome } from '../../domain/attempt.ts';
import { isOpen } from '../../domain/payment.ts';
import type { Pool } from '../core/pool.ts';
import { inSettlement } from '../core/settlement.ts';
import type { EventIds } from '../webhook/events.ts';
import { recordContradiction, recordOrphan } from './orphaned-charges.ts';
import { lockPayment } from './payment-row.ts';
import { applyNewsReceivedBefore } from './rail-news.ts';

/**
 * `contradicts`: an operator settled the payment as paid, the rail says otherwise. Needs an operator.
 * `gone`: the payment's row no longer exists.
 */
export type Verdict = 'agrees' | 'orphaned' | 'contradicts' | 'open' | 'unknown' | 'gone';

/** @param askedAt start of the look-up by the database's clock: it covers news received until then */
export function judgeAfterEnd(
  pool: Pool,
  { paymentId, outcome, askedAt }: { paymentId: string; outcome: AttemptOutcome; askedAt: string },
): Promise<{ readonly verdict: Verdict; readonly eventIds: EventIds }> {
  return inSettlement(pool, async (tx) => {
    const payment = await lockPayment(tx, paymentId);
    if (!payment) return { verdict: 'gone', eventIds: [] };
    if (isOpen(payment.status)) return { verdict: 'open', eventIds: [] };
    if (outcome.kind === 'unknown' || outcome.kind === 'pending' || outcome.kind === 'challenge') {
      return { verdict: 'unknown', eventIds: [] };
    }
    await applyNewsReceivedBefore(tx, paymentId, askedAt);
    const ended = payment.status === 'failed' || payment.status === 'cancelled';
    if (ended && outcome.kind === 'approved') {
      return { verdict: 'orphaned', eventIds: await recordOrphan(tx, paymentId) };
    }
    if (ended || outcome.kind === 'approved') return { verdict: 'agrees', eventIds: [] };
    return { verdict: 'contradicts', eventIds: [await recordContradiction(tx, paymentId)] };
  });
}
