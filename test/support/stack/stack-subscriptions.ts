/** Subscriptions on the whole stack, over HTTP only, as a merchant uses them. */
import { randomUUID } from 'node:crypto';
import { buy } from './purchases.ts';
import type { TestStack } from './stack.ts';

export interface HttpAnswer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect answers of any shape.
  readonly body: any;
}

export interface ShopEvent {
  readonly receivedAt: string;
  readonly deliveryAttempt: number;
  readonly verified: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests inspect answers of any shape.
  readonly event: any;
}

/**
 * Sends a request up to three times under the same key while the service does not know the outcome (a busy
 * machine).
 */
export async function call(
  stack: TestStack,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  key: string = randomUUID(),
): Promise<HttpAnswer> {
  const ask = () =>
    fetch(stack.apiUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${stack.merchant.apiKey}`,
        ...(method === 'POST' && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  for (let asked = 1; ; asked++) {
    const response = await ask();
    const answer = { status: response.status, body: await response.json() };
    if (answer.status === 500) {
      const errors = stack.part('api').lines.filter((line) => line.includes('"err"'));
      throw new Error(`${method} ${path} answered 500: ${errors.at(-1)}`);
    }
    if (answer.status !== 503 || asked === 3) return answer;
  }
}

export const post = (stack: TestStack, path: string, body?: unknown, key?: string) =>
  call(stack, 'POST', path, body, key);

export interface Bought {
  readonly id: string;
  readonly externalCustomerId: string;
}

/** Buys a recurring product with a test card; one at a time. */
export async function buySubscription(
  stack: TestStack,
  { productId = stack.products.recurring, card = '4242424242424242' } = {},
): Promise<Bought> {
  const externalCustomerId = `customer-${randomUUID()}`;
  const before = new Set((await subscriptions(stack)).map(({ id }) => id));
  const email = `${externalCustomerId}@example.com`;
  await buy(stack, { productId, card, email, request: { externalCustomerId } });
  const bought = (await subscriptions(stack)).find(({ id }) => !before.has(id));
  if (!bought) throw new Error('there is no new subscription');
  return { id: bought.id, externalCustomerId };
}

async function subscriptions(stack: TestStack): Promise<readonly { readonly id: string }[]> {
  return (await call(stack, 'GET', '/v1/subscriptions')).body.data;
}

export async function subscriptionOf(stack: TestStack, id: string): Promise<HttpAnswer['body']> {
  return (await subscriptions(stack)).find((each) => each.id === id);
}

/** Oldest first. */
export async function invoicesOfStack(stack: TestStack, id: string): Promise<HttpAnswer['body'][]> {
  const { body } = await call(stack, 'GET', '/v1/invoices');
  return body.data.filter((each: { subscription_id: string }) => each.subscription_id === id).reverse();
}

/** Events that the shop's endpoint has received and verified about a customer, in order of arrival. */
export async function eventsOf(stack: TestStack, externalCustomerId: string): Promise<readonly ShopEvent[]> {
  const events = (await (await fetch(stack.webhook.eventsUrl)).json()) as ShopEvent[];
  return events.filter(({ event }) => event.customer?.external_customer_id === externalCustomerId);
}

/** Moves the subscription's clock. The service answers when it has arrived, or earlier if that takes long (rule 20). */
export async function advanceTo(stack: TestStack, id: string, to: string): Promise<void> {
  const first = await post(stack, `/v1/subscriptions/${id}/advance`, { to });
  if (first.status !== 202)
    throw new Error(`the clock was not moved: ${first.status} ${JSON.stringify(first.body)}`);
}

export interface LedgerEntry {
  readonly reference: string;
  readonly operation: string;
  readonly amount: number;
  readonly outcome: string;
}

export async function ledgerOf(stack: TestStack): Promise<readonly LedgerEntry[]> {
  return (await fetch(`${stack.railUrl}/ledger`)).json() as Promise<LedgerEntry[]>;
}

export const inDays = (instant: string, days: number): string =>
  new Date(Date.parse(instant) + days * 86_400_000).toISOString();
