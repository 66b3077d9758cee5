/**
 * A subscription with a property unknown to the import stays at Stripe and is listed with that property, and
 * one unusual object never stops the others. The double's responses go beyond Stripe's description, as after
 * a release of its API.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { addPrice } from './double/billing.ts';
import { subscriptionObject } from './double/billing-objects.ts';
import {
  type BilledPrice,
  type BilledSubscription,
  type DoubleCustomer,
  newId,
  unixNow,
} from './double/state.ts';
import { addBilled, addCustomer, clearStripe, runImport } from './import-run.ts';
import { type StripeService, startStripeService } from './service.ts';

const DAY = 86_400;

let service: StripeService;
beforeAll(async () => {
  service = await startStripeService();
  await service.useAccount();
  service.stripe.theirs.settings.isAhead = true;
}, 300_000);
afterAll(() => service?.close());
beforeEach(() => clearStripe(service));

const subscription = (values: Partial<BilledSubscription> = {}) => addBilled(service, values);
const price = (values: Partial<BilledPrice> = {}) => addPrice(service.stripe.theirs, values);
const customer = (values: Partial<DoubleCustomer>) => addCustomer(service, values);
const run = (...more: readonly string[]) => runImport(service, ...more);

/** The subscription, with these fields in its only item. */
function withItem(there: BilledSubscription, fields: object): BilledSubscription {
  const { items } = subscriptionObject(service.stripe.theirs, there);
  there.with = { items: { ...items, data: items.data.map((item) => ({ ...item, ...fields })) } };
  return there;
}

const BILL_UNTIL = { computed_timestamp: 1, duration: null, timestamp: 1, type: 'timestamp' };
const SCHEDULE = { applies_to: null, bill_until: BILL_UNTIL, key: 'prebilled' };
const set = (fields: object) => () => subscription({ with: fields });
const setOnItem = (fields: object) => () => withItem(subscription(), fields);
const setOnCustomer = (fields: Partial<DoubleCustomer>) => () => subscription(customer(fields));

test.each<readonly [string, string, () => BilledSubscription]>([
  ['billed in advance', 'It has billing_schedules', set({ billing_schedules: [SCHEDULE] })],
  [
    'shown in another currency',
    'It has presentment_details',
    set({ presentment_details: { presentment_currency: 'usd' } }),
  ],
  ['sold by Stripe itself', 'It has managed_payments', set({ managed_payments: { enabled: true } })],
  ['charged to a source', 'It has default_source', set({ default_source: 'card_1' })],
  [
    'invoiced at a threshold',
    'It has billing_thresholds',
    set({ billing_thresholds: { amount_gte: 5_000, reset_billing_cycle_anchor: null } }),
  ],
  [
    'whose card awaits its bank’s confirmation',
    'It has pending_setup_intent',
    set({ pending_setup_intent: 'seti_1' }),
  ],
  ['on a test clock', 'It has test_clock', set({ test_clock: 'clock_1' })],
  ['in an unknown billing mode', 'It has billing_mode', set({ billing_mode: { type: 'lunar' } })],
  ['with a field of a later API version', 'It has loyalty_credit', set({ loyalty_credit: 500 })],
  ['with a flag of a later API version', 'It has doubled_in_december', set({ doubled_in_december: false })],
  [
    'whose trial ends apart from its period',
    'Its trial does not end with its period.',
    set({ status: 'trialing', trial_end: unixNow() + 90 * DAY }),
  ],
  [
    'billed beyond its period',
    'Its item has billed_until',
    setOnItem({ billed_until: unixNow() + 400 * DAY }),
  ],
  [
    'with a trial of its item',
    'Its item has current_trial',
    setOnItem({ current_trial: { end_date: 2, start_date: 1, trial_offer: 'to_1' } }),
  ],
  ['with a quantity of 1.5', 'Its quantity is 1.5.', setOnItem({ quantity: 1.5 })],
  [
    'of a customer whose id the merchant chose',
    'Its customer’s id does not begin with cus_.',
    setOnCustomer({ id: 'kunde-17' }),
  ],
  [
    'of a customer with credit in euros',
    'Its customer has invoice_credit_balance',
    setOnCustomer({ with: { invoice_credit_balance: { eur: -500 } } }),
  ],
  [
    'of a customer with a field of a later API version',
    'Its customer has wallet_first',
    setOnCustomer({ with: { wallet_first: true } }),
  ],
])('a subscription %s stays at Stripe, and the report names the field', async (_, why, add) => {
  const there = add();
  const other = subscription();
  const { row } = await run('--yes');
  expect(row(there.id)).toMatchObject({ state: 'stays', id: null });
  expect(row(there.id).why.join(' ')).toContain(why);
  expect(there).toMatchObject({ cancelAtPeriodEnd: false, metadata: {} });
  expect(row(other.id).state).toBe('moved');
});

test('fields without effect at Stripe do not prevent a move', async () => {
  const there = subscription({
    with: {
      application: 'ca_1',
      description: 'Frisch geröstet',
      managed_payments: { enabled: false },
      presentment_details: { presentment_currency: 'eur' },
      payment_settings: {
        payment_method_options: null,
        payment_method_types: ['card'],
        save_default_payment_method: 'off',
      },
      trial_settings: { end_behavior: { missing_payment_method: 'create_invoice' } },
      invented_and_empty: null,
    },
  });
  const billed = subscription();
  withItem(billed, { billed_until: billed.periodEnd, current_trial: null, plan: { id: 'plan_1' } });
  const { row } = await run();
  expect([row(there.id), row(billed.id)]).toMatchObject([
    { state: 'moves', why: [] },
    { state: 'moves', why: [] },
  ]);
});

