/** GET /openapi.json and the reference at /docs, in a real browser. */
import { once } from 'node:events';
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { description } from '../../support/api/api-description.ts';
import { insertApiKey } from '../../support/db/fixtures.ts';
import { createMerchant } from '../../support/db/webhooks.ts';
import { launchBrowser, newBuyer } from '../../support/stack/browser.ts';

let api: TestApi;
let browser: Browser;

beforeAll(async () => {
  api = await startTestApi();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await api?.stop();
});

test('GET /openapi.json serves the description', async () => {
  const { status, headers, body } = await api.request('GET', '/openapi.json');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^application\/json/);
  expect(body).toEqual(description);
});

test('the description is compressed, and a client that already has it gets 304', async () => {
  // Not `fetch`, which adds `cache-control: no-cache` to a conditional request.
  const ask = async (headers: OutgoingHttpHeaders = {}) => {
    const asked = get(`${api.url}/openapi.json`, { headers: { 'accept-encoding': 'gzip', ...headers } });
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) };
  };
  const { headers, body } = await ask();
  expect(headers['content-encoding']).toBe('gzip');
  expect(headers['cache-control']).toBe('public, no-cache');
  expect(body.length).toBeLessThan(JSON.stringify(description).length / 5);
  const again = await ask({ 'if-none-match': headers.etag });
  expect([again.status, again.body.length]).toEqual([304, 0]);
});

async function openReference(run: (page: Page) => Promise<void>): Promise<void> {
  const { page, context, complaints } = await newBuyer(browser);
  const elsewhere: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(api.url) && !request.url().startsWith('data:'))
      elsewhere.push(request.url());
  });
  const answer = await page.goto(`${api.url}/docs`);
  expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'; script-src 'self';");
  await page.getByText('Create a checkout session', { exact: true }).waitFor({ timeout: 120_000 });
  await run(page);
  expect(elsewhere).toEqual([]);
  expect(complaints).toEqual([]);
  await context.close();
}

test('/docs is a reference of every operation and event, with samples, from one origin', async () => {
  await openReference(async (page) => {
    await page.getByText('payment.succeeded', { exact: true }).first().waitFor();
    const shown = await page.locator('.opblock').count();
    const described = [description.paths, description.webhooks].flatMap(Object.values).flatMap(Object.values);
    expect(shown).toBe(described.length);
    await page.getByText('Create a checkout session', { exact: true }).click();
    await page.getByText('price_id_not_allowed').first().waitFor();
    for (const [language, call] of [
      ['curl', 'curl -X POST "$HOSTED_CHECKOUT_URL/v1/checkouts"'],
      ['JavaScript', 'await client.checkouts.create({'],
      ['Python', 'client.checkouts.create('],
    ] as const) {
      await page.locator('.samples').getByRole('button', { name: language, exact: true }).click();
      await page.locator('.samples pre', { hasText: call }).waitFor();
    }
  });
}, 120_000);

test('the search finds operations by words of their explanations', async () => {
  await openReference(async (page) => {
    await page.getByRole('searchbox', { name: 'Search operations' }).fill('take back cancellation');
    await page.getByText('Take back a cancellation', { exact: true }).waitFor();
    await page.getByText('Create a checkout session', { exact: true }).waitFor({ state: 'detached' });
  });
}, 120_000);

test('“Try it out” makes a call with a sandbox key, and refuses a live one', async () => {
  const merchant = await createMerchant(api.pool);
  await openReference(async (page) => {
    const operation = page.locator('#operations-Billing-listProducts');
    const tryWith = async (key: string) => {
      await page.locator('.authorize.unlocked, .authorize.locked').first().click();
      const dialog = page.locator('.dialog-ux');
      const logOut = dialog.getByRole('button', { name: 'Remove authorization' }).first();
      if (await logOut.isVisible()) await logOut.click();
      await dialog.locator('input').first().fill(key);
      await dialog.getByRole('button', { name: 'Apply credentials' }).first().click();
      await dialog.getByRole('button', { name: 'Close' }).first().click();
      await operation.getByRole('button', { name: 'Execute' }).click();
    };
    await operation.getByText('All products', { exact: true }).click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
    await tryWith(await insertApiKey(api.pool, merchant));
    await operation.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    await tryWith(await insertApiKey(api.pool, { ...merchant, environment: 'production' }));
    await operation.getByText('Use a key of the sandbox').waitFor();
  });
}, 120_000);

test('404 for unknown files of the reference, 405 for another method', async () => {
  for (const path of ['/docs/package.json', '/docs/..%2Fpackage.json']) {
    expectRefusal(await api.request('GET', path), 404, 'route_not_found');
  }
  expectRefusal(await api.request('POST', '/docs', { body: {} }), 405, 'method_not_allowed');
  expect((await fetch(`${api.url}/docs/`)).url).toBe(`${api.url}/docs`);
});

// The last test: the limit is per address and minute.
test('429 for an address that requests the reference repeatedly', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 150 }, async () => (await fetch(`${api.url}/docs/favicon-32x32.png`)).status),
  );
  expect(statuses).toContain(429);
  expectRefusal(await api.request('GET', '/openapi.json'), 429, 'rate_limited');
});
