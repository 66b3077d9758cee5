/**
 * A customer of Stripe's for each payment, under which its intent is listed: the way back to an intent whose own
 * id was lost. It has our ids and nothing personal; a mandate hangs on it for as long as it may be charged.
 */
import { z } from 'zod';
import { type Answer, call } from './call.ts';
import type { StripeApi } from './client.ts';

const customerSchema = z.object({ id: z.string().min(1) });

export async function createCustomer(
  api: StripeApi,
  metadata: Readonly<Record<string, string>>,
  options: { readonly idempotencyKey: string },
): Promise<Answer<string>> {
  const answer = await call(api, customerSchema, (stripe) => stripe.customers.create({ metadata }, options));
  return answer.kind === 'answer' ? { kind: 'answer', value: answer.value.id } : answer;
}
