/** From where an intent stands to what the service makes of it. */
import type { RailOutcome } from '../rail.ts';
import { declineOf } from './errors.ts';
import type { Intent } from './intent.ts';
import { mandateOf } from './mandate.ts';
import { summaryOf } from './method.ts';

export function outcomeOf(intent: Intent): RailOutcome {
  const { id: railReference, status, failure } = intent;
  const method = summaryOf(intent.method);
  switch (status) {
    case 'succeeded':
      return { kind: 'approved', railReference, method, mandate: mandateOf(intent) };
    case 'requires_action':
      return intent.challengeUrl
        ? { kind: 'challenge', url: intent.challengeUrl, railReference, method }
        : { kind: 'pending', railReference, method };
    // Money that waits for a capture was not asked for by us; a person has to look at it.
    case 'requires_capture':
    case 'processing':
      return { kind: 'pending', railReference, method };
    case 'requires_payment_method':
      return failure
        ? { kind: 'declined', ...declineOf(failure), railReference, method }
        : { kind: 'notFound' };
    // Created and never confirmed: not a charge, and never to become one.
    case 'requires_confirmation':
      return { kind: 'notFound' };
    // An intent that failed is closed by us (`close.ts`); the failure came first.
    case 'canceled':
      return failure
        ? { kind: 'declined', ...declineOf(failure), railReference, method }
        : { kind: 'cancelled', railReference };
  }
}
