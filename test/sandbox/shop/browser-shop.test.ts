/** The shop's `/browser` page in a real browser on another origin than the API. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import {
  createStorefrontClient,
  updateStorefrontClient,
} from '../../../db/merchant/manage-storefront-clients.ts';
import { storedPageToken } from '../../../db/session/create-session.ts';
import { openPageToken } from '../../../platform/secrets/page-token.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertShop, type Shop, testSecretBox } from '../../support/db/fixtures.ts';
import { violationsOf } from '../../support/stack/axe.ts';
import { DESKTOP, launchBrowser, newBuyer, PHONE } from '../../support/stack/browser.ts';
import { type OpenShop, openShop } from './open-shop.ts';

const ADA = { actor: 'person:ada@shop.example' };
let api: TestApi;
let merchant: Shop;
let clientId: string;
let shop: OpenShop;
let browser: Browser;

beforeAll(async () => {
  api = await startTestApi();
  merchant = await insertShop(api.pool);
  const { merchantId, environment, products } = merchant;
  const client = await createStorefrontClient(
    api.pool,
    merchantId,
    { environment, name: 'shop', origins: ['https://later.example'], product_ids: Object.values(products) },
    ADA,
  );
  if (typeof client === 'string') throw new Error(client);
  clientId = client.id;
  shop = await openShop({ apiUrl: api.url, apiKey: 'ap_test_unused', clientId, products });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await api?.stop();
});
beforeEach(() => setOrigins([shop.url]));

const setOrigins = (origins: string[]) =>
  updateStorefrontClient(
    api.pool,
    { merchantId: merchant.merchantId, environment: 'sandbox' },
    clientId,
    { origins },
    ADA,
  );
const sessions = () =>
  api.pool.any(sql.type(z.object({ ...storedPageToken, source: z.string(), product_id: z.string() }))`
    select page_token, page_token_hash, source, product_id from checkouts order by id`);

async function open(viewport = DESKTOP) {
  const buyer = await newBuyer(browser, viewport);
  const requests: string[] = [];
  buyer.page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`));
  await buyer.page.goto(`${shop.url}/browser`);
  const refused = buyer.page.locator('[data-note]', { hasText: 'Nothing can be sold' });
  await buyer.page.locator('.card').first().or(refused).waitFor();
  return { ...buyer, requests };
}

test.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('on %s the shop shows the products, fits the screen and is accessible', async (_name, viewport) => {
  const { page, context, complaints } = await open(viewport);
  const shelf = await page.locator('[data-shelf]').textContent();
  for (const words of ['Filterkaffee, 1 kg', '€19.00', 'a month', 'the first 14 days free'])
    expect(shelf).toContain(words);
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  expect(await violationsOf(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
});

test('a click creates one session and opens its hosted page', async () => {
  const { page, context, requests } = await open();
  const before = (await sessions()).length;
  await page.route('https://pay.example/**', (route) => route.fulfill({ body: 'the hosted page' }));
  await page.getByRole('button', { name: 'Buy Filterkaffee, 1 kg' }).click();
  await page.getByText('the hosted page').waitFor();
  const made = await sessions();
  expect(made).toHaveLength(before + 1);
  expect(made.at(-1)).toMatchObject({ source: 'checkout_client', product_id: merchant.products.oneTime });
  const [newest] = made.slice(-1);
  expect(page.url()).toBe(`https://pay.example/pay/${newest && openPageToken(testSecretBox, newest)}`);
  expect(requests.filter((line) => line.startsWith('POST'))).toEqual([
    `POST ${api.url}/v1/checkout-clients/${clientId}/sessions`,
  ]);
  await context.close();
});

test('a request whose response was lost is retried with the same key and creates one session', async () => {
  const { page, context } = await open();
  const before = (await sessions()).length;
  await page.route('https://pay.example/**', (route) => route.fulfill({ body: 'the hosted page' }));
  const keys: (string | undefined)[] = [];
  await page.route('**/sessions', async (route) => {
    const request = route.request();
    if (request.method() !== 'POST') return route.continue();
    keys.push(await request.headerValue('idempotency-key').then((key) => key ?? undefined));
    if (keys.length > 1) return route.continue();
    await route.fetch();
    await route.abort();
  });
  await page.getByRole('button', { name: 'Buy Filterkaffee, 1 kg' }).click();
  await page.getByText('the hosted page').waitFor();
  expect(keys).toEqual([keys[0], keys[0]]);
  expect(await sessions()).toHaveLength(before + 1);
  await context.close();
});

test('an error is shown with its code and can be retried', async () => {
  const { page, context } = await open();
  await api.pool.query(sql.unsafe`
    update products set status = 'inactive' where id = ${merchant.products.oneTime}`);
  const button = page.getByRole('button', { name: 'Buy Filterkaffee, 1 kg' });
  await button.click();
  await page
    .locator('[data-note]', { hasText: 'Nothing was charged. The service answered product_not_found' })
    .waitFor();
  expect(await button.isEnabled()).toBe(true);
  await api.pool.query(sql.unsafe`
    update products set status = 'active' where id = ${merchant.products.oneTime}`);
  await context.close();
});

test('on an unregistered origin the browser withholds the response', async () => {
  await setOrigins([`https://${randomUUID()}.example`]);
  const { page, context } = await open();
  await page.locator('[data-note]', { hasText: 'The service does not answer this page.' }).waitFor();
  expect(await page.locator('.card').count()).toBe(0);
  await context.close();
});

test('the message after the return states that it is not a proof of payment', async () => {
  const { page, context } = await open();
  await page.goto(`${shop.url}/browser?back=success`);
  expect(await page.locator('[data-came-back]').textContent()).toContain('proves nothing');
  await page.goto(`${shop.url}/browser?back=<b>`);
  expect(await page.locator('[data-came-back]').count()).toBe(0);
  await context.close();
});
