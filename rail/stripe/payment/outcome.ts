/** Maps an intent's state to the attempt's outcome. */
import type { RailOutcome } from '../../outcomes.ts';
import { declineOf } from '../core/decline-codes.ts';
import { fingerprintOf, summaryOf } from '../core/method.ts';
import type { Intent } from './intent-schema.ts';
import { mandateOf } from './mandate.ts';

export function outcomeOf(intent: Intent): RailOutcome {
  const { id: railReference, status, failure, moved } = intent;
  const method = summaryOf(intent.method);
  const cardFingerprint = fingerprintOf(intent.method);
  switch (status) {
    case 'succeeded':
      return { kind: 'approved', railReference, method, mandate: mandateOf(intent), moved };
    case 'requires_action':
      return intent.challengeUrl
        ? { kind: 'challenge', url: intent.challengeUrl, railReference, method }
        : { kind: 'pending', railReference, method };
    // This service never requests manual capture, so an operator must look at the intent.
    case 'requires_capture':
    case 'processing':
      return { kind: 'pending', railReference, method };
    case 'requires_payment_method':
      return failure
        ? { kind: 'declined', ...declineOf(failure), railReference, method, cardFingerprint }
        : { kind: 'notFound' };
    // The intent was never confirmed: there is no charge, and none can follow.
    case 'requires_confirmation':
      return { kind: 'notFound' };
    // `close.ts` cancels intents that failed; their failure is the outcome.
    case 'canceled':
      return failure
        ? { kind: 'declined', ...declineOf(failure), railReference, method, cardFingerprint }
        : { kind: 'cancelled', railReference };
  }
}