describe('an unusual object', () => {
  test.each<readonly [string, string, () => string]>([
    ['subscription without items', 'items.data', () => emptied({})],
    [
      'cancelled subscription that an import had moved, without items',
      'items.data',
      () => emptied({ status: 'canceled', metadata: { moved_to: 'ap_sub_1' } }),
    ],
    [
      'subscription whose period is not a number',
      'items.data.0.current_period_end',
      () => withItem(subscription(), { current_period_end: 'soon' }).id,
    ],
    [
      'quarterly price',
      'recurring.interval',
      () =>
        price({ with: { recurring: { interval: 'quarter', interval_count: 1, usage_type: 'licensed' } } }).id,
    ],
    ['customer without a date', 'created', () => customer({ with: { created: null } }).customer],
    ['product without a date', 'created', () => unpriced({ created: null })],
  ])('stays at Stripe while other objects move (%s)', async (_, field, add) => {
    const odd = add();
    const other = subscription();
    const { code, row } = await run('--yes');
    expect(code).toBe(1);
    expect(row(odd)).toMatchObject({
      state: 'stays',
      id: null,
      why: [expect.stringContaining(`: ${field}`)],
    });
    expect(row(other.id).state).toBe('moved');
  });

  test('is listed if it is a pending invoice item, while subscriptions move', async () => {
    const there = subscription();
    service.stripe.theirs.pendingItems.push({ id: 'ii_odd', customer: 17 as unknown as string });
    const { row } = await run('--yes');
    expect(row('ii_odd')).toMatchObject({ state: 'stays', why: [expect.stringContaining(': customer')] });
    expect(row(there.id).state).toBe('moved');
  });

  test('is not listed if it is a subscription that has ended', async () => {
    const odd = emptied({ status: 'canceled' });
    const { rows } = await run();
    expect(rows.map(({ source }) => source)).not.toContain(odd);
  });

  test('keeps its subscriptions at Stripe if it is a quarterly price', async () => {
    const recurring = { interval: 'quarter', interval_count: 1, usage_type: 'licensed' };
    const there = subscription({ price: price({ with: { recurring } }) });
    const { row } = await run('--yes');
    expect(row(there.id)).toMatchObject({
      state: 'stays',
      why: ['Its price is not among the account’s recurring prices.'],
    });
    expect(there.metadata).toEqual({});
  });

  test('does not stop the import of other objects if it is a customer deleted during the import', async () => {
    const [gone, other] = [customer({}), subscription()];
    service.stripe.proxy.strike({
      method: 'GET',
      path: new RegExp(`${gone.customer}/payment_methods`),
      trouble: 'slow',
      until: Promise.resolve(),
      onStruck: () => service.stripe.theirs.customers.delete(gone.customer),
    });
    const { row } = await run('--yes');
    expect(row(other.id).state).toBe('moved');
  });

  function emptied(values: Partial<BilledSubscription>): string {
    const there = subscription(values);
    const { items } = subscriptionObject(service.stripe.theirs, there);
    there.with = { items: { ...items, data: [] } };
    return there.id;
  }

  function unpriced(fields: object): string {
    const id = newId('prod');
    service.stripe.theirs.products.push({ id, name: 'Tasse', with: fields });
    return id;
  }
});

describe('the name of a product', () => {
  const named = z.object({ name: z.string(), status: z.string(), amount: z.number() });
  const here = (id: string | null) =>
    service.world.pool.one(sql.type(named)`
      select product.name, product.status, price.amount
      from products product join prices price on price.product_id = product.id where product.id = ${id}
    `);

  test('is not replaced by the price’s nickname, which customers never see', async () => {
    const there = subscription({ price: price({ with: { nickname: 'alter Preis, Kulanz' } }) });
    const { row } = await run('--yes');
    expect(await here(row(there.price.id).id)).toMatchObject({ name: 'Kaffee-Abo' });
  });

  test.each(['x'.repeat(201), 'x'.repeat(5_252)])('is rejected if the API would reject it', async (name) => {
    const there = subscription({ price: price({ name }) });
    const { row } = await run('--yes');
    expect(row(there.price.id)).toMatchObject({ state: 'stays', why: [expect.stringContaining('Its name')] });
    expect(row(there.id).state).toBe('stays');
    expect(there.metadata).toEqual({});
  });

  test.each(['archived', 'inline'] as const)(
    'is read from the subscription’s item if its price is %s and not listed',
    async (kind) => {
      const there = subscription({
        price: price({
          name: 'Tee-Abo',
          amount: 700,
          active: kind === 'inline',
          isInline: kind === 'inline',
        }),
      });
      const { row } = await run('--yes');
      expect(row(there.id)).toMatchObject({ state: 'moved', why: [] });
      const status = kind === 'inline' ? 'active' : 'inactive';
      expect(await here(row(there.price.id).id)).toEqual({ name: 'Tee-Abo', status, amount: 700 });
    },
  );
});
