/** Rail news about a payment whose session is over: does the rail's answer agree with what stands here? */
import type { AttemptOutcome } from '../../domain/attempt.ts';
import { isOpen } from '../../domain/payment.ts';
import type { Pool } from '../core/pool.ts';
import { inSettlement } from '../core/settlement.ts';
import type { EventIds } from '../webhook/events.ts';
import { recordContradiction, recordOrphan } from './orphaned-charges.ts';
import { lockPayment } from './payment-row.ts';
import { applyNewsReceivedBefore } from './rail-news.ts';

/** `contradicts`: paid here, by an operator's word, and not at the rail. Only people can settle that. */
export type Verdict = 'agrees' | 'orphaned' | 'contradicts' | 'open' | 'unknown';

/** @param askedAt when the look-up began, by the database's clock: news received until then has been heard */
export function judgeAfterEnd(
  pool: Pool,
  { paymentId, outcome, askedAt }: { paymentId: string; outcome: AttemptOutcome; askedAt: string },
): Promise<{ readonly verdict: Verdict; readonly eventIds: EventIds }> {
  return inSettlement(pool, async (tx) => {
    const payment = await lockPayment(tx, paymentId);
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
