/** GET /openapi.json and the reference at /docs, in a real browser. */
import { once } from 'node:events';
import { get, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { overflowPx } from '../../e2e/dashboard.ts';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { description } from '../../support/api/api-description.ts';
import { insertApiKey } from '../../support/db/fixtures.ts';
import { createMerchant } from '../../support/db/webhooks.ts';
import { DESKTOP, launchBrowser, newBuyer } from '../../support/stack/browser.ts';

let api: TestApi;
let browser: Browser;
/** Long enough for a busy machine. */
const WITHIN_MS = 240_000;

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
  // `fetch` would add `cache-control: no-cache` to a conditional request.
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

describe('/docs', () => {
  // The page is loaded once: on a busy machine, laying out every operation takes minutes.
  let reference: Awaited<ReturnType<typeof openReference>>;
  beforeAll(async () => {
    reference = await openReference();
  }, 300_000);
  afterAll(() => reference?.context.close());

  async function openReference() {
    const { page, context, complaints } = await newBuyer(browser);
    page.setDefaultTimeout(WITHIN_MS);
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(api.url) && !request.url().startsWith('data:'))
        elsewhere.push(request.url());
    });
    // A busy service may refuse one of the reference's files.
    const isLoaded = () =>
      page
        .locator('.opblock')
        .first()
        .waitFor({ timeout: 60_000 })
        .then(
          () => true,
          () => false,
        );
    do {
      complaints.length = 0;
      const answer = await page.goto(`${api.url}/docs`);
      expect(answer?.headers()['content-security-policy']).toContain(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src",
      );
    } while (!(await isLoaded()));
    return { page, context, complaints, elsewhere };
  }

  /** From 150 operations on, Swagger UI lays out only those in view. */
  function idsWhileScrolling(page: Page): Promise<readonly string[]> {
    return page.evaluate(async () => {
      const ids = new Set<string>();
      for (let y = 0; y < document.body.scrollHeight; y += innerHeight / 2) {
        scrollTo(0, y);
        await new Promise((resolve) => setTimeout(resolve, 200));
        for (const { id } of document.querySelectorAll('.opblock')) ids.add(id);
      }
      scrollTo(0, 0);
      return [...ids];
    });
  }

  test('documents every operation and event, with samples, and loads from one origin only', async () => {
    const { page, elsewhere, complaints } = reference;
    const described = [description.paths, description.webhooks].flatMap(Object.values).flatMap(Object.values);
    expect(await idsWhileScrolling(page)).toHaveLength(described.length);
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
    await page.setViewportSize({ width: 320, height: 900 });
    expect(await overflowPx(page)).toBe(0);
    await page.setViewportSize(DESKTOP);
    await page.getByText('Create a checkout session', { exact: true }).click();
    expect({ elsewhere, complaints }).toEqual({ elsewhere: [], complaints: [] });
  }, 300_000);

  test('sends a request with a sandbox key, and refuses a live key', async () => {
    const { page, elsewhere, complaints } = reference;
    const merchant = await createMerchant(api.pool);
    const operation = page.locator('#operations-Billing-listProducts');
    const search = page.getByRole('searchbox', { name: 'Search operations' });
    await search.fill('listProducts');
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
    await operation.getByText('Use a sandbox key').waitFor();
    expect({ elsewhere, complaints }).toEqual({ elsewhere: [], complaints: [] });
  }, 300_000);

  test('searches the descriptions of operations', async () => {
    const { page } = reference;
    await page.getByRole('searchbox', { name: 'Search operations' }).fill('undo cancellation');
    await page.getByText('Undo a cancellation', { exact: true }).waitFor();
    await page.getByText('Create a checkout session', { exact: true }).waitFor({ state: 'detached' });
  }, 300_000);
});

test('404 for unknown files of the reference, 405 for another method', async () => {
  for (const path of ['/docs/package.json', '/docs/..%2Fpackage.json']) {
    expectRefusal(await api.request('GET', path), 404, 'route_not_found');
  }
  expectRefusal(await api.request('POST', '/docs', { body: {} }), 405, 'method_not_allowed');
  expect((await fetch(`${api.url}/docs/`)).url).toBe(`${api.url}/docs`);
});

// Must run last: it uses up the limit per address and minute.
test('429 for an address that requests the reference repeatedly', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 150 }, async () => (await fetch(`${api.url}/docs/favicon-32x32.png`)).status),
  );
  expect(statuses).toContain(429);
  expectRefusal(await api.request('GET', '/openapi.json'), 429, 'rate_limited');
});
