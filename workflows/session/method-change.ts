import { rail } from '../core/proxies.ts';
import { checkout } from './checkout.ts';
import type { SessionInput, StateAnswer } from './session-messages.ts';

/**
 * The promise: the method is replaced, or the merchant hears that it was not. It is a session's promise, of 0
 * cents and a quarter of an hour: one attempt at a time, strong authentication, an outcome that is looked up. What
 * a success leads to (`db/session/close-method-change.ts`) commits with it; then the subscription's own workflow charges
 * what is unpaid (rule 8).
 */
export async function methodChange(input: SessionInput): Promise<StateAnswer> {
  const answer = await checkout(input);
  if (answer.state === 'succeeded') await rail.tellSubscription(input.checkoutId);
  return answer;
}
