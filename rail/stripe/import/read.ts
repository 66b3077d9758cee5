/** Reads all objects of an account. */
import type { AccountContents, UnreadRow } from '../../account-source.ts';
import { RailListFailed } from '../../lists.ts';
import { type Answer, call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { type Listed, listedOf, metadataOf, pageOf } from '../core/listed.ts';
import { allPages } from '../core/pages.ts';
import { unknownOf } from '../core/refused.ts';
import { customerSchema, sourceCustomer } from './customer.ts';
import { methodsOf } from './method.ts';
import { type Price, priceSchema, sourcePlan } from './price.ts';
import { productSchema, withoutPrice } from './product.ts';
import { pendingItem, type Subscription, subscriptionSchema } from './schema.ts';
import { sourceSubscription } from './subscription.ts';

export const EXPAND = [
  'customer',
  'customer.invoice_settings.default_payment_method',
  'default_payment_method',
  'latest_invoice',
];

/** @throws RailListFailed */
export async function readAccount(api: StripeApi): Promise<AccountContents> {
  const unread: UnreadRow[] = [];
  /** Returns the readable objects and records the ids of the others. */
  function sifted<Item>(kind: UnreadRow['kind'], found: readonly Listed<Item>[]): readonly Item[] {
    return found.flatMap((each) => {
      if (each.isRead) return [each.item];
      unread.push({ kind, id: each.id, obstacles: [`It is ${each.why}.`] });
      return [];
    });
  }
  // Leave out the customers that this service has created at Stripe for purchases.
  const customers = sifted('customer', (await customersOf(api)).filter(isMerchants));
  const listedPrices = await pricesOf(api);
  const products = sifted('product', await productsOf(api));
  const pending = sifted('invoice_item', await answered(pendingItems(api)));
  const owing = new Set(pending.flatMap(({ customer }) => customer ?? []));
  const subscriptions = sifted('subscription', (await subscriptionsOf(api)).filter(isBilled));
  const prices = sifted('plan', [...listedPrices, ...unlistedPrices(subscriptions, listedPrices)]);
  const productOf = new Map(products.map((product) => [product.id, product]));
  const priced = new Set(prices.map(({ product }) => product));
  const ids = customers.map(({ id }) => id);
  return {
    customers: customers.map(sourceCustomer),
    plans: prices.map((price) => sourcePlan(price, productOf.get(price.product))),
    products: products.filter(({ id }) => !priced.has(id)).map(withoutPrice),
    subscriptions: subscriptions.map((subscription) => sourceSubscription(subscription, owing)),
    methods: sifted('payment_method', await answered(methodsOf(api, ids))),
    unread,
  };
}

function customersOf(api: StripeApi) {
  return answered(
    allPages((page) => call(api, pageOf(customerSchema), (stripe) => stripe.customers.list(page))),
  );
}

function pricesOf(api: StripeApi) {
  return answered(allPages((page) => call(api, pageOf(priceSchema), (stripe) => stripe.prices.list(page))));
}

function productsOf(api: StripeApi) {
  return answered(
    allPages((page) => call(api, pageOf(productSchema), (stripe) => stripe.products.list(page))),
  );
}

function subscriptionsOf(api: StripeApi) {
  const expand = EXPAND.map((path) => `data.${path}`);
  return answered(
    allPages((page) =>
      call(api, pageOf(subscriptionSchema), (stripe) =>
        stripe.subscriptions.list({ ...page, status: 'all', expand }),
      ),
    ),
  );
}

/**
 * Lists invoice items that wait for the next renewal, for instance after a change of price.
 *
 * @param customer limits the search to this customer, in one call
 */
export function pendingItems(api: StripeApi, customer?: string) {
  return allPages(
    (page) =>
      call(api, pageOf(pendingItem), (stripe) =>
        stripe.invoiceItems.list({ ...page, pending: true, ...(customer && { customer }) }),
      ),
    () => customer !== undefined,
  );
}

function isMerchants(customer: Listed<unknown>): boolean {
  return !metadataOf(customer.raw)?.rail_account;
}

const OVER: readonly unknown[] = ['canceled', 'incomplete_expired'];

/** Returns true if the subscription is billed at Stripe, or may be billed here because an import has moved it. */
function isBilled({ raw }: Listed<unknown>): boolean {
  return !OVER.includes(raw.status) || metadataOf(raw)?.moved_to !== undefined;
}

/** Returns prices that occur only in a subscription's item, not in `listed`: archived ones, and ones created for it. */
function unlistedPrices(
  subscriptions: readonly Subscription[],
  listed: readonly Listed<Price>[],
): readonly Listed<Price>[] {
  const found = new Map(
    subscriptions.flatMap(({ items }) => items.data).map(({ price }) => [price.id, price]),
  );
  for (const { id } of listed) found.delete(id);
  return [...found.values()].map((price) => listedOf(priceSchema, price));
}

async function answered<Found>(asked: Promise<Answer<Found>>): Promise<Found> {
  const answer = await asked;
  if (answer.kind !== 'answer') {
    const { reason, detail } = unknownOf(answer);
    throw new RailListFailed('stripe', reason, detail);
  }
  return answer.value;
}
