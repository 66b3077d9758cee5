/**
 * `npm run ops -- import stripe`: what moves, what stays and why, and that no period is charged twice or lost, wherever
 * the import breaks off (rule 46).
 */
import { Readable } from 'node:stream';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { z } from 'zod';
import type { ImportRow } from '../../../api/operations/import-row.ts';
import { importCommand } from '../../../bin/ops/import.ts';
import { sql } from '../../../db/core/pool.ts';
import { testSecretBox } from '../../support/db/fixtures.ts';
import { eventTypesOf } from '../../support/db/subscriptions.ts';
import { advance, startIt } from '../../support/world/subscription-world.ts';
import { addPrice, addSubscription, later, passTime } from './double/billing.ts';
import { invoiceObject, subscriptionObject } from './double/billing-objects.ts';
import { CARDS } from './double/cards.ts';
import { type BilledSubscription, type DoubleCustomer, type Method, newId, unixNow } from './double/state.ts';
import { type StripeService, startStripeService } from './service.ts';

const PATIENCE_MS = 120_000;
const DAY = 86_400;

let service: StripeService;
beforeAll(async () => {
  service = await startStripeService();
  await service.useAccount();
}, 300_000);
afterAll(() => service?.close());
beforeEach(() => {
  const { theirs } = service.stripe;
  for (const kept of [theirs.prices, theirs.subscriptions, theirs.customers, theirs.methods]) kept.clear();
  theirs.pendingItems.length = 0;
  theirs.products.length = 0;
});

function customer(values: Partial<DoubleCustomer> = {}): {
  readonly customer: string;
  readonly method: string;
} {
  const { theirs } = service.stripe;
  const [id, method] = [newId('cus'), newId('pm')];
  theirs.customers.set(id, { id, metadata: { shop_id: `shop-${id}` }, email: 'ada@example.eu', ...values });
  theirs.methods.set(method, { id: method, card: CARDS.approved, wallet: null, customer: id, used: true });
  return { customer: id, method };
}

function subscription(values: Partial<BilledSubscription> = {}): BilledSubscription {
  const { theirs } = service.stripe;
  return addSubscription(theirs, { ...customer(), price: addPrice(theirs), ...values });
}

interface Said {
  readonly code: number;
  readonly rows: readonly ImportRow[];
  row(source: string): ImportRow;
}

async function run(...more: readonly string[]): Promise<Said> {
  const { world, stripe } = service;
  let out = '';
  const log = jest.spyOn(console, 'log').mockImplementation((line: unknown) => {
    out += `${line}\n`;
  });
  const err = jest.spyOn(console, 'error').mockImplementation(() => {});
  try {
    const args = ['stripe', world.shop.merchantId, '--environment', 'sandbox', '--tax-rate', '19', ...more];
    const code = await importCommand.run([...args, '--customer-id', 'shop_id', '--json'], {
      pool: world.pool,
      temporal: world.client,
      links: { runbookUrl: 'docs/operations.md' },
      secondPersonAbove: null,
      actor: async () => 'operator:ada',
      rails: async () => new Map([['stripe', stripe.rail]]),
      secretBox: () => testSecretBox,
      env: {},
      input: Readable.from(['']),
    });
    const rows: readonly ImportRow[] = out ? JSON.parse(out) : [];
    return {
      code,
      rows,
      row(source) {
        const found = rows.find((each) => each.source === source);
        if (!found) throw new Error(`no row of ${source}`);
        return found;
      },
    };
  } finally {
    log.mockRestore();
    err.mockRestore();
  }
}

const stored = z.object({
  id: z.string(),
  status: z.string(),
  billing_anchor: z.string(),
  current_period_end: z.string(),
  trial_end: z.string().nullable(),
  amount: z.number(),
  external_customer_id: z.string(),
  external_reference: z.string(),
  tax_rate: z.number(),
});
/** The subscription here, if the import has written it. */
function here(id: string | null) {
  return service.world.pool.maybeOne(sql.type(stored)`
    select s.id, s.status, s.billing_anchor, s.current_period_end, s.trial_end, s.amount, u.external_customer_id,
      product.external_reference, price.tax_rate
    from subscriptions s join customers u on u.id = s.customer_id join products product on product.id = s.product_id
    join prices price on price.id = s.price_id
    where s.id = ${id}
  `);
}

