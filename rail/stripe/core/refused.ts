/** Maps a call that Stripe rejected to an outcome. */
import type { UnknownReason } from '../../../domain/payment/attempt.ts';
import type { RailOutcome, RailUnknown } from '../../outcomes.ts';
import type { Refused } from './call.ts';
import type { ErrorCode } from './decline-codes.ts';

/**
 * Codes for an amount that Stripe never charges, such as less than 0.50 EUR: a decline, so that the retries of a
 * subscription's invoice end. As an unknown outcome, the invoice would stay unpaid and block those after it.
 */
const AMOUNT_CODES: ReadonlySet<string> = new Set([
  'amount_too_large',
  'amount_too_small',
] satisfies ErrorCode[]);

/**
 * Maps a call that creates or confirms an intent: only such calls can be declined.
 *
 * @param railReference the call's intent; null before it exists
 */
export function outcomeOfRefused(refused: Refused, railReference: string | null): RailOutcome {
  if (refused.kind === 'refused' && AMOUNT_CODES.has(refused.code ?? '')) {
    const declined = { kind: 'declined', code: 'processing_error', retryable: true } as const;
    return { ...declined, railReference, method: null, cardFingerprint: null };
  }
  if (refused.kind !== 'declined') return unknownOf(refused, NOT_PERMITTED_TO_CHARGE);
  const { code, retryable, method, cardFingerprint } = refused;
  return { kind: 'declined', code, retryable, railReference, method, cardFingerprint };
}

/**
 * A key that cannot charge is useless: the account is disabled with an alert, so that merchants notice before their
 * buyers do.
 */
export const NOT_PERMITTED_TO_CHARGE: UnknownReason = 'account_refused';

/**
 * Maps any other call: a rejected query proves nothing about the money. A key that lacks one permission, such as for
 * refunds, can still charge, so the operator is alerted and sales continue.
 */
export function unknownOf(refused: Refused, notPermitted: UnknownReason = 'misconfigured'): RailUnknown {
  switch (refused.kind) {
    case 'unknown': {
      const { stored: _, ...unknown } = refused;
      return unknown;
    }
    case 'notPermitted':
      return { kind: 'unknown', reason: notPermitted, detail: refused.detail };
    case 'refused':
      return { kind: 'unknown', reason: 'misconfigured', detail: refused.detail };
    // This account once issued the id, so the credential must now belong to another account.
    case 'missing':
      return { kind: 'unknown', reason: 'misconfigured', detail: 'the account lacks an id that it issued' };
    case 'declined':
      return { kind: 'unknown', reason: 'misconfigured', detail: 'a look-up was answered with a decline' };
    case 'movedOn':
      return { kind: 'unknown', reason: 'misconfigured', detail: 'refused in the current state' };
  }
}
