import { activities } from '../core/proxies.ts';
import { checkout } from './checkout.ts';
import type { SessionInput, SessionStateAnswer } from './session-messages.ts';

/**
 * Guarantees: the method is replaced, or the merchant is notified that it was not. It runs like a session of 0 cents and
 * 15 minutes: one attempt at a time, strong authentication, look-ups. Its result (`db/session/close-method-change.ts`)
 * commits together with its end; then the subscription's workflow charges unpaid invoices (rule 8).
 */
export async function methodChange(input: SessionInput): Promise<SessionStateAnswer> {
  const answer = await checkout(input);
  if (answer.state === 'succeeded') await activities.tellSubscription(input.checkoutId);
  return answer;
}
