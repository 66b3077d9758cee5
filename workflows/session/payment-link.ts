import { activities } from '../core/proxies.ts';
import { checkout } from './checkout.ts';
import type { SessionInput, SessionStateAnswer } from './session-messages.ts';

/**
 * Guarantees: the invoice is paid at most once through this link, whose attempts count as the invoice's. It runs like a
 * session of one day. Its result (`db/session/pay-by-link.ts`) commits with each attempt; at its end the subscription's
 * workflow is notified, and continues the work that waited for the link.
 */
export async function paymentLink(input: SessionInput): Promise<SessionStateAnswer> {
  const answer = await checkout(input);
  await activities.tellSubscription(input.checkoutId);
  return answer;
}
