/** Subscriptions that an import from Stripe does not move: each is listed with the reason. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { insertProduct } from '../../support/db/fixtures.ts';
import { addPrice } from './double/billing.ts';
import { invoiceObject, subscriptionObject } from './double/billing-objects.ts';
import { CARDS } from './double/cards.ts';
import { type BilledSubscription, type DoubleCustomer, type Method, newId, unixNow } from './double/state.ts';
import { addBilled, addCustomer, clearStripe, runImport } from './import-run.ts';
import { type StripeService, startStripeService } from './service.ts';

const DAY = 86_400;

let service: StripeService;
beforeAll(async () => {
  service = await startStripeService();
  await service.useAccount();
}, 300_000);
afterAll(() => service?.close());
beforeEach(() => clearStripe(service));

const customer = (values: Partial<DoubleCustomer> = {}) => addCustomer(service, values);
const subscription = (values: Partial<BilledSubscription> = {}) => addBilled(service, values);
const run = (...more: readonly string[]) => runImport(service, ...more);

const anotherCard = () => ({ method: customer().method });
const TAX_RATE = {
  id: 'txr_1',
  object: 'tax_rate',
  active: true,
  country: null,
  created: 1,
  description: null,
  display_name: 'MwSt',
  effective_percentage: null,
  flat_amount: null,
  inclusive: false,
  jurisdiction: null,
  jurisdiction_level: null,
  livemode: false,
  metadata: {},
  percentage: 19,
  rate_type: null,
  state: null,
  tax_type: null,
};
const PENDING_UPDATE = {
  billing_cycle_anchor: null,
  expires_at: unixNow() + DAY,
  subscription_items: null,
  trial_end: null,
  trial_from_plan: null,
};
const ANCHOR_CONFIG = { day_of_month: 31, hour: null, minute: null, month: null, second: null };
const OBSTACLES: readonly (readonly [string, string, () => Partial<BilledSubscription>])[] = [
  ['past due', 'It is past_due.', () => ({ status: 'past_due' })],
  ['unpaid', 'It is unpaid.', () => ({ status: 'unpaid' })],
  ['not yet begun', 'It is incomplete.', () => ({ status: 'incomplete' })],
  ['paused after its trial', 'It is paused.', () => ({ status: 'paused' })],
  [
    'priced in tiers',
    'Its price',
    () => ({ price: addPrice(service.stripe.theirs, { with: { billing_scheme: 'tiered' } }) }),
  ],
  [
    'in another currency',
    'Its price',
    () => ({ price: addPrice(service.stripe.theirs, { with: { currency: 'usd' } }) }),
  ],
  [
    'by usage',
    'Its price',
    () => ({
      price: addPrice(service.stripe.theirs, {
        with: { recurring: { interval: 'month', interval_count: 1, usage_type: 'metered' } },
      }),
    }),
  ],
  ['with a discount', 'It has a discount.', () => ({ with: { discounts: ['di_1'] } })],
  [
    'with automatic tax',
    'Stripe adds or computes its tax.',
    () => ({ with: { automatic_tax: { enabled: true, disabled_reason: null, liability: null } } }),
  ],
  [
    'with a tax rate',
    'Stripe adds or computes its tax.',
    () => ({ with: { default_tax_rates: [TAX_RATE] } }),
  ],
  [
    'that shares its income with a connected account',
    'It pays a connected account.',
    () => ({ with: { transfer_data: { amount_percent: null, destination: 'acct_1' } } }),
  ],
  [
    'with a platform’s fee',
    'It pays a connected account.',
    () => ({ with: { application_fee_percent: 2.5 } }),
  ],
  [
    'sold for a connected account',
    'It pays a connected account.',
    () => ({ with: { on_behalf_of: 'acct_1' } }),
  ],
  [
    'whose change waits for a payment',
    'It has a pending update that waits for a payment.',
    () => ({ with: { pending_update: PENDING_UPDATE } }),
  ],
  [
    'with invoices between its renewals',
    'Invoice items are billed between its renewals.',
    () => ({ with: { pending_invoice_item_interval: { interval: 'week', interval_count: 1 } } }),
  ],
  [
    'with a configured day of billing',
    'Its billing day is configured separately from its anchor.',
    () => ({ with: { billing_cycle_anchor_config: ANCHOR_CONFIG } }),
  ],
  [
    'with a date on which it ends',
    'It has an end date.',
    () => ({ with: { cancel_at: unixNow() + 90 * DAY } }),
  ],
  [
    'paid by invoice',
    'It is paid by invoice, not charged automatically.',
    () => ({ with: { collection_method: 'send_invoice' } }),
  ],
  [
    'that is paused',
    'Its collection is paused.',
    () => ({ with: { pause_collection: { behavior: 'void', resumes_at: null } } }),
  ],
  ['of a schedule', 'It belongs to a schedule.', () => ({ with: { schedule: 'sub_sched_1' } })],
  ['that ends anyway', 'It ends with its period.', () => ({ cancelAtPeriodEnd: true })],
  ['without a card of its customer', 'Its customer has no stored card', anotherCard],
  ['whose customer has credit', 'Its customer has a balance at Stripe.', () => customer({ balance: -500 })],
  [
    'about to renew',
    'run the import again after that.',
    () => ({ periodEnd: unixNow() + 600, anchor: unixNow() + 600 }),
  ],
  [
    'billed apart from its anchor',
    'does not follow from its billing anchor',
    () => ({ anchor: unixNow() - 9 * DAY }),
  ],
];

test.each(OBSTACLES)(
  'a subscription %s stays at Stripe and is listed with the reason',
  async (_, why, values) => {
    const there = subscription(values());
    const { code, row } = await run('--yes');
    expect(code).toBe(1);
    expect(row(there.id)).toMatchObject({ state: 'stays', id: null });
    expect(row(there.id).why.join(' ')).toContain(why);
    expect(there.metadata).toEqual({});
  },
);

test('a subscription whose customer owes invoice items or the last invoice stays until these are paid', async () => {
  const there = subscription();
  service.stripe.theirs.pendingItems.push({ id: 'ii_1', customer: there.customer });
  expect((await run()).row(there.id).why).toEqual([
    'Its customer has invoice items that wait for the next invoice.',
  ]);
  service.stripe.theirs.pendingItems.length = 0;
  there.with = { latest_invoice: invoiceObject(there, 'open') };
  expect((await run()).row(there.id).why).toEqual(['Its latest invoice is open.']);
  there.with = {};
  expect((await run()).row(there.id).state).toBe('moves');
});

test('a subscription whose currency differs from its price’s is not imported', async () => {
  const there = subscription({ with: { currency: 'usd' } });
  expect((await run('--yes')).row(there.id)).toMatchObject({
    state: 'stays',
    why: ['It is charged in USD, and its price is in EUR.'],
  });
  expect(there.metadata).toEqual({});
});

test('a subscription whose price cannot be written is not stopped at Stripe', async () => {
  const there = subscription();
  const { pool, shop } = service.world;
  await insertProduct(pool, { merchantId: shop.merchantId, externalReference: there.price.id });
  const why = [`Its price ${there.price.id} is not moved.`];
  expect((await run()).row(there.id)).toMatchObject({ state: 'stays', why });
  expect((await run('--yes')).row(there.id)).toMatchObject({ state: 'stays', why });
  expect([there.cancelAtPeriodEnd, there.metadata]).toEqual([false, {}]);
});

test('a subscription that another installation has moved is not billed twice', async () => {
  const there = subscription({
    cancelAtPeriodEnd: true,
    comment: 'moving to ap_sub_elsewhere',
    metadata: { moved_to: 'ap_sub_elsewhere' },
  });
  expect((await run('--yes')).row(there.id)).toMatchObject({
    state: 'stays',
    why: ['It was moved to ap_sub_elsewhere, which differs from its id here.'],
  });
});

test('a subscription that stays although it was already stopped is listed with its end date at Stripe', async () => {
  const there = subscription();
  service.stripe.proxy.strike({ method: 'POST', path: /^\/v1\/subscriptions/, trouble: 'dropAfter' });
  await run('--yes');
  service.stripe.theirs.pendingItems.push({ id: 'ii_1', customer: there.customer });
  expect((await run()).row(there.id)).toMatchObject({
    state: 'stays',
    why: [
      'Its customer has invoice items that wait for the next invoice.',
      expect.stringMatching(/^It ends at its processor on \S+ unless it is moved first, or resumed there\.$/),
    ],
  });
});

test('a subscription whose only item is taxed stays', async () => {
  const there = subscription();
  const { items } = subscriptionObject(service.stripe.theirs, there);
  there.with = { items: { ...items, data: items.data.map((item) => ({ ...item, tax_rates: [TAX_RATE] })) } };
  expect((await run()).row(there.id).why).toEqual(['Stripe adds or computes its tax.']);
});

test('a subscription with several items, or a quantity above 1, stays at Stripe', async () => {
  const there = subscription();
  const { items } = subscriptionObject(service.stripe.theirs, there);
  const [item] = items.data;
  there.with = { items: { ...items, data: [{ ...item, quantity: 3 }] } };
  expect((await run()).row(there.id).why).toEqual(['Its quantity is 3.']);
  there.with = { items: { ...items, data: [item, { ...item, id: 'si_2' }] } };
  expect((await run()).row(there.id).why).toEqual(['It has several items.']);
});

const CHARGED_BY_NONE = 'No subscription uses it: a card is moved only with a subscription that it pays for.';

function store(there: BilledSubscription, more: Partial<Method> = {}): string {
  const { theirs } = service.stripe;
  const id = newId('pm');
  theirs.methods.set(id, {
    id,
    card: CARDS.approved,
    wallet: null,
    customer: there.customer,
    used: true,
    ...more,
  });
  return id;
}

test('a stored method moves with the subscription that charges it; other methods stay and are listed with the reason', async () => {
  const there = subscription();
  const [second, debit] = [store(there), store(there, { isDebit: true })];
  const dry = await run();
  expect(dry.row(there.method ?? '')).toMatchObject({ kind: 'payment_method', state: 'moves', id: null });
  const { code, row } = await run('--yes');
  expect(code).toBe(1);
  expect(row(there.method ?? '')).toMatchObject({ state: 'moved', id: row(there.id).id, why: [] });
  expect(row(second)).toMatchObject({
    kind: 'payment_method',
    state: 'stays',
    id: null,
    why: [CHARGED_BY_NONE],
  });
  expect(row(debit)).toMatchObject({
    state: 'stays',
    why: ['It is sepa_debit; only cards are charged here.'],
  });
  expect((await run('--yes')).row(there.method ?? '')).toMatchObject({
    state: 'there',
    id: row(there.id).id,
  });
});

test('a method whose subscription stays, or may have moved, is listed with its subscription', async () => {
  const [stays, broken] = [subscription({ status: 'past_due' }), subscription()];
  service.stripe.proxy.strike({ method: 'DELETE', path: /^\/v1\/subscriptions/, trouble: 'dropBefore' });
  const { row } = await run('--yes');
  expect(row(stays.method ?? '')).toMatchObject({
    state: 'stays',
    why: [`Its subscription ${stays.id} is not moved.`],
  });
  expect(row(broken.method ?? '')).toMatchObject({
    state: 'unknown',
    why: [`Whether ${broken.id} has moved is unknown: run the import again.`],
  });
});

test('every page of every customer’s methods is read', async () => {
  const there = Array.from({ length: 20 }, () => subscription());
  const [first] = there;
  if (!first) throw new Error('no subscription');
  const more = Array.from({ length: 25 }, () => store(first));
  const { rows } = await run();
  const methods = rows.filter(({ kind }) => kind === 'payment_method');
  expect(methods.map(({ source }) => source).sort()).toEqual(
    [...there.map(({ method }) => method), ...more].sort(),
  );
});

test('a product without a price stays and is listed with the reason', async () => {
  const priced = subscription();
  service.stripe.theirs.products.push({ id: 'prod_1', name: 'Tasse' });
  const { rows, row } = await run();
  expect(row('prod_1')).toMatchObject({
    kind: 'product',
    state: 'stays',
    why: ['It has no price, and a product here needs one.'],
  });
  expect(rows.filter(({ kind }) => kind === 'product')).toHaveLength(1);
  expect(row(priced.price.id)).toMatchObject({ kind: 'plan', state: 'moves' });
});
