/** A customer's stored payment method, as the import reads it. */
import { z } from 'zod';
import type { SourceMethod } from '../../account-source.ts';
import { type Answer, call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { instantOf } from '../core/instant.ts';
import { type Listed, pageOf } from '../core/listed.ts';
import { allPages } from '../core/pages.ts';

const method = z.object({ id: z.string().min(1), created: z.number().int(), type: z.string() });
const methodPage = pageOf(method);

/** Concurrent reads: Stripe lists one customer's methods per call. Far below its limit of 100 reads a second. */
const AT_ONCE = 8;

/** Returns methods of every type, in the order of the customers. */
export async function methodsOf(
  api: StripeApi,
  customerIds: readonly string[],
): Promise<Answer<readonly Listed<SourceMethod>[]>> {
  const found: (readonly Listed<SourceMethod>[])[] = [];
  for (let from = 0; from < customerIds.length; from += AT_ONCE) {
    const answers = await Promise.all(
      customerIds.slice(from, from + AT_ONCE).map((customerId) => ofCustomer(api, customerId)),
    );
    for (const answer of answers) {
      // The customer was deleted after the list of customers was read; Stripe may report that as an invalid parameter.
      if (answer.kind === 'missing' || answer.kind === 'declined') continue;
      if (answer.kind !== 'answer') return answer;
      found.push(answer.value);
    }
  }
  return { kind: 'answer', value: found.flat() };
}

async function ofCustomer(
  api: StripeApi,
  customerId: string,
): Promise<Answer<readonly Listed<SourceMethod>[]>> {
  const answer = await allPages((page) =>
    call(api, methodPage, (stripe) => stripe.customers.listPaymentMethods(customerId, page)),
  );
  if (answer.kind !== 'answer') return answer;
  const value = answer.value.map((each) =>
    each.isRead ? { ...each, item: sourceMethod(each.item, customerId) } : each,
  );
  return { kind: 'answer', value };
}

function sourceMethod({ id, created, type }: z.infer<typeof method>, customerId: string): SourceMethod {
  return {
    id,
    createdAt: instantOf(created),
    obstacles: type === 'card' ? [] : [`It is ${type}; only cards are charged here.`],
    customerId,
  };
}
