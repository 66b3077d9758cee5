/** Steps of an attempt in the database without a workflow. */
import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { recordRefundAnswer } from '../../../db/refund/record-refund.ts';
import { claimAttempt } from '../../../db/session/claim-attempt.ts';
import { insertClick } from '../../../db/session/clicks.ts';
import { recordOutcome } from '../../../db/session/record-outcome.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import type { RefundAnswer } from '../../../domain/refund/refund.ts';
import type { PayAnswer } from '../../../domain/session/session.ts';
import { methodTokenOf } from '../../../platform/secrets/places.ts';
import { testSecretBox } from './fixtures.ts';

export interface Click {
  readonly claimId?: string;
  readonly email?: string | null;
  readonly validSeconds?: number;
  readonly quantity?: number | null;
  readonly amount?: number | null;
  /** Defaults to the session's coupon. */
  readonly couponId?: string | null;
  readonly card?: Buffer | null;
}

/** A click on "Pay": the stored request and the claim. */
export async function click(pool: Pool, checkoutId: string, values: Click = {}): Promise<PayAnswer> {
  const { claimId = randomUUID(), email = 'buyer@example.eu', validSeconds = 30 } = values;
  const { quantity = null, amount = null, card = null } = values;
  const shown = sql.type(z.object({ coupon_id: z.string().nullable() }))`
    select coupon_id from checkouts where id = ${checkoutId}`;
  const { couponId = await pool.oneFirst(shown) } = values;
  const request = {
    claimId,
    checkoutId,
    methodType: 'card',
    methodToken: testSecretBox.seal('tok_test', methodTokenOf(claimId)),
    email,
    quantity,
    amount,
    couponId,
    card,
  };
  await insertClick(pool, request, validSeconds);
  return claimAttempt(pool, { checkoutId, claimId });
}

/** Like `click`, but throws unless the click is accepted. @returns the payment's id */
export async function clickAccepted(pool: Pool, checkoutId: string, values: Click = {}): Promise<string> {
  const answer = await click(pool, checkoutId, values);
  if (answer.kind !== 'claimed') throw new Error(`the claim was ${answer.kind}`);
  return answer.attemptId;
}

export function answer(
  pool: Pool,
  checkoutId: string,
  paymentId: string,
  outcome: AttemptOutcome,
  values: Partial<Parameters<typeof recordOutcome>[1]> = {},
) {
  return recordOutcome(pool, {
    ownerId: checkoutId,
    attemptId: paymentId,
    outcome,
    details: null,
    lookupTimeUp: false,
    nextLookupSeconds: 2,
    ...values,
  });
}

export function recordRefund(pool: Pool, refundId: string, outcome: RefundAnswer): Promise<void> {
  const plan = { ownerId: refundId, lookupTimeUp: false, nextLookupSeconds: 2 };
  return recordRefundAnswer(pool, { ...plan, attemptId: refundId, outcome, details: null });
}

export const APPROVED: AttemptOutcome = { kind: 'approved' };
export const DECLINED: AttemptOutcome = { kind: 'declined', code: 'card_declined', retryable: true };
/** An outcome: approved at the rail for a different amount than requested. */
export const OTHER_AMOUNT: AttemptOutcome = { kind: 'unknown', reason: 'other_amount' };
export const UNKNOWN: AttemptOutcome = { kind: 'unknown', reason: 'connection_lost' };

/** Moves a session's expiry into the past. */
export async function letExpire(pool: Pool, checkoutId: string): Promise<void> {
  await pool.query(
    sql.unsafe`update checkouts set expires_at = service_clock() - interval '1 ms' where id = ${checkoutId}`,
  );
}
