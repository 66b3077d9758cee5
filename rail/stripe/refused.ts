/** From a call that Stripe did not carry out to what the service makes of it. */
import type { UnknownReason } from '../../domain/attempt.ts';
import type { RailOutcome, RailUnknown } from '../rail.ts';
import type { Refused } from './call.ts';

/**
 * Of a call that creates or confirms, which alone can be declined.
 * @param railReference the intent that the call was about, null before there was one
 */
export function outcomeOfRefused(refused: Refused, railReference: string | null): RailOutcome {
  if (refused.kind !== 'declined') return unknownOf(refused, NOT_PERMITTED_TO_CHARGE);
  const { code, retryable, method } = refused;
  return { kind: 'declined', code, retryable, railReference, method };
}

/**
 * A key that may not take money serves nobody: its account is refused, so that it is disabled with an alert and
 * shops hear it before their buyers do.
 */
export const NOT_PERMITTED_TO_CHARGE: UnknownReason = 'account_refused';

/**
 * Of any other call: that a question was refused, whatever the code, says nothing about the money. A key that may
 * not do this one thing, refund for example, still takes money: its operator is alerted and sales go on.
 */
export function unknownOf(refused: Refused, notPermitted: UnknownReason = 'misconfigured'): RailUnknown {
  switch (refused.kind) {
    case 'unknown': {
      const { kind, reason } = refused;
      return { kind, reason };
    }
    case 'notPermitted':
      return { kind: 'unknown', reason: notPermitted, detail: refused.detail };
    case 'refused':
      return { kind: 'unknown', reason: 'misconfigured', detail: refused.detail };
    // We kept this id from this account: another account is being asked.
    case 'missing':
      return { kind: 'unknown', reason: 'misconfigured', detail: 'the account has nothing of a known id' };
    case 'declined':
      return { kind: 'unknown', reason: 'misconfigured', detail: 'a question was refused as a charge is' };
    case 'movedOn':
      return { kind: 'unknown', reason: 'misconfigured', detail: 'refused in the state that it is in' };
  }
}
