/** Every request of the adapter, validated against Stripe's published description by stripe-mock. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Rail } from '../../../rail/rail.ts';
import { STRIPE_API_VERSION } from '../../../rail/stripe/core/client.ts';
import { deadline, newReference } from '../contract/calls.ts';
import { newAccount } from './double/state.ts';
import { ourAccount, railAt } from './driver.ts';
import { type FaultProxy, type Seen, startFaultProxy } from './proxy.ts';
import { type StripeMock, startStripeMock } from './stripe-mock.ts';

const GETTING_IT_MS = 300_000;
/**
 * An import's calls are idempotent without a key. With a key, Stripe would replay an answer up to a day old,
 * although the period may have renewed since (rule 46).
 */
const OF_IMPORT = /^\/v1\/subscriptions\//;

describe('every call to Stripe', () => {
  const account = ourAccount(newAccount('mock'));
  let mock: StripeMock;
  let proxy: FaultProxy;
  let rail: Rail;
  let lookups: readonly Seen[] = [];
  const imported: unknown[] = [];

  beforeAll(async () => {
    mock = await startStripeMock();
    // stripe-mock refuses publishable keys, whereas Stripe shows an intent to their holders.
    proxy = await startFaultProxy(mock.url, `Bearer ${account.credential.secretKey}`);
    rail = railAt(proxy.url);
    await makeEveryCall();
  }, GETTING_IT_MS);
  afterAll(async () => {
    await proxy?.close();
    await mock?.close();
  });

  async function makeEveryCall(): Promise<void> {
    const common = (operation: string) => {
      const reference = newReference();
      return { account, reference, idempotencyKey: `${reference}:${operation}`, signal: deadline() };
    };
    const begun = { begunAt: new Date().toISOString(), amountCents: 1_900, currency: 'EUR' };
    const paying = {
      currency: 'EUR',
      methodToken: 'pm_1',
      quantity: null,
      challengeReturnUrl: 'https://pay.example/pay/x/challenge/return',
      storeId: async () => {},
    };
    await rail.authorize({ ...common('authorize'), ...paying, amountCents: 1_900, saveMandate: false });
    await rail.authorize({ ...common('authorize'), ...paying, amountCents: 1_900, saveMandate: true });
    await rail.authorize({ ...common('authorize'), ...paying, amountCents: 0, saveMandate: true });
    await rail.chargeStored({ ...common('charge'), ...paying, amountCents: 900, mandate: 'cus_1:pm_1' });
    const kept = [
      { railReference: 'pi_1', railCustomer: 'cus_1' },
      { railReference: 'seti_1', railCustomer: 'cus_1' },
      { railReference: null, railCustomer: 'cus_1' },
      { railReference: null, railCustomer: null },
    ];
    const before = proxy.seen.length;
    for (const ids of kept) await rail.lookup({ ...common('lookup'), ...begun, ...ids });
    lookups = proxy.seen.slice(before);
    for (const ids of kept) await rail.cancel({ ...common('cancel'), ...begun, ...ids });
    const refund = {
      paymentReference: newReference(),
      railReference: 'pi_1',
      amountCents: 100,
      currency: 'EUR',
    };
    await rail.refund({ ...common('refund'), ...refund });
    await rail.lookupRefund({ ...common('refund'), ...refund });
    await rail.listDisputes({ ...common('dispute'), railReference: 'pi_1' });
    await rail.askAccount({ account, signal: deadline() });
    await rail.listSince(account, begun.begunAt, deadline());
    await rail.listRefundsSince(account, begun.begunAt, deadline());
    await rail.listDisputesSince(account, begun.begunAt, deadline());
    await rail.cardOf?.(account, 'pm_1', deadline());
    await rail.probe?.(account, deadline());
    const { source } = rail;
    if (!source) throw new Error('the rail supports no import');
    const moved = { account, id: 'sub_1', movedTo: 'ap_sub_1', isCancelled: false };
    imported.push(await source.read(account, deadline()));
    for (const move of [source.readAgain, source.stop, source.stop, source.end, source.end]) {
      imported.push(await move({ ...moved, signal: deadline() }));
    }
    await source.paidForPeriod({ ...moved, signal: deadline() });
  }

  test('is made at least once', () => {
    expect(new Set(proxy.seen.map(nameOf))).toEqual(
      new Set([
        'POST /v1/customers',
        'GET /v1/customers',
        'DELETE /v1/customers/*',
        'GET /v1/customers/*/payment_methods',
        'GET /v1/payment_methods/*',
        'GET /v1/prices',
        'GET /v1/products',
        'GET /v1/invoiceitems',
        'GET /v1/invoice_payments',
        'GET /v1/subscriptions',
        'GET /v1/subscriptions/*',
        'POST /v1/subscriptions/*',
        'DELETE /v1/subscriptions/*',
        'POST /v1/payment_intents',
        'GET /v1/payment_intents',
        'GET /v1/payment_intents/*',
        'POST /v1/payment_intents/*/confirm',
        'POST /v1/payment_intents/*/cancel',
        'POST /v1/setup_intents',
        'GET /v1/setup_intents',
        'GET /v1/setup_intents/*',
        'POST /v1/setup_intents/*/confirm',
        'POST /v1/setup_intents/*/cancel',
        'POST /v1/refunds',
        'GET /v1/refunds',
        'GET /v1/disputes',
        'GET /v1/account',
        'GET /v1/payment_method_configurations',
        'GET /v1/payment_method_domains',
        'GET /v1/webhook_endpoints',
      ]),
    );
  });

  test('matches Stripe’s description, so that none is rejected', () => {
    expect(proxy.seen.filter(({ status }) => status !== 200)).toEqual([]);
  });

  test('requests the pinned API version', () => {
    expect(new Set(proxy.seen.map(({ version }) => version))).toEqual(new Set([STRIPE_API_VERSION]));
  });

  test('that has an effect carries a unique idempotency key, except in an import', () => {
    const keys = proxy.seen
      .filter(({ method, path }) => method !== 'GET' && !OF_IMPORT.test(path))
      .map(({ idempotencyKey }) => idempotencyKey);
    expect(keys.length).toBeGreaterThan(12);
    for (const key of keys) expect(key).toMatch(/^(ap_pay_\w{32}|ap_rac_\w+):/);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('that stops or ends an imported subscription is executed again when repeated', () => {
    const moves = proxy.seen.filter(({ method, path }) => method !== 'GET' && OF_IMPORT.test(path));
    expect(moves).toHaveLength(4);
    const keys = moves.flatMap(({ idempotencyKey }) => idempotencyKey ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });

  test('of an import gets a response in the expected format', () => {
    const stopped = { kind: 'stopped', value: expect.objectContaining({ method: expect.anything() }) };
    expect(imported).toEqual([
      {
        customers: [expect.objectContaining({ obstacles: [] })],
        plans: [expect.objectContaining({ name: 'T-shirt' })],
        products: [],
        subscriptions: [expect.objectContaining({ method: expect.anything() })],
        methods: [expect.objectContaining({ customerId: expect.stringMatching(/^cus_/) })],
        unread: [],
      },
      { ...stopped, kind: 'found' },
      stopped,
      stopped,
      { kind: 'ended' },
      { kind: 'ended' },
    ]);
  });

  test('that creates an intent contains our ids, allows only cards, and confirms nothing', () => {
    const created = proxy.seen.filter(({ method, path }) => method === 'POST' && /_intents$/.test(path));
    const attempts = created
      .map(({ body }) => new URLSearchParams(body))
      .filter((form) => !form.has('metadata[probe]'));
    expect(attempts).toHaveLength(4);
    for (const form of attempts) {
      expect(form.get('metadata[reference]')).toMatch(/^ap_pay_/);
      expect(form.get('metadata[rail_account]')).toBe(account.id);
      expect(form.get('allowed_payment_method_types[0]')).toBe('card');
      expect(form.get('customer')).toMatch(/^cus_/);
      expect(form.has('confirm')).toBe(false);
    }
  });

  test('for a payment names a customer that carries only our ids', () => {
    const created = proxy.seen.filter(({ method, path }) => method === 'POST' && path === '/v1/customers');
    const attempts = created
      .map(({ body }) => new URLSearchParams(body))
      .filter((form) => !form.has('metadata[probe]'));
    expect(attempts).toHaveLength(3);
    for (const form of attempts) {
      expect([...form.keys()].sort()).toEqual([
        'metadata[merchant]',
        'metadata[rail_account]',
        'metadata[reference]',
      ]);
    }
  });

  test('for an attempt with a lost id lists by customer and time, or by time alone', () => {
    const lists = lookups.filter(({ path }) => /_intents\?/.test(path));
    const queries = lists.map(({ path }) => new URLSearchParams(path.split('?')[1]));
    expect(queries.map((query) => query.get('customer'))).toEqual(['cus_1', 'cus_1', null, null]);
    for (const query of queries) {
      expect(Number(query.get('created[lte]'))).toBeGreaterThan(Number(query.get('created[gte]')));
    }
  });

  test('of a look-up either reads or cancels a declined intent', () => {
    expect(lookups.length).toBeGreaterThan(3);
    const written = lookups.filter(({ method }) => method !== 'GET');
    for (const call of written) {
      expect(nameOf(call)).toMatch(/^POST .*\/cancel$/);
      expect(call.idempotencyKey).toMatch(/:close$/);
    }
  });
});

function nameOf({ method, path }: Seen): string {
  const [, version, collection, id, action] = (path.split('?')[0] ?? '').split('/');
  return `${method} /${[version, collection, id && '*', action].filter(Boolean).join('/')}`;
}
