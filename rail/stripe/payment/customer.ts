/**
 * Creates one Stripe customer per payment, so that an intent whose id was lost is found in its customer's list. The
 * customer has the service's ids and no personal data; it is kept as long as its mandate may be charged.
 */
import { z } from 'zod';
import { type Answer, call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';

const customerSchema = z.object({ id: z.string().min(1) });

export async function createCustomer(
  api: StripeApi,
  metadata: Readonly<Record<string, string>>,
  options: { readonly idempotencyKey: string },
): Promise<Answer<string>> {
  const answer = await call(api, customerSchema, (stripe) => stripe.customers.create({ metadata }, options));
  return answer.kind === 'answer' ? { kind: 'answer', value: answer.value.id } : answer;
}
