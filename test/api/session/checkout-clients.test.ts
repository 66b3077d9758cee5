/** /v1/checkout-clients/{publicId}: sessions and catalogue for browsers, from authorized origins only. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { checkoutSession } from '../../../contract/session/checkout.ts';
import { storefrontConfig } from '../../../contract/session/checkout-clients.ts';
import { sql } from '../../../db/core/pool.ts';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { eventually } from '../../support/core/eventually.ts';
import { failing, NOT_THERE } from '../../support/db/broken-pool.ts';
import { insertProduct, insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';

const ORIGIN = 'https://shop.example';
let api: TestApi;
let shop: Shop;
let publicId: string;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool, { branding: { color: '#0a7' } });
  publicId = await insertClient(shop, [shop.products.oneTime, shop.products.recurring]);
});
afterAll(() => api?.stop());

async function insertClient({ merchantId, environment }: Shop, products: string[]): Promise<string> {
  const id = await api.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    insert into storefront_clients (merchant_id, environment, name, origins, success_url, fail_url)
    values (${merchantId}, ${environment}, 'shop', ${sql.array([ORIGIN, 'http://localhost:4000'], 'text')},
      'https://shop.example/thanks', 'https://shop.example/cart')
    returning id`);
  for (const product of products) {
    await api.pool.query(sql.unsafe`
      insert into storefront_client_products (client_id, product_id) values (${id}, ${product})`);
  }
  return id;
}

const buy = (body: unknown, headers: Record<string, string> = {}, client = publicId) =>
  api.request('POST', `/v1/checkout-clients/${client}/sessions`, {
    body,
    headers: { origin: ORIGIN, 'idempotency-key': randomUUID(), ...headers },
  });
const config = (headers: Record<string, string> = { origin: ORIGIN }, client = publicId) =>
  api.request('GET', `/v1/checkout-clients/${client}/config`, { headers });
const sessionsOf = (id: string) =>
  api.pool.one(sql.type(
    z.object({
      source: z.string(),
      amount: z.number(),
      success_url: z.string(),
      external: z.string().nullable(),
    }),
  )`
    select c.source, c.amount, c.success_url, u.external_customer_id as external
    from checkouts c join customers u on u.id = c.customer_id where c.id = ${id}`);
const countSessions = () =>
  api.pool.oneFirst(sql.type(z.object({ count: z.number() }))`select count(*) as count from checkouts`);

describe('a session', () => {
  test.each([
    ['the id', () => shop.products.oneTime],
    ['the external reference', () => 'coffee-1kg'],
  ])(
    "is created from %s of the product, at the server's price, for a new customer",
    async (_name, reference) => {
      const { status, headers, body } = await buy({
        productReference: reference(),
        amount: 1,
        externalCustomerId: 'x',
      });
      expect(status).toBe(201);
      checkoutSession.strict().parse(body);
      expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
      expect(headers.get('vary')).toMatch(/\bOrigin\b/);
      expect(headers.has('access-control-allow-credentials')).toBe(false);
      expect(headers.get('x-service-flow-id')).toBe(body.id);
      expect(await sessionsOf(body.id)).toEqual({
        source: 'checkout_client',
        amount: 1_900,
        success_url: 'https://shop.example/thanks',
        external: null,
      });
      const run = await eventually(() => api.temporal.workflow.getHandle(body.id).describe());
      expect(run.type).toBe('checkout');
    },
  );

  test('is created once per key, and another body is a conflict', async () => {
    const before = await countSessions();
    const key = { 'idempotency-key': 'buy-1' };
    const ask = () => buy({ productReference: 'coffee-1kg' }, key);
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(second.body).toEqual(first.body);
    expect(await countSessions()).toBe(before + 1);
    expectRefusal(
      await buy({ productReference: shop.products.oneTime }, key),
      409,
      'idempotency_key_conflict',
    );
  });

  test('is returned to the retry if the process died after creating it', async () => {
    const key = { 'idempotency-key': 'dies' };
    const first = await buy({ productReference: 'coffee-1kg' }, key);
    await api.pool.query(sql.unsafe`
      update idempotency_keys set answer = null, lease_until = service_clock() where key = 'dies'`);
    const before = await countSessions();
    const second = await buy({ productReference: 'coffee-1kg' }, key);
    expect(second.status).toBe(201);
    expect(second.body).toMatchObject({ id: first.body.id, sessionId: first.body.sessionId });
    expect(await countSessions()).toBe(before);
  });

  test("is independent of another client's session with the same key", async () => {
    const other = await insertShop(api.pool);
    const theirs = await insertClient(other, [other.products.oneTime]);
    const key = { 'idempotency-key': 'shared' };
    const [mine, others] = await Promise.all([
      buy({ productReference: 'coffee-1kg' }, key),
      buy({ productReference: 'coffee-1kg' }, key, theirs),
    ]);
    expect([mine.status, others.status]).toEqual([201, 201]);
    expect(mine.body.id).not.toBe(others.body.id);
  });

  test.each([
    ['no product', {}, 'checkout_productReference_required'],
    ['an empty product', { productReference: '' }, 'checkout_productReference_required'],
    ['a number', { productReference: 7 }, 'checkout_productReference_invalid'],
    [
      'a product that is too long',
      { productReference: 'x'.repeat(201) },
      'checkout_productReference_invalid',
    ],
  ])('with %s is refused with an error that the browser may read (CORS)', async (_name, body, code) => {
    const answer = await buy(body);
    expectRefusal(answer, 400, code);
    expect(answer.headers.get('access-control-allow-origin')).toBe(ORIGIN);
  });

  test('is refused with 404 for an unknown, inactive or unauthorized product', async () => {
    const other = await insertShop(api.pool);
    for (const productReference of ['nothing', shop.products.trial, other.products.oneTime])
      expectRefusal(await buy({ productReference }), 404, 'product_not_found');
    const theirs = await insertClient(other, [other.products.oneTime]);
    await api.pool.query(sql.unsafe`
      update products set status = 'inactive' where id = ${other.products.oneTime}`);
    const answer = await buy({ productReference: 'coffee-1kg' }, {}, theirs);
    expectRefusal(answer, 404, 'product_not_found');
    expect(answer.body.message).toContain('or the storefront client may not sell it');
  });

  test('is refused like other sessions if the merchant or the rail cannot sell', async () => {
    const other = await insertShop(api.pool, { subscriptionsEnabled: false });
    const theirs = await insertClient(other, [other.products.oneTime, other.products.recurring]);
    const recurring = { productReference: other.products.recurring };
    expectRefusal(await buy(recurring, {}, theirs), 403, 'merchant_feature_not_enabled');
    const once = { productReference: other.products.oneTime };
    const setRail = (status: string) =>
      api.pool.query(
        sql.unsafe`update rail_accounts set status = ${status} where id = ${other.railAccountId}`,
      );
    const key = { 'idempotency-key': 'later' };
    await setRail('activating');
    expectRefusal(await buy(once, key, theirs), 409, 'payment_rail_activation_in_progress');
    await setRail('disabled');
    expectRefusal(await buy(once, key, theirs), 503, 'payment_rail_unavailable');
    await setRail('active');
    expect((await buy(once, key, theirs)).status).toBe(201);
    await api.pool.query(sql.unsafe`update merchants set status = 'inactive' where id = ${other.merchantId}`);
    expectRefusal(await buy(once, {}, theirs), 403, 'merchant_inactive');
  });

  test('is refused for a recurring price without an interval', async () => {
    const price = { ...RECURRING, interval: null };
    const { productId } = await insertProduct(api.pool, { merchantId: shop.merchantId, price });
    const client = await insertClient(shop, [productId]);
    expectRefusal(
      await buy({ productReference: productId }, {}, client),
      422,
      'recurring_price_interval_missing',
    );
  });

  test('fails with checkout_failed after an internal error, and a retry with the same key creates it', async () => {
    const key = { 'idempotency-key': 'defect' };
    await api.pool.query(sql.unsafe`alter table storefront_sessions rename to away`);
    expectRefusal(await buy({ productReference: 'coffee-1kg' }, key), 500, 'checkout_failed');
    await api.pool.query(sql.unsafe`alter table away rename to storefront_sessions`);
    expect((await buy({ productReference: 'coffee-1kg' }, key)).status).toBe(201);
  });

  test('fails with checkout_failed and Retry-After while the database is unreachable', async () => {
    const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const away = await startTestApi({
      databaseUrl: api.databaseUrl,
      poolThrough: (pool) => new Proxy(pool, { get: () => () => Promise.reject(refused) }),
    });
    const answer = await away.request('POST', `/v1/checkout-clients/${publicId}/sessions`, {
      headers: { origin: ORIGIN, 'idempotency-key': 'away' },
      body: { productReference: 'coffee-1kg' },
    });
    await away.stop();
    expectRefusal(answer, 503, 'checkout_failed');
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  test('requires a key and a JSON body', async () => {
    const path = `/v1/checkout-clients/${publicId}/sessions`;
    const headers = { origin: ORIGIN };
    const keyless = await api.request('POST', path, { headers, body: {} });
    expectRefusal(keyless, 400, 'idempotency_key_required');
    expect(keyless.body.message).toContain('a random value for each operation');
    expectRefusal(await buy({}, { 'idempotency-key': 'ü' }), 400, 'idempotency_key_invalid');
    const keyed = { ...headers, 'idempotency-key': 'k' };
    expectRefusal(await api.request('POST', path, { headers: keyed, raw: '{' }), 400, 'invalid_json');
  });
});

test("a session belongs to the client's environment, whatever the merchant has in the other environment", async () => {
  const live = await insertShop(api.pool, {}, 'production');
  const theirs = await insertClient(live, [live.products.oneTime]);
  const { status, body } = await buy({ productReference: 'coffee-1kg' }, {}, theirs);
  expect(status).toBe(201);
  const made = await api.pool.one(
    sql.type(
      z.object({ environment: z.string(), rail_account_id: z.string() }),
    )`select environment, rail_account_id from checkouts where id = ${body.id}`,
  );
  expect(made).toEqual({ environment: 'production', rail_account_id: live.railAccountId });
  // The merchant has no rail account in the sandbox, so its sandbox client cannot sell.
  const sandbox = await insertClient({ ...live, environment: 'sandbox' }, [live.products.oneTime]);
  expectRefusal(await buy({ productReference: 'coffee-1kg' }, {}, sandbox), 503, 'payment_rail_unavailable');
});

test('config returns branding and the authorized products, newest first, and nothing else', async () => {
  const { status, headers, body } = await config();
  expect(status).toBe(200);
  expect(headers.get('access-control-allow-origin')).toBe(ORIGIN);
  const { branding, products } = storefrontConfig.strict().parse(body);
  expect(branding).toEqual({ name: 'Kaffeerösterei Nord', logo_url: null, color: '#0a7', language: null });
  expect(products.map(({ id }) => id)).toEqual([shop.products.recurring, shop.products.oneTime]);
  expect(products[1]?.active_price).toMatchObject({ amount: 1_900, currency: 'EUR', recurring: null });
  expect(JSON.stringify(body)).not.toContain(shop.products.trial);
});

test.each([
  'https://shop.example.evil',
  'https://evil-shop.example',
  'https://www.shop.example',
  'http://shop.example',
  'https://shop.example:8443',
  'https://shop.example:443',
  'http://localhost:4001',
  'http://127.0.0.1:4000',
  'https://shop.example, http://localhost:4000',
  'https://shop.example/',
  'HTTPS://SHOP.EXAMPLE',
  'null',
  '*',
  '',
])('the origin "%s" is not allowed: its page cannot read any response', async (origin) => {
  const before = await countSessions();
  const answers = [
    await buy({ productReference: 'coffee-1kg' }, { origin }),
    await config({ origin }),
    await api.request('OPTIONS', `/v1/checkout-clients/${publicId}/sessions`, { headers: { origin } }),
  ];
  for (const answer of answers) {
    expectRefusal(answer, 403, 'origin_not_allowed');
    expect(answer.headers.has('access-control-allow-origin')).toBe(false);
    expect(answer.headers.get('vary')).toMatch(/\bOrigin\b/);
  }
  expect(await countSessions()).toBe(before);
});

test('no page can read a response to a request without an Origin, with an API key, or for an unknown client', async () => {
  expectRefusal(await config({}), 403, 'origin_not_allowed');
  const authorization = `Bearer ${shop.apiKey}`;
  expectRefusal(await config({ origin: ORIGIN, authorization }), 400, 'api_key_not_allowed');
  expectRefusal(await buy({ productReference: 'coffee-1kg' }, { authorization }), 400, 'api_key_not_allowed');
  expectRefusal(await config({ origin: ORIGIN }, 'ap_pcl_none'), 404, 'checkout_client_not_found');
  expectRefusal(await buy({}, {}, 'ap_pcl_none'), 404, 'checkout_client_not_found');
  const disabled = await insertClient(shop, []);
  await api.pool.query(sql.unsafe`update storefront_clients set status = 'disabled' where id = ${disabled}`);
  expectRefusal(await config({ origin: ORIGIN }, disabled), 404, 'checkout_client_not_found');
});

test.each(['ap_pcl_none', 'nonsense', '%00', 'ap_pcl_%00'])(
  'unknown or malformed client id %s: 404, and no error is logged',
  async (id) => {
    const before = api.logLines.length;
    const preflight = { headers: { origin: ORIGIN } };
    const answers = [
      await config({ origin: ORIGIN }, id),
      await buy({ productReference: 'coffee-1kg' }, {}, id),
      await api.request('OPTIONS', `/v1/checkout-clients/${id}/config`, preflight),
    ];
    for (const answer of answers) expectRefusal(answer, 404, 'checkout_client_not_found');
    expect(api.logLines.slice(before).filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  },
);

test.each([
  ['sessions', 'POST'],
  ['config', 'GET'],
])('a preflight for %s permits %s to an authorized origin', async (route, method) => {
  const path = `/v1/checkout-clients/${publicId}/${route}`;
  const origin = 'http://localhost:4000';
  const { status, headers, body } = await api.request('OPTIONS', path, {
    headers: { origin, 'access-control-request-method': method },
  });
  expect(status).toBe(204);
  expect(body).toBe('');
  expect(headers.get('access-control-allow-origin')).toBe(origin);
  expect(headers.get('access-control-allow-methods')).toBe(method);
  expect(headers.get('access-control-allow-headers')).toMatch(/Content-Type, Idempotency-Key/);
  expect(headers.get('access-control-allow-headers')).not.toMatch(/Authorization|\*/i);
  expect(headers.get('vary')).toMatch(/\bOrigin\b/);
  expect(headers.has('access-control-allow-credentials')).toBe(false);
  const wrong = await api.request('DELETE', path, { headers: { origin } });
  expectRefusal(wrong, 405, 'method_not_allowed');
});

test('422 for a price that cannot be billed; 500 and 503 give checkout_failed', async () => {
  const price = { ...RECURRING, interval: null };
  const { productId } = await insertProduct(api.pool, { merchantId: shop.merchantId, price });
  const client = await insertClient(shop, [productId]);
  expectRefusal(
    await buy({ productReference: productId }, {}, client),
    422,
    'recurring_price_interval_missing',
  );
  for (const [error, status] of [
    [new Error('a bug'), 500],
    [NOT_THERE, 503],
  ] as const) {
    const broken = await startTestApi({ databaseUrl: api.databaseUrl, poolThrough: failing(error) });
    const headers = { origin: ORIGIN, 'idempotency-key': 'k-1' };
    const answer = await broken.request('POST', `/v1/checkout-clients/${client}/sessions`, {
      headers,
      body: {},
    });
    expectRefusal(answer, status, 'checkout_failed');
    await broken.stop();
  }
});

seesEveryAnswerOf(
  'createStorefrontSession',
  'createStorefrontSessionPreflight',
  'showStorefrontConfig',
  'showStorefrontConfigPreflight',
);
