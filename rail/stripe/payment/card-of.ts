/**
 * Identifies a payment method's card: Stripe reveals its fingerprint to secret keys only, not to the browser script.
 */
import { call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { fingerprintOf, methodSchema } from '../core/method.ts';

export async function cardOf(api: StripeApi, methodToken: string): Promise<string | null> {
  const found = await call(api, methodSchema, (stripe) => stripe.paymentMethods.retrieve(methodToken));
  return found.kind === 'answer' ? fingerprintOf(found.value) : null;
}
