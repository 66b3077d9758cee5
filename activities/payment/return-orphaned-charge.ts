/** Looks up charges that succeeded after their session or subscription had ended, and returns them (rule 7). */

import { TemporalFailure } from '@temporalio/common';
import { readClock } from '../../db/core/pool.ts';
import { disputedCents } from '../../db/payment/disputed-part.ts';
import { judgeAfterEnd, type Verdict } from '../../db/payment/judge-after-end.ts';
import {
  beginReturn,
  countRefusedReturn,
  findOrphan,
  type Orphan,
  type ReturnedBy,
  type ReturnMark,
  recordOrphanReturned,
  takeBackMark,
} from '../../db/payment/orphaned-charges.ts';
import { storeLateApproval } from '../../db/subscription/late-approval.ts';
import type { SubjectLinks } from '../../domain/core/subject-links.ts';
import { isOver, startCallTimer } from '../../rail/deadline.ts';
import type { RailOutcome, RefundedTotal, RefundOutcome } from '../../rail/outcomes.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { linksAbout } from '../core/subject-links.ts';
import { type AttemptAtRail, attemptAtRail, callSignal } from './attempt-at-rail.ts';
import { withDetails } from './rail-attempt.ts';

/**
 * Looks the charge up, without side effects at the rail, and judges the answer; adds operator links in case the charge
 * is an orphan. Details of an approval that agrees with the row are stored before the judgement, which closes the
 * question (rule 35).
 */
async function judge(deps: ActivityDeps, paymentId: string): Promise<Judged> {
  const { pool, logger } = deps;
  const askedAt = await readClock(pool);
  const attempt = await attemptAtRail(deps, paymentId);
  if (!attempt) return { verdict: 'rowNotFound' };
  const { rail, call, row, pastDeadline } = attempt;
  const found = await rail.lookup({ ...call, signal: callSignal(deps) });
  const { outcome, details } = withDetails(deps, paymentId, row.customer_id, found);
  if (outcome.kind === 'approved' && details) await storeLateApproval(pool, paymentId, details);
  const { verdict, alerted } = await judgeAfterEnd(pool, {
    paymentId,
    outcome,
    askedAt,
    isEarly: !pastDeadline,
  });
  if (alerted && verdict === 'orphaned')
    logger.error({ paymentId }, 'charge found after its attempt had ended');
  if (alerted && verdict !== 'orphaned')
    logger.error({ paymentId }, 'recorded as paid, but not charged at the rail');
  const pages = deps.pages && linksAbout(paymentId, 'orphaned_charge', deps.pages);
  return { verdict, ...(pages && { pages }) };
}

interface Judged {
  readonly verdict: Verdict;
  readonly pages?: SubjectLinks;
}

/**
 * Returns the charge to the buyer, and records that once it is complete.
 * @returns how the charge was returned; null while the return is incomplete
 */
async function returnCharge(deps: ActivityDeps, paymentId: string): Promise<ReturnedBy | null> {
  const by = await cancelOrRefundOnce(deps, paymentId);
  if (by) await recordOrphanReturned(deps.pool, paymentId, by);
  return by;
}

/**
 * Cancels the charge, or refunds it once it is settled. The idempotency keys differ from those of the buyer's cancel,
 * which the rail has already answered. They change each time the charge is listed again, because the rail would
 * otherwise repeat its answer to the failed cancel.
 */
async function cancelOrRefundOnce(deps: ActivityDeps, paymentId: string): Promise<ReturnedBy | null> {
  const [charge, orphan] = [await attemptAtRail(deps, paymentId), await findOrphan(deps.pool, paymentId)];
  // Nothing to return without a row, or if the charge was adopted as paid (rule 29): it is judged again.
  if (!charge || !orphan || orphan.returnedBy) return orphan?.returnedBy ?? null;
  // Skip the rail call if returning money is forbidden or unnecessary.
  const disputed = await disputedCents(deps.pool, paymentId);
  if (charge.row.amount > 0 && disputed.lostCents === charge.row.amount) return 'dispute';
  if (charge.row.amount > 0 && disputed.openCents + disputed.lostCents === charge.row.amount) return null;
  const mark = await markReturn(deps, paymentId);
  if (!mark) return null;
  return unlessThrown(deps, charge, mark, () => cancelOrRefund(deps, charge, orphan, mark.signal));
}

async function cancelOrRefund(
  deps: ActivityDeps,
  charge: AttemptAtRail,
  { reopened }: Orphan,
  signal: AbortSignal,
): Promise<ReturnedBy | null> {
  const { rail, call, row } = charge;
  const again = reopened ? `:${reopened}` : '';
  const idempotencyKey = `${call.reference}:return-cancel${again}`;
  const cancelled = await rail.cancel({ ...call, idempotencyKey, signal });
  if (cancelled.kind === 'cancelled') return 'cancel';
  if (cancelled.kind !== 'approved') return null;
  if (row.amount === 0) return 'cancel';
  const answer = await refundRest(deps, charge, cancelled.railReference);
  return answer.kind === 'back' ? 'refund' : null;
}

interface Mark extends ReturnMark {
  /** Aborted when the mark expires. */
  readonly signal: AbortSignal;
}

