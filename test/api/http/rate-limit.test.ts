/** Rate limits: /v1 per address and per key, anonymous requests per address. */
import { randomUUID } from 'node:crypto';
import { afterEach, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertApiKey, insertShop, insertStorefrontClient } from '../../support/db/fixtures.ts';

let api: TestApi;
afterEach(() => api?.stop());

test('a key over its limit is refused, while another key is served', async () => {
  api = await startTestApi({ rateLimits: { perKey: 2, perAddress: 1_000 } });
  const shop = await insertShop(api.pool);
  const list = (apiKey: string) => api.request('GET', '/v1/products', { apiKey });
  const first = await list(shop.apiKey);
  expect(first.status).toBe(200);
  expect(first.headers.get('ratelimit-limit')).toBe('2');
  expect(first.headers.get('ratelimit-remaining')).toBe('1');
  expect(first.headers.has('retry-after')).toBe(false);
  await list(shop.apiKey);
  const third = await list(shop.apiKey);
  expectRefusal(third, 429, 'rate_limited');
  expect(third.headers.get('ratelimit-remaining')).toBe('0');
  const wait = Number(third.headers.get('retry-after'));
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60);
  expect((await list(await insertApiKey(api.pool, shop))).status).toBe(200);
});

test('an address over its limit is refused with any key; health and page requests are not counted', async () => {
  api = await startTestApi({ rateLimits: { perKey: 1_000, perAddress: 2 } });
  const guess = (apiKey: string) => api.request('GET', '/v1/products', { apiKey });
  expectRefusal(await guess('ap_test_a'), 401, 'api_key_invalid');
  expectRefusal(await guess('ap_test_b'), 401, 'api_key_invalid');
  expectRefusal(await guess('ap_test_c'), 429, 'rate_limited');
  expect((await api.request('GET', '/healthz')).status).toBe(200);
});

test('an address over its limit on /rails is refused; its calls to /v1 are counted separately', async () => {
  api = await startTestApi({ rateLimits: { perKey: 1_000, perAddress: 1, perRailAddress: 2 } });
  const webhook = () => api.request('POST', '/rails/sandbox/acct_0/webhooks', { raw: '{}' });
  await api.request('GET', '/v1/products');
  expectRefusal(await webhook(), 404, 'route_not_found');
  expectRefusal(await webhook(), 404, 'route_not_found');
  const third = await webhook();
  expectRefusal(third, 429, 'rate_limited');
  expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0);
});

test('an address over the page limit may not load the dashboard', async () => {
  api = await startTestApi({ rateLimits: { perKey: 1_000, perAddress: 1_000, perPageAddress: 1 } });
  expect((await api.request('GET', '/dashboard/config.json')).status).toBe(200);
  expectRefusal(await api.request('GET', '/dashboard/'), 429, 'rate_limited');
});

test('rail webhooks are accepted even with a low limit for /v1', async () => {
  api = await startTestApi({ rateLimits: { perKey: 1, perAddress: 1 } });
  for (let i = 0; i < 20; i += 1) {
    const webhook = await api.request('POST', '/rails/sandbox/acct_0/webhooks', { raw: '{}' });
    expectRefusal(webhook, 404, 'route_not_found');
  }
});

test('a storefront over its limit can read the 429 in the browser, but not on other routes', async () => {
  api = await startTestApi({ rateLimits: { perKey: 1_000, perAddress: 1 } });
  const origin = 'https://shop.example';
  const config = () => api.request('GET', '/v1/checkout-clients/ap_pcl_0/config', { headers: { origin } });
  const first = await config();
  expectRefusal(first, 404, 'checkout_client_not_found');
  expect(first.headers.has('access-control-allow-origin')).toBe(false);
  const second = await config();
  expectRefusal(second, 429, 'rate_limited');
  expect(second.headers.get('access-control-allow-origin')).toBe('*');
  expect(second.headers.get('access-control-expose-headers')).toMatch(
    /\bRetry-After\b.*\bRateLimit-Limit, RateLimit-Remaining, RateLimit-Reset\b/,
  );
  expect(second.headers.has('access-control-allow-credentials')).toBe(false);
  const elsewhere = await api.request('GET', '/v1/products', { headers: { origin } });
  expectRefusal(elsewhere, 429, 'rate_limited');
  expect(elsewhere.headers.has('access-control-allow-origin')).toBe(false);
});

test.each([
  ['is taken from', 1, 401],
  ['is not taken from', 0, 429],
])('the address %s X-Forwarded-For with %i trusted proxies', async (_word, trustedProxies, second) => {
  api = await startTestApi({ rateLimits: { perKey: 1_000, perAddress: 1 }, trustedProxies });
  const from = (address: string) =>
    api.request('GET', '/v1/products', { headers: { 'x-forwarded-for': address } });
  expect((await from('203.0.113.1')).status).toBe(401);
  expect((await from('203.0.113.2')).status).toBe(second);
});