const instant = (unixSeconds: number) => new Date(unixSeconds * 1_000).toISOString();

/** Lets time pass on both sides; what each charged for this subscription since, in cents. */
async function chargedUntil(there: BilledSubscription, id: string, until: number) {
  const { world, stripe } = service;
  const before = stripe.theirs.ledger.length;
  passTime(stripe.theirs, until);
  await startIt(world, id);
  await advance(world, id, instant(until));
  const since = stripe.theirs.ledger.slice(before);
  const ours = since.filter(({ reference }) => reference.startsWith('ap_pay_'));
  const theirs = since.filter(({ reference }) => reference === there.id);
  return { here: ours.map(({ amount }) => amount), there: theirs.map(({ amount }) => amount) };
}

test('a dry run says what would move and changes nothing on either side', async () => {
  const there = subscription();
  const { code, rows, row } = await run();
  expect(code).toBe(0);
  expect(rows.map(({ kind, state }) => [kind, state])).toEqual([
    ['customer', 'moves'],
    ['plan', 'moves'],
    ['subscription', 'moves'],
    ['payment_method', 'moves'],
  ]);
  expect(there).toMatchObject({ status: 'active', cancelAtPeriodEnd: false, metadata: {} });
  expect(await here(row(there.id).id)).toBeNull();
});

test(
  'a subscription keeps its anchor, its paid time and its card, and each period is charged once',
  async () => {
    const there = subscription();
    const { code, row } = await run('--yes');
    expect(code).toBe(0);
    const { id } = row(there.id);
    expect(await here(id)).toMatchObject({
      status: 'active',
      billing_anchor: instant(there.anchor),
      current_period_end: instant(there.periodEnd),
      amount: 900,
      external_customer_id: `shop-${there.customer}`,
      external_reference: there.price.id,
      tax_rate: 19,
    });
    expect(there.status).toBe('canceled');
    expect(await eventTypesOf(service.world.pool, id ?? '')).toEqual(['subscription.updated']);
    const until = later(there.anchor, 'month', 2) + DAY;
    expect(await chargedUntil(there, id ?? '', until)).toEqual({ here: [900, 900], there: [] });
  },
  PATIENCE_MS,
);

test(
  'a trial goes on until its end, which charges its first period',
  async () => {
    const trialEnd = unixNow() + 3 * DAY;
    const there = subscription({ status: 'trialing', trialEnd, anchor: trialEnd, periodEnd: trialEnd });
    const { id } = (await run('--yes')).row(there.id);
    expect(await here(id)).toMatchObject({ status: 'trialing', trial_end: instant(trialEnd) });
    expect(await chargedUntil(there, id ?? '', trialEnd + DAY)).toEqual({ here: [900], there: [] });
  },
  PATIENCE_MS,
);

describe('an import that breaks off', () => {
  test(
    'after the stop neither charges nor loses the subscription, even when its paid time ends before the next one',
    async () => {
      const there = subscription({ periodEnd: unixNow() + 2 * 3_600, anchor: unixNow() - 28 * DAY });
      Object.assign(there, {
        anchor: there.periodEnd,
        price: addPrice(service.stripe.theirs, { interval: 'week' }),
      });
      service.stripe.proxy.strike({ method: 'POST', path: /^\/v1\/subscriptions/, trouble: 'dropAfter' });
      const broken = await run('--yes');
      expect(broken.code).toBe(1);
      expect(broken.row(there.id)).toMatchObject({ state: 'unknown', id: null });
      expect(there.cancelAtPeriodEnd).toBe(true);
      passTime(service.stripe.theirs, there.periodEnd);
      expect(there.status).toBe('canceled');

      const { id, state } = (await run('--yes')).row(there.id);
      expect(state).toBe('moved');
      expect(await here(id)).toMatchObject({ current_period_end: instant(there.periodEnd) });
      expect(await chargedUntil(there, id ?? '', there.periodEnd + DAY)).toEqual({ here: [900], there: [] });
    },
    PATIENCE_MS,
  );

  test('before the end at Stripe is finished by the next one', async () => {
    const there = subscription();
    service.stripe.proxy.strike({ method: 'DELETE', path: /^\/v1\/subscriptions/, trouble: 'dropBefore' });
    const broken = await run('--yes');
    expect(broken.row(there.id)).toMatchObject({ state: 'unknown', id: expect.stringMatching(/^ap_sub_/) });
    // Stripe does not renew it any more, whether or not the import is ever repeated.
    expect(there).toMatchObject({ status: 'active', cancelAtPeriodEnd: true });
    expect((await run('--yes')).row(there.id)).toMatchObject({ state: 'there', why: [] });
    expect(there.status).toBe('canceled');
  });

  test('and is repeated finds what it wrote, and changes nothing', async () => {
    const there = subscription();
    const first = await run('--yes');
    const again = await run('--yes');
    expect(again.rows.map(({ state }) => state)).toEqual(['there', 'there', 'there', 'there']);
    expect(again.row(there.id).id).toBe(first.row(there.id).id);
  });

  test('and lost its rows in a restore writes them again under the same ids, with the same period', async () => {
    const there = subscription();
    const { id } = (await run('--yes')).row(there.id);
    const before = await here(id);
    await service.world.pool.query(sql.unsafe`delete from subscriptions where id = ${id}`);
    expect((await run('--yes')).row(there.id)).toMatchObject({ id, state: 'moved' });
    expect(await here(id)).toEqual(before);
  });
});

