/** A stored payment method of a customer, as the import reads it. */
import { z } from 'zod';
import type { SourceMethod } from '../../account-source.ts';
import { type Answer, call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { instantOf } from '../core/instant.ts';
import { allPages } from '../core/pages.ts';

const method = z.object({ id: z.string().min(1), created: z.number().int(), type: z.string() });
const methodPage = z.object({ data: z.array(method), has_more: z.boolean() });

/** Stripe lists the methods of one customer at a time. Far below its limit of 100 reads a second. */
const AT_ONCE = 8;

/** Of every type, in the order of the customers. */
export async function methodsOf(
  api: StripeApi,
  customerIds: readonly string[],
): Promise<Answer<readonly SourceMethod[]>> {
  const found: (readonly SourceMethod[])[] = [];
  for (let from = 0; from < customerIds.length; from += AT_ONCE) {
    const answers = await Promise.all(
      customerIds.slice(from, from + AT_ONCE).map((customerId) => ofCustomer(api, customerId)),
    );
    for (const answer of answers) {
      // Its customer was deleted since the list of customers was read.
      if (answer.kind === 'missing') continue;
      if (answer.kind !== 'answer') return answer;
      found.push(answer.value);
    }
  }
  return { kind: 'answer', value: found.flat() };
}

async function ofCustomer(api: StripeApi, customerId: string): Promise<Answer<readonly SourceMethod[]>> {
  const answer = await allPages((page) =>
    call(api, methodPage, (stripe) => stripe.customers.listPaymentMethods(customerId, page)),
  );
  if (answer.kind !== 'answer') return answer;
  const value = answer.value.map(({ id, created, type }) => ({
    id,
    createdAt: instantOf(created),
    obstacles: type === 'card' ? [] : [`It is ${type}; only cards are charged here.`],
    customerId,
  }));
  return { kind: 'answer', value };
}