test('a hundred consecutive calls are allowed by default', async () => {
  api = await startTestApi();
  const { apiKey } = await insertShop(api.pool);
  const answers = await Promise.all(
    Array.from({ length: 100 }, () => api.request('GET', '/v1/products', { apiKey })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
});

test('a sandbox key has its own limit', async () => {
  api = await startTestApi({ rateLimits: { perKey: 1_000, perTestKey: 1, perAddress: 1_000 } });
  const list = (apiKey: string) => api.request('GET', '/v1/products', { apiKey });
  expectRefusal(await list('ap_test_a'), 401, 'api_key_invalid');
  expectRefusal(await list('ap_test_a'), 429, 'rate_limited');
  const spelled = await api.request('GET', '/v1/products', {
    headers: { authorization: 'bearer   ap_test_a' },
  });
  expectRefusal(spelled, 429, 'rate_limited');
  expectRefusal(await list('ap_live_a'), 401, 'api_key_invalid');
  expectRefusal(await list('ap_live_a'), 401, 'api_key_invalid');
});

test.each([
  ['invoices', '/invoices/ap_inv_0.pdf'],
  ['credit notes', '/credit-notes/ap_cn_0.pdf'],
  ['pages', '/pay/none/state'],
])('%s are limited per address', async (_what, path) => {
  api = await startTestApi({ rateLimits: { perKey: 1, perAddress: 1, perPageAddress: 2 } });
  const answers = [];
  for (let i = 0; i < 3; i += 1) answers.push(await fetch(api.url + path));
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 429]);
  expect(answers[2]?.headers.get('ratelimit-limit')).toBe('2');
  expect(Number(answers[2]?.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await answers[2]?.json()).toMatchObject({ code: 'rate_limited' });
});

test('a person over the page limit sees an HTML page', async () => {
  api = await startTestApi({ rateLimits: { perKey: 1, perAddress: 1, perPageAddress: 1 } });
  await fetch(`${api.url}/pay/none`);
  const refused = await fetch(`${api.url}/pay/none`, { headers: { 'accept-language': 'en' } });
  expect([refused.status, refused.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
  expect(await refused.text()).toContain('Please load it again in a moment');
});

test('sessions of a storefront client are limited per address, in total and hourly, across processes', async () => {
  const options = {
    rateLimits: {
      perKey: 1_000,
      perAddress: 1_000,
      storefrontSessions: { perAddress: 2, perClient: 3, perClientHour: 4 },
    },
    trustedProxies: 1,
  };
  api = await startTestApi(options);
  const other = await startTestApi({ ...options, databaseUrl: api.databaseUrl });
  const shop = await insertShop(api.pool);
  const client = await insertStorefrontClient(api.pool, { ...shop, origins: ['https://shop.example'] });
  await api.pool.query(sql.unsafe`
    insert into storefront_client_products (client_id, product_id) values (${client}, ${shop.products.oneTime})`);
  await api.pool.query(sql.unsafe`
    update storefront_clients set success_url = 'https://shop.example/thanks', fail_url = 'https://shop.example/cart'`);
  const buy = (at: TestApi, from: string) =>
    at.request('POST', `/v1/checkout-clients/${client}/sessions`, {
      body: { productReference: shop.products.oneTime },
      headers: { origin: 'https://shop.example', 'idempotency-key': randomUUID(), 'x-forwarded-for': from },
    });
  try {
    expect((await buy(api, '203.0.113.1')).status).toBe(201);
    expect((await buy(other, '203.0.113.1')).status).toBe(201);
    const third = await buy(api, '203.0.113.1');
    expectRefusal(third, 429, 'rate_limited');
    expect(third.headers.get('access-control-allow-origin')).toBe('*');
    // The first address's rejected requests did not count against the client.
    expect((await buy(other, '203.0.113.2')).status).toBe(201);
    expectRefusal(await buy(api, '203.0.113.3'), 429, 'rate_limited');
    const aMinuteLater = () =>
      api.pool.query(sql.unsafe`
        update request_counts set window_ends_at = service_clock() - interval '1 second'
        where window_ends_at < service_clock() + interval '2 minutes'`);
    await aMinuteLater();
    expect((await buy(api, '203.0.113.1')).status).toBe(201);
    await aMinuteLater();
    expectRefusal(await buy(api, '203.0.113.1'), 429, 'rate_limited');
  } finally {
    await other.stop();
  }
});