test(
  'a renewal at Stripe while the import runs belongs to Stripe: the period begins after it here',
  async () => {
    const there = subscription();
    const renewsAt = there.periodEnd;
    service.stripe.proxy.strike({
      method: 'POST',
      path: /^\/v1\/subscriptions/,
      trouble: 'slow',
      delayMs: 500,
    });
    const running = run('--yes');
    for (; !service.stripe.proxy.seen.some(({ path }) => path === `/v1/subscriptions/${there.id}`); ) {
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    passTime(service.stripe.theirs, renewsAt);
    const { id } = (await running).row(there.id);
    expect(await here(id)).toMatchObject({ current_period_end: instant(later(there.anchor, 'month', 2)) });
  },
  PATIENCE_MS,
);

test('a subscription resumed at Stripe before it has ended there is ended by the next import', async () => {
  const there = subscription();
  service.stripe.proxy.strike({ method: 'DELETE', path: /^\/v1\/subscriptions/, trouble: 'dropBefore' });
  await run('--yes');
  there.cancelAtPeriodEnd = false;
  expect((await run('--yes')).row(there.id).state).toBe('there');
  expect(there.status).toBe('canceled');
});

test('a subscription cancelled at Stripe between the stop and the next import stays cancelled', async () => {
  const there = subscription();
  service.stripe.proxy.strike({ method: 'POST', path: /^\/v1\/subscriptions/, trouble: 'dropAfter' });
  await run('--yes');
  Object.assign(there, { status: 'canceled', endedAt: unixNow() });
  expect((await run('--yes')).row(there.id)).toMatchObject({ state: 'stays', why: ['It is canceled.'] });
});

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
    'An update of it waits for a payment.',
    () => ({ with: { pending_update: PENDING_UPDATE } }),
  ],
  [
    'with invoices between its renewals',
    'Invoice items are billed between its renewals.',
    () => ({ with: { pending_invoice_item_interval: { interval: 'week', interval_count: 1 } } }),
  ],
  [
    'with a configured day of billing',
    'Its day of billing is configured apart from its anchor.',
    () => ({ with: { billing_cycle_anchor_config: ANCHOR_CONFIG } }),
  ],
  [
    'with a date on which it ends',
    'It has a date on which it ends.',
    () => ({ with: { cancel_at: unixNow() + 90 * DAY } }),
  ],
  [
    'paid by invoice',
    'It is paid by invoice, not charged.',
    () => ({ with: { collection_method: 'send_invoice' } }),
  ],
  [
    'that is paused',
    'Its collection is paused.',
    () => ({ with: { pause_collection: { behavior: 'void', resumes_at: null } } }),
  ],
  ['of a schedule', 'It belongs to a schedule.', () => ({ with: { schedule: 'sub_sched_1' } })],
  ['that ends anyway', 'It ends with its period.', () => ({ cancelAtPeriodEnd: true })],
  ['without a card of its customer', 'It has no stored card', anotherCard],
  ['whose customer has credit', 'Its customer has a balance at Stripe.', () => customer({ balance: -500 })],
  [
    'about to renew',
    'run the import again when that is done.',
    () => ({ periodEnd: unixNow() + 600, anchor: unixNow() + 600 }),
  ],
  ['billed apart from its anchor', 'not counted from its anchor', () => ({ anchor: unixNow() - 9 * DAY })],
];

