/** The next states of payment and invoice after an answer about an off-session charge. Pure. */
import type { AttemptOutcome } from '../payment/attempt.ts';
import type { PaymentStatus } from '../payment/payment.ts';

export interface NextChargeStates {
  readonly payment: PaymentStatus;
  /**
   * `declined`: dunning begins or continues; `notCharged`: the attempt ended without an answer from the bank, and the
   * invoice is charged again; `unknown`: looked up until the outcome is known.
   */
  readonly invoice: 'paid' | 'declined' | 'notCharged' | 'unknown';
}

export function nextChargeStates(outcome: AttemptOutcome): NextChargeStates {
  switch (outcome.kind) {
    case 'approved':
      return { payment: 'succeeded', invoice: 'paid' };
    case 'declined':
      return { payment: 'failed', invoice: 'declined' };
    case 'cancelled':
      return { payment: 'cancelled', invoice: 'notCharged' };
    case 'challenge':
    case 'pending':
    case 'notFound':
    case 'unknown':
      return { payment: 'processing', invoice: 'unknown' };
  }
}

/** Delays before an invoice whose attempt ended without an answer is charged again; the last one repeats. */
const AGAIN_SECONDS = [60, 300, 900, 3_600, 21_600, 86_400] as const;
const LONGEST_WAIT_SECONDS = 86_400;

/** Attempts without an answer after which the operator is alerted, once per invoice. */
export const ALERT_AFTER_UNANSWERED = 4;

/** @param attemptsWithoutAnswer at least 1 */
export function chargeAgainInSeconds(attemptsWithoutAnswer: number): number {
  return AGAIN_SECONDS[attemptsWithoutAnswer - 1] ?? LONGEST_WAIT_SECONDS;
}

/** Number of unanswered attempts after which a moving clock jumps; longer than any dunning schedule. */
const JUMPS_AFTER = 30;

/**
 * A moving sandbox clock skips waits. After about a month of unanswered daily charges, the next one is due at the
 * clock's target instead of daily for years (rule 37).
 */
export function chargeAgainAt(
  now: string,
  attemptsWithoutAnswer: number,
  clockTarget: string | null,
): string {
  const at = new Date(Date.parse(now) + 1_000 * chargeAgainInSeconds(attemptsWithoutAnswer)).toISOString();
  const jumps = clockTarget !== null && attemptsWithoutAnswer >= JUMPS_AFTER;
  return jumps && clockTarget > at ? clockTarget : at;
}
