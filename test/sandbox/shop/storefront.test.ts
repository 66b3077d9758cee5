/** The storefront with the real API: the products, and a click on "buy". */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { storedPageToken } from '../../../db/session/create-session.ts';
import { openPageToken } from '../../../platform/secrets/page-token.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertShop, type Shop, testSecretBox } from '../../support/db/fixtures.ts';
import { type OpenShop, openShop } from './open-shop.ts';

let api: TestApi;
let merchant: Shop;
let shop: OpenShop;

beforeAll(async () => {
  api = await startTestApi();
  merchant = await insertShop(api.pool);
  shop = await openShop({ apiUrl: api.url, apiKey: merchant.apiKey, products: merchant.products });
});
afterAll(async () => {
  await shop?.close();
  await api?.stop();
});

const buy = (kind: string, { cookie = '', from = shop } = {}) =>
  fetch(`${from.url}/buy/${kind}`, { method: 'POST', redirect: 'manual', headers: { cookie } });
const newestSession = () =>
  api.pool.one(sql.type(
    z.object({
      ...storedPageToken,
      product_id: z.string(),
      success_url: z.string(),
      fail_url: z.string(),
      merchant_reference: z.string(),
      external_customer_id: z.string(),
    }),
  )`
    select c.page_token, c.page_token_hash, c.product_id, c.success_url, c.fail_url, c.merchant_reference, u.external_customer_id
    from checkouts c join customers u on u.id = c.customer_id order by c.id desc limit 1`);

test('the page shows the service’s names and prices and the verification code', async () => {
  const page = await (await fetch(shop.url)).text();
  for (const words of ['Filterkaffee, 1 kg', '€19.00', 'Kaffee-Abo', 'a month', 'the first 14 days free']) {
    expect(page).toContain(words);
  }
  expect(page).toContain('export function isSigned(rawBody: Buffer');
  expect(page).not.toContain(merchant.apiKey);
});

test.each(['oneTime', 'recurring', 'trial'] as const)(
  'buying %s leads to the hosted page of a new session',
  async (kind) => {
    const answer = await buy(kind);
    const checkout = await newestSession();
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe(
      `https://pay.example/pay/${openPageToken(testSecretBox, checkout)}`,
    );
    expect(checkout.product_id).toBe(merchant.products[kind]);
    expect(checkout.success_url).toMatch(
      new RegExp(`^http://127.0.0.1:3000/thanks\\?product=${kind}&since=20`),
    );
    expect(checkout.fail_url).toMatch(/^http:\/\/127.0.0.1:3000\/sorry\?/);
    expect(checkout.merchant_reference).toMatch(/^cart-/);
  },
);

test('a visitor keeps the same customer id', async () => {
  const first = await buy('oneTime');
  const { external_customer_id: customer } = await newestSession();
  await buy('oneTime', { cookie: first.headers.get('set-cookie')?.split(';')[0] ?? '' });
  expect((await newestSession()).external_customer_id).toBe(customer);
  await buy('oneTime');
  expect((await newestSession()).external_customer_id).not.toBe(customer);
});

test('an error from the service is shown with its code', async () => {
  const from = await openShop({ apiUrl: api.url, apiKey: merchant.apiKey });
  const answer = await buy('oneTime', { from });
  await from.close();
  expect(answer.status).toBe(502);
  expect(await answer.text()).toContain('product_not_found');
});

test('while the service is down, the shop says so and that nothing was charged', async () => {
  const from = await openShop();
  const [shelf, till] = [await fetch(from.url), await buy('oneTime', { from })];
  await from.close();
  expect([shelf.status, till.status]).toEqual([503, 502]);
  expect(await till.text()).toContain('Nothing was charged');
});

test.each(['/buy/nothing', '/buy/__proto__', '/buy/toString'])('404: POST %s', async (path) => {
  expect((await fetch(shop.url + path, { method: 'POST' })).status).toBe(404);
});

test.each(['/thanks', '/sorry'])(
  '%s states that it is not a proof of payment, and shows nothing from its query',
  async (path) => {
    const page = await (await fetch(`${shop.url}${path}?product=<b>x&since=<b>y`)).text();
    expect(page).toContain('This page proves nothing');
    expect(page).toContain('No webhook for this purchase so far.');
    expect(page).not.toContain('<b>');
  },
);

test('GET /healthz returns 200', async () => {
  expect((await fetch(`${shop.url}/healthz`)).status).toBe(200);
});