/**
 * @returns null when nothing is left to return, or when it is too late to send because the mark may have expired (rule
 * 36)
 */
async function markReturn({ pool, session }: ActivityDeps, paymentId: string): Promise<Mark | null> {
  const timer = startCallTimer();
  const mark = await beginReturn(pool, paymentId, session.railCallTimeoutSeconds);
  if (!mark) return null;
  const signal = timer.signalAfter(1_000 * session.railCallTimeoutSeconds);
  return isOver(signal) ? null : { ...mark, signal };
}

/**
 * Withdraws the mark if an adapter throws: the call is repeated every five seconds, so its mark would prevent an
 * operator from ever recording a manual return (rule 7).
 */
async function unlessThrown<Result>(
  { pool }: ActivityDeps,
  { call: { reference } }: AttemptAtRail,
  mark: Mark,
  calling: () => Promise<Result>,
): Promise<Result> {
  try {
    return await calling();
  } catch (error) {
    // An unanswered call, or one whose activity was cancelled, may still be running.
    if (!(error instanceof TemporalFailure)) await takeBackMark(pool, reference, mark);
    throw error;
  }
}

type Unknown = Extract<RailOutcome, { readonly kind: 'unknown' }>;

/**
 * Refunds the part that has not been returned yet. Refunds that the merchant made at the rail count, and nothing is
 * left to do once the rail's total reaches the amount (rule 34). The bank returns the disputed part.
 * @returns `back` once the whole charge is returned, `open` until then; `unknown` if the rail gave no answer
 */
async function refundRest(
  deps: ActivityDeps,
  charge: AttemptAtRail,
  railReference: string,
): Promise<{ readonly kind: 'back' | 'open' } | Unknown> {
  const { rail, call, row } = charge;
  // An orphaned charge is returned even if the merchant lacks the refund capability.
  const capabilities = { ...call.account.capabilities, refunds: true };
  const back = {
    account: { ...call.account, capabilities },
    reference: `${call.reference}-return`,
    paymentReference: call.reference,
    railReference,
    // Null, because the amount still to be returned changes between returns.
    amountCents: null,
    currency: row.currency,
  };
  const totalAtRail = () => rail.refundedTotal({ ...call, railReference, signal: callSignal(deps) });
  const { openCents, lostCents } = await disputedCents(deps.pool, call.reference);
  const isBack = (total: RefundedTotal) =>
    total.kind === 'total' && total.refundedCents + lostCents >= row.amount;
  // Look up the return before the total, so that the total includes the return if it has succeeded.
  const known = await rail.lookupRefund({ ...back, signal: callSignal(deps) });
  const total = await totalAtRail();
  if (isBack(total)) return { kind: 'back' };
  if (total.kind === 'unknown') return total;
  // Wait for a return in progress: a pending part can still fail.
  if (known.kind === 'unknown') return known;
  if (total.kind !== 'total' || known.kind === 'pending') return { kind: 'open' };
  const restCents = row.amount - total.refundedCents - total.pendingCents - openCents - lostCents;
  if (restCents <= 0) return { kind: 'open' };
  // During the look-ups, an operator may have returned the money or adopted the orphan (rule 29).
  const mark = await markReturn(deps, call.reference);
  if (!mark) return { kind: 'open' };
  const partCents = restCents === row.amount ? null : restCents;
  const { refundedCents } = total;
  const idempotencyKey = keyOfReturn(call.reference, { known, refundedCents, partCents, ...mark });
  const ofRefund = { ...back, idempotencyKey, signal: mark.signal, amountCents: restCents };
  const refunded = await unlessThrown(deps, charge, mark, () => rail.refund(ofRefund));
  if (refunded.kind === 'failed' && !refunded.railReference)
    await countRefusedReturn(deps.pool, call.reference, mark);
  // The rail may have replayed the key's first answer, so only the total counts.
  if (refunded.kind === 'unknown') return refunded;
  return { kind: refunded.kind === 'succeeded' && isBack(await totalAtRail()) ? 'back' : 'open' };
}

interface ReturnToKey {
  /** The latest return that the rail knows. */
  readonly known: RefundOutcome;
  readonly refundedCents: number;
  /** Null means the whole charge. */
  readonly partCents: number | null;
  readonly refused: number;
}

/**
 * The rail repeats a key's first answer, so after a return that failed, was rejected or was too small, the next return
 * needs another key. The key contains the last failed return known to the rail: while a look-up does not show the
 * latest call yet, that call is repeated instead of another one being sent.
 */
function keyOfReturn(paymentId: string, { known, refundedCents, partCents, refused }: ReturnToKey): string {
  const parts = [paymentId, 'return'];
  if (known.kind === 'failed' && known.railReference) parts.push(known.railReference);
  if (refused > 0) parts.push(`refused-${refused}`);
  if (partCents !== null) parts.push(`rest-${partCents}`);
  if (known.kind === 'succeeded') parts.push(`after-${refundedCents}`);
  return parts.join(':');
}

export function createReturnActivities(deps: ActivityDeps) {
  return {
    judgeAfterEnd: (paymentId: string) => judge(deps, paymentId),
    returnCharge: (paymentId: string) => returnCharge(deps, paymentId),
  };
}
