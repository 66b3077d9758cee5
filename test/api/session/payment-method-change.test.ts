/** POST /v1/payment-methods/change: the created link, and every refusal in the order of the checks. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { methodChange } from '../../../contract/session/method-change.ts';
import { sql } from '../../../db/core/pool.ts';
import { expectMarks, expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertRailAccount, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { insertPendingChange, insertSubscription } from '../../support/db/subscriptions.ts';

let api: TestApi;
let shop: Shop;
let subscriptionId: string;
let externalCustomerId: string;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool);
  ({ subscriptionId, externalCustomerId } = await subscription(shop));
});
afterAll(() => api?.stop());

async function subscription(merchant: Shop) {
  const id = await insertSubscription(api.pool, merchant, merchant.products.recurring);
  const external = await api.pool.oneFirst(sql.type(z.object({ external: z.string() }))`
    select u.external_customer_id as external from customers u join subscriptions s on s.customer_id = u.id
    where s.id = ${id}
  `);
  return { subscriptionId: id, externalCustomerId: external };
}

const change = (changes: object = {}, { apiKey = shop.apiKey, headers = {} } = {}) =>
  api.request('POST', '/v1/payment-methods/change', {
    apiKey,
    headers,
    body: {
      subscriptionId,
      externalCustomerId,
      customer: { email: 'ada@example.eu' },
      successUrl: 'https://shop.example/account',
      failUrl: 'https://shop.example/account?failed',
      ...changes,
    },
  });
const sessions = () =>
  api.pool.oneFirst(sql.type(z.object({ n: z.number() }))`select count(*) as n from checkouts`);

describe('201', () => {
  test('returns the method change, whose URL carries its own token', async () => {
    const answer = await change();
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual(['id', 'customerId', 'hostedUrl', 'expiresAt', 'request_id']);
    expect(methodChange.parse(answer.body)).toEqual(answer.body);
    const { id, customerId, hostedUrl, expiresAt } = answer.body;
    expect(id).toMatch(/^ap_pmc_[0-9a-f]{32}$/);
    expect(customerId).toMatch(/^ap_cus_/);
    expect(hostedUrl).toMatch(/^https:\/\/pay\.example\/pay\/ap_pmc_[0-9a-f]{64}$/);
    expect(hostedUrl).not.toContain(id);
    const minutes = (Date.parse(expiresAt) - Date.now()) / 60_000;
    expect(minutes).toBeGreaterThan(10);
    expect(minutes).toBeLessThanOrEqual(15);
    expect(answer.headers.get('x-service-flow-id')).toBe(id);
    const { type } = await eventually(() => api.temporal.workflow.getHandle(id).describe());
    expect(type).toBe('methodChange');
    expectMarks(answer);
  });

  test('accepts an email with a control character at its end, as a checkout does', async () => {
    const email = '\u200eada@example.eu\u0007';
    expect((await change({ customer: { email } })).status).toBe(201);
  });

  test('creates one method change per idempotency key', async () => {
    const headers = { 'idempotency-key': 'change-1' };
    const [first, second] = await Promise.all([change({}, { headers }), change({}, { headers })]);
    expect(second?.body).toEqual(first?.body);
    const before = await sessions();
    expect((await change({}, { headers })).headers.get('idempotency-replayed')).toBe('true');
    expect(await sessions()).toBe(before);
    expectRefusal(
      await change({ customer: { email: 'eve@example.eu' } }, { headers }),
      409,
      'idempotency_key_conflict',
    );
  });

  test('resumes its operation if the process died before responding', async () => {
    const headers = { 'idempotency-key': 'change-2' };
    const first = await change({}, { headers });
    await api.pool.query(sql.unsafe`
      update idempotency_keys set answer = null, lease_until = service_clock() where key = 'change-2'
    `);
    expect((await change({}, { headers })).body.id).toBe(first.body.id);
  });
});

describe('400', () => {
  const required = {
    subscriptionId: { subscriptionId: null },
    externalCustomerId: { externalCustomerId: '' },
    customer: { customer: null },
    email: { customer: { email: '' } },
    successUrl: { successUrl: undefined },
    failUrl: { failUrl: '' },
  };
  test.each(Object.entries(required))('payment_method_change_%s_required', async (field, changes) => {
    expectRefusal(await change(changes), 400, `payment_method_change_${field}_required`);
  });

  const invalid = {
    subscriptionId: { subscriptionId: 1 },
    externalCustomerId: { externalCustomerId: 'x'.repeat(161) },
    customer: { customer: 'ada' },
    email: { customer: { email: 'ada' } },
    name: { customer: { email: 'ada@example.eu', name: 'x'.repeat(161) } },
    billingDetails: { customer: { email: 'ada@example.eu', billingDetails: [] } },
    ...Object.fromEntries(
      ['line1', 'line2', 'city', 'region', 'postal_code', 'country'].map((line) => [
        line,
        { customer: { email: 'ada@example.eu', billingDetails: { [line]: 1 } } },
      ]),
    ),
    value: { customer: { email: 'ada@example.eu', tax: { value: 'x'.repeat(201) } } },
    type: { customer: { email: 'ada@example.eu', tax: { type: 1 } } },
    tax: { customer: { email: 'ada@example.eu', tax: 'DE1' } },
    successUrl: { successUrl: 'http://shop.example/' },
    failUrl: { failUrl: 'javascript:alert(1)' },
  };
  test.each(Object.entries(invalid))('payment_method_change_%s_invalid', async (field, changes) => {
    expectRefusal(await change(changes), 400, `payment_method_change_${field}_invalid`);
  });

  test('reports the first invalid field in the order of the contract', async () => {
    const answer = await change({ subscriptionId: '', externalCustomerId: '', customer: null });
    expectRefusal(answer, 400, 'payment_method_change_subscriptionId_required');
  });
});

describe('the three preconditions', () => {
  test('403 merchant_feature_not_enabled without the subscriptions capability', async () => {
    const other = await insertShop(api.pool);
    const theirs = await subscription(other);
    await api.pool.query(
      sql.unsafe`update merchants set subscriptions_enabled = false where id = ${other.merchantId}`,
    );
    expectRefusal(await change(theirs, { apiKey: other.apiKey }), 403, 'merchant_feature_not_enabled');
  });

  test.each([['cardFields'], ['recurring']] as const)(
    '503 payment_rail_unavailable if the rail does not declare %s',
    async (capability) => {
      const other = await insertShop(api.pool);
      const theirs = await subscription(other);
      await api.pool.query(sql.unsafe`
        update rail_accounts set capabilities = capabilities || ${sql.jsonb({ [capability]: false })}
        where id = ${other.railAccountId}
      `);
      expectRefusal(await change(theirs, { apiKey: other.apiKey }), 503, 'payment_rail_unavailable');
    },
  );

  test('409 while the rail account is activating, 503 without one', async () => {
    const other = await insertShop(api.pool);
    const theirs = await subscription(other);
    const set = (status: string) =>
      api.pool.query(
        sql.unsafe`update rail_accounts set status = ${status} where id = ${other.railAccountId}`,
      );
    await set('activating');
    expectRefusal(await change(theirs, { apiKey: other.apiKey }), 409, 'payment_rail_activation_in_progress');
    await set('disabled');
    expectRefusal(await change(theirs, { apiKey: other.apiKey }), 503, 'payment_rail_unavailable');
    await insertRailAccount(api.pool, other);
    expect((await change(theirs, { apiKey: other.apiKey })).status).toBe(201);
  });
});

describe('404 and 409', () => {
  test("404 subscription_not_found: unknown, another customer's, another merchant's", async () => {
    const other = await insertShop(api.pool);
    const theirs = await subscription(other);
    const cases = [
      { subscriptionId: 'ap_sub_unknown' },
      { subscriptionId: 'ap_prod_1' },
      { externalCustomerId: 'somebody-else' },
      theirs,
    ];
    for (const changes of cases) expectRefusal(await change(changes), 404, 'subscription_not_found');
  });

  test('409 subscription_finished after its end, subscription_incomplete before its first payment', async () => {
    const mine = await subscription(shop);
    const set = (status: string) =>
      api.pool.query(
        sql.unsafe`update subscriptions set status = ${status} where id = ${mine.subscriptionId}`,
      );
    for (const status of ['cancelled', 'expired']) {
      await set(status);
      expectRefusal(await change(mine), 409, 'subscription_finished');
    }
    await set('incomplete');
    expectRefusal(await change(mine), 409, 'subscription_incomplete');
  });

  test('409 subscription_change_scheduled while a change is being charged', async () => {
    const mine = await subscription(shop);
    await insertPendingChange(api.pool, mine.subscriptionId);
    expectRefusal(await change(mine), 409, 'subscription_change_scheduled');
  });

  test('a refused request stores nothing and leaves the customer unchanged', async () => {
    const before = await sessions();
    await change({ externalCustomerId: 'somebody-else', customer: { email: 'eve@example.eu', name: 'Eve' } });
    expect(await sessions()).toBe(before);
    const eves = await api.pool.oneFirst(sql.type(z.object({ n: z.number() }))`
      select count(*) as n from customers where name = 'Eve'
    `);
    expect(eves).toBe(0);
  });
});

seesEveryAnswerOf('changePaymentMethod');
