/** Looking up and returning charges that succeeded after the end (rule 7). */

import { assertMoneyMayMove } from '../../db/core/ledger-copy.ts';
import { readClock } from '../../db/core/pool.ts';
import { judgeAfterEnd, type Verdict } from '../../db/payment/judge-late-news.ts';
import {
  countFailedReturns,
  findOrphan,
  markOrphanReturned,
  type ReturnedBy,
} from '../../db/payment/orphaned-charges.ts';
import { paymentAtRailOf } from '../../db/payment/rail-calls.ts';
import type { AttemptOutcome } from '../../domain/attempt.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import type { RailAccount, RefundedTotal } from '../../rail/rail.ts';
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
     * was answered under another one. Refunds made by people count: only the rest is refunded, and nothing is
     * left to do once the rail's total reaches the amount (rule 34).
     * @returns null while the rail has done neither
     */
    async returnCharge(paymentId: string): Promise<ReturnedBy | null> {
      const [charge, orphan] = [await atRail(paymentId), await findOrphan(pool, paymentId)];
      if (!charge || orphan?.returnedBy) return orphan?.returnedBy ?? null;
      await assertMoneyMayMove(pool);
      const { rail, call, row } = charge;
      const cancelled = await whileHeartbeating(() =>
        rail.cancel({ ...call, idempotencyKey: `${paymentId}:return-cancel`, signal: callSignal() }),
      );
      if (cancelled.kind === 'cancelled') return 'cancel';
      if (cancelled.kind !== 'approved') return null;
      if (row.amount === 0) return 'cancel';
      const back = {
        account: mayReturn(call.account),
        reference: `${paymentId}-return`,
        paymentReference: paymentId,
        railReference: cancelled.railReference,
      };
      const totalAtRail = () =>
        whileHeartbeating(() =>
          rail.refundedTotal({ ...call, railReference: cancelled.railReference, signal: callSignal() }),
        );
      const isBack = (total: RefundedTotal) => total.kind === 'total' && total.refundedCents >= row.amount;
      // Before the total, which then includes a return that is found succeeded.
      const known = await whileHeartbeating(() => rail.lookupRefund({ ...back, signal: callSignal() }));
      const total = await totalAtRail();
      if (isBack(total)) return 'refund';
      // Wait for a return in progress: a part that is pending can still come back.
      if (total.kind !== 'total' || known.kind === 'pending' || known.kind === 'unknown') return null;
      const restCents = row.amount - total.refundedCents - total.pendingCents;
      if (restCents <= 0) return null;
      // A repeated key returns its first answer for ever: a return that failed with news, or that has succeeded and
      // was not enough, is followed by one under another key.
      const failed = await countFailedReturns(pool, paymentId);
      const keyed = failed === 0 ? `${paymentId}:return` : `${paymentId}:return:${failed}`;
      const ofRest = restCents === row.amount ? keyed : `${keyed}:rest-${restCents}`;
      const idempotencyKey = known.kind === 'succeeded' ? `${ofRest}:after-${total.refundedCents}` : ofRest;
      await assertMoneyMayMove(pool);
      const refunded = await whileHeartbeating(() =>
        rail.refund({
          ...back,
          idempotencyKey,
          signal: callSignal(),
          amountCents: restCents,
          currency: row.currency,
        }),
      );
      // The answer may be the first one of a repeated key: only the total counts.
      return refunded.kind === 'succeeded' && isBack(await totalAtRail()) ? 'refund' : null;
    },

    async recordReturned(input: { readonly paymentId: string; readonly by: ReturnedBy }): Promise<void> {
      await markOrphanReturned(pool, input.paymentId, input.by);
    },
  };
}

/** Returning an orphaned charge does not depend on the merchant's refund capability. */
function mayReturn(account: RailAccount): RailAccount {
  return { ...account, capabilities: { ...account.capabilities, refunds: true } };
}