test.each(OBSTACLES)('a subscription %s stays at Stripe, with the reason', async (_, why, values) => {
  const there = subscription(values());
  const { code, row } = await run('--yes');
  expect(code).toBe(1);
  expect(row(there.id)).toMatchObject({ state: 'stays', id: null });
  expect(row(there.id).why.join(' ')).toContain(why);
  expect(there.metadata).toEqual({});
});

test('a subscription whose customer owes invoice items, or the last invoice, stays until they are paid', async () => {
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

test('a subscription whose one item is taxed stays', async () => {
  const there = subscription();
  const { items } = subscriptionObject(service.stripe.theirs, there);
  there.with = { items: { ...items, data: items.data.map((item) => ({ ...item, tax_rates: [TAX_RATE] })) } };
  expect((await run()).row(there.id).why).toEqual(['Stripe adds or computes its tax.']);
});

test('a subscription with several items, or a quantity, stays', async () => {
  const there = subscription();
  const { items } = subscriptionObject(service.stripe.theirs, there);
  const [item] = items.data;
  there.with = { items: { ...items, data: [{ ...item, quantity: 3 }] } };
  expect((await run()).row(there.id).why).toEqual(['Its quantity is 3.']);
  there.with = { items: { ...items, data: [item, { ...item, id: 'si_2' }] } };
  expect((await run()).row(there.id).why).toEqual(['It has several items.']);
});

const CHARGED_BY_NONE = 'No subscription charges it: a card is stored here with what it pays.';

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

test('a stored method moves with the subscription that charges it; each other one stays, with the reason', async () => {
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

test('a method that pays a subscription that stays, or whose move is not known, says which', async () => {
  const [stays, broken] = [subscription({ status: 'past_due' }), subscription()];
  service.stripe.proxy.strike({ method: 'DELETE', path: /^\/v1\/subscriptions/, trouble: 'dropBefore' });
  const { row } = await run('--yes');
  expect(row(stays.method ?? '')).toMatchObject({
    state: 'stays',
    why: [`Its subscription ${stays.id} stays.`],
  });
  expect(row(broken.method ?? '')).toMatchObject({
    state: 'unknown',
    why: [`Whether ${broken.id} has moved is not known: run the import again.`],
  });
});

test('the methods of each of many customers are read, page by page', async () => {
  const there = Array.from({ length: 20 }, () => subscription());
  const [first] = there;
  if (!first) throw new Error('there is no subscription');
  const more = Array.from({ length: 25 }, () => store(first));
  const { rows } = await run();
  const methods = rows.filter(({ kind }) => kind === 'payment_method');
  expect(methods.map(({ source }) => source).sort()).toEqual(
    [...there.map(({ method }) => method), ...more].sort(),
  );
});

test('a product without a price stays, with the reason', async () => {
  const priced = subscription();
  service.stripe.theirs.products.push({ id: 'prod_1', name: 'Tasse' });
  const { rows, row } = await run();
  expect(row('prod_1')).toMatchObject({
    kind: 'product',
    state: 'stays',
    why: ['It has no price, and a product here has one.'],
  });
  expect(rows.filter(({ kind }) => kind === 'product')).toHaveLength(1);
  expect(row(priced.price.id)).toMatchObject({ kind: 'plan', state: 'moves' });
});

test('each of many subscriptions is found again under its own id', async () => {
  const there = Array.from({ length: 30 }, () => subscription());
  const moved = await run('--yes');
  const again = await run();
  expect(again.rows.filter(({ kind }) => kind === 'subscription').map(({ id }) => id)).toEqual(
    there.map(({ id }) => moved.row(id).id),
  );
});

test('a key that may not read subscriptions moves nothing', async () => {
  const { theirs } = service.stripe;
  const there = subscription();
  theirs.settings.unreadable = ['subscriptions'];
  try {
    expect(await run('--yes')).toMatchObject({ code: 1, rows: [] });
    expect(there.cancelAtPeriodEnd).toBe(false);
  } finally {
    theirs.settings.unreadable = [];
  }
});
