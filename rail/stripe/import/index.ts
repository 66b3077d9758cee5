/** Reads an account's customers, prices and subscriptions, and takes a subscription over from Stripe. */
import type { AccountContents, AccountSource } from '../../account-source.ts';
import { RailListFailed } from '../../lists.ts';
import type { RailAccount } from '../../rail-account.ts';
import { type Answer, call } from '../core/call.ts';
import type { StripeApi } from '../core/client.ts';
import { allPages } from '../core/pages.ts';
import { unknownOf } from '../core/refused.ts';
import { customerPage, sourceCustomer } from './customer.ts';
import { methodsOf } from './method.ts';
import { pricePage, sourcePlan } from './price.ts';
import { productPage, withoutPrice } from './product.ts';
import { pendingItemPage, subscriptionPage, subscriptionSchema } from './schema.ts';
import { endedAsCancelled, endedByUs, sourceSubscription, stoppedByUs } from './subscription.ts';

const EXPAND = [
  'customer',
  'customer.invoice_settings.default_payment_method',
  'default_payment_method',
  'latest_invoice',
];

type Open = (account: RailAccount, signal: AbortSignal) => StripeApi;

/** @param open throws RailListFailed without a usable credential */
export function accountSource(open: Open): AccountSource {
  return {
    read: (account, signal) => read(open(account, signal)),
    readAgain: async (request) => {
      const api = open(request.account, request.signal);
      const found = await retrieve(api, request.id);
      if (found.kind !== 'answer') return unknownOf(found);
      const { customer } = found.value;
      const owing = await owingCustomers(api, typeof customer === 'string' ? customer : customer.id);
      if (owing.kind !== 'answer') return unknownOf(owing);
      return { kind: 'found', value: sourceSubscription(found.value, owing.value) };
    },
    stop: async (request) => {
      const api = open(request.account, request.signal);
      // Only `true` is ever sent, so that a repeated call, or a late one, changes nothing more.
      const stopped = await call(api, subscriptionSchema, (stripe) =>
        stripe.subscriptions.update(request.id, {
          cancel_at_period_end: true,
          cancellation_details: { comment: stoppedByUs(request.movedTo) },
          metadata: { moved_to: request.movedTo },
          expand: EXPAND,
        }),
      );
      if (stopped.kind !== 'answer') return unknownOf(stopped);
      return { kind: 'stopped', value: sourceSubscription(stopped.value, new Set()) };
    },
    end: (request) => end(open(request.account, request.signal), request),
  };
}

async function read(api: StripeApi): Promise<AccountContents> {
  const customers = await listed(
    allPages((page) => call(api, customerPage, (stripe) => stripe.customers.list(page))),
  );
  const prices = await listed(
    allPages((page) =>
      call(api, pricePage, (stripe) => stripe.prices.list({ ...page, expand: ['data.product'] })),
    ),
  );
  const products = await listed(
    allPages((page) => call(api, productPage, (stripe) => stripe.products.list(page))),
  );
  const owing = await listed(owingCustomers(api));
  const expand = EXPAND.map((path) => `data.${path}`);
  const subscriptions = await listed(
    allPages((page) =>
      call(api, subscriptionPage, (stripe) => stripe.subscriptions.list({ ...page, status: 'all', expand })),
    ),
  );
  const priced = new Set(prices.map(({ product }) => (typeof product === 'string' ? product : product.id)));
  // Each purchase here makes a customer at Stripe, which is not the merchant's.
  const own = customers.filter(({ metadata }) => !metadata?.rail_account);
  const ids = own.map(({ id }) => id);
  return {
    customers: own.map(sourceCustomer),
    plans: prices.map(sourcePlan),
    products: products.filter(({ id }) => !priced.has(id)).map(withoutPrice),
    subscriptions: subscriptions
      .filter(({ status, metadata }) => !OVER.includes(status) || metadata?.moved_to)
      .map((subscription) => sourceSubscription(subscription, owing)),
    methods: await listed(methodsOf(api, ids)),
  };
}

/**
 * Those with invoice items that wait for the next renewal, as a change of price leaves them.
 * @param customer only whether this one is among them, in one call
 */
async function owingCustomers(api: StripeApi, customer?: string): Promise<Answer<ReadonlySet<string>>> {
  const pending = await allPages(
    (page) =>
      call(api, pendingItemPage, (stripe) =>
        stripe.invoiceItems.list({ ...page, pending: true, ...(customer && { customer }) }),
      ),
    () => customer !== undefined,
  );
  if (pending.kind !== 'answer') return pending;
  return { kind: 'answer', value: new Set(pending.value.map((item) => item.customer)) };
}

const OVER = ['canceled', 'incomplete_expired'];

function retrieve(api: StripeApi, id: string) {
  return call(api, subscriptionSchema, (stripe) => stripe.subscriptions.retrieve(id, { expand: EXPAND }));
}

async function end(
  api: StripeApi,
  { id, movedTo, isCancelled }: Parameters<AccountSource['end']>[0],
): ReturnType<AccountSource['end']> {
  const ended = await call(api, subscriptionSchema, (stripe) =>
    stripe.subscriptions.cancel(id, {
      prorate: false,
      invoice_now: false,
      cancellation_details: { comment: isCancelled ? endedAsCancelled(movedTo) : endedByUs(movedTo) },
      expand: EXPAND,
    }),
  );
  if (ended.kind === 'answer') return { kind: 'ended' };
  if (ended.kind !== 'missing') return unknownOf(ended);
  // Stripe does not find a subscription to cancel that has ended already, and does not say how it ended.
  const found = await retrieve(api, id);
  if (found.kind !== 'answer') return unknownOf(found);
  const { state } = sourceSubscription(found.value, new Set());
  if (state === 'over') return { kind: 'ended' };
  return state === 'cancelled' ? { kind: state } : { kind: 'unknown', reason: 'malformed_answer' };
}

async function listed<Found>(asked: Promise<Answer<Found>>): Promise<Found> {
  const answer = await asked;
  if (answer.kind !== 'answer') throw new RailListFailed('stripe', unknownOf(answer).reason);
  return answer.value;
}
