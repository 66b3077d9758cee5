/** Looking up and returning charges that succeeded after the end (rule 7). */

import { readClock } from '../../db/core/pool.ts';
import { judgeAfterEnd, type Verdict } from '../../db/payment/judge-late-news.ts';
import { countFailedReturns, markOrphanReturned } from '../../db/payment/orphaned-charges.ts';
import { paymentAtRailOf } from '../../db/payment/rail-calls.ts';
import type { AttemptOutcome } from '../../domain/attempt.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import type { RailAccount } from '../../rail/rail.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { whileHeartbeating } from '../core/heartbeat.ts';
import { idsOf, slim } from './rail-attempt.ts';

export function createReconcileActivities(deps: ActivityDeps) {
  const { pool, checkout } = deps;
  const callSignal = () => AbortSignal.timeout(checkout.railCallTimeoutSeconds * 1_000);

  async function atRail(paymentId: string) {
    const row = await paymentAtRailOf(pool, paymentId);
    if (!row) return null;
    const { rail, account } = openRailAccount(deps, row);
    const call = { account, reference: paymentId, ...idsOf(row), begunAt: row.begun_at };
    return { rail, call, row };
  }

  return {
    /** A look-up, without side effects at the rail. */
    async askAfterEnd(
      paymentId: string,
    ): Promise<{ readonly outcome: AttemptOutcome; readonly askedAt: string }> {
      const askedAt = await readClock(pool);
      const known = await atRail(paymentId);
      if (!known) return { outcome: { kind: 'unknown', reason: 'row_gone' }, askedAt };
      const { rail, call } = known;
      const outcome = await whileHeartbeating(() => rail.lookup({ ...call, signal: callSignal() }));
      return { outcome: slim(outcome), askedAt };
    },

    async judgeAfterEnd(input: {
      readonly paymentId: string;
      readonly outcome: AttemptOutcome;
      readonly askedAt: string;
    }): Promise<Verdict> {
      const { paymentId } = input;
      const { verdict, alerted } = await judgeAfterEnd(pool, input);
      if (alerted && verdict === 'orphaned')
        deps.logger.error({ paymentId }, 'orphaned charge after the end');
      if (alerted && verdict === 'contradicts')
        deps.logger.error({ paymentId }, 'paid here, not charged at the rail');
      return verdict;
    },

    /**
     * Cancels the charge, or refunds it when it is settled. Uses separate keys, because the buyer's cancel
     * was answered under another one.
     * @returns null while the rail has done neither
     */
    async returnCharge(paymentId: string): Promise<'cancel' | 'refund' | null> {
      const charge = await atRail(paymentId);
      if (!charge) return null;
      const { rail, call, row } = charge;
      const cancelled = await whileHeartbeating(() =>
        rail.cancel({ ...call, idempotencyKey: `${paymentId}:return-cancel`, signal: callSignal() }),
      );
      if (cancelled.kind === 'cancelled') return 'cancel';
      if (cancelled.kind !== 'approved' || row.amount === 0) return null;
      const back = {
        account: mayReturn(call.account),
        reference: `${paymentId}-return`,
        paymentReference: paymentId,
        railReference: cancelled.railReference,
      };
      // Wait for a return in progress. A repeated key returns its first answer for ever: for a return that failed
      // later, only the next look-up counts, and a return that failed with news is sent under another key.
      const known = await whileHeartbeating(() => rail.lookupRefund({ ...back, signal: callSignal() }));
      if (known.kind === 'succeeded') return 'refund';
      if (known.kind !== 'notFound' && known.kind !== 'failed') return null;
      const failed = await countFailedReturns(pool, paymentId);
      const idempotencyKey = failed === 0 ? `${paymentId}:return` : `${paymentId}:return:${failed}`;
      const refunded = await whileHeartbeating(() =>
        rail.refund({
          ...back,
          idempotencyKey,
          signal: callSignal(),
          amountCents: row.amount,
          currency: row.currency,
        }),
      );
      return known.kind === 'notFound' && refunded.kind === 'succeeded' ? 'refund' : null;
    },

    recordReturned(input: { readonly paymentId: string; readonly by: 'cancel' | 'refund' }): Promise<void> {
      return markOrphanReturned(pool, input.paymentId, input.by);
    },
  };
}

/** Returning an orphaned charge does not depend on the merchant's refund capability. */
function mayReturn(account: RailAccount): RailAccount {
  return { ...account, capabilities: { ...account.capabilities, refunds: true } };
}
