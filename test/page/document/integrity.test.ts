/** A page script that was altered on its way does not run in a real browser. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { eventually } from '../../support/core/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { launchBrowser, newBuyer } from '../../support/stack/browser.ts';
import { createSession } from '../core/fixtures.ts';
import { type ServedPage, servePage } from '../core/serve.ts';

let database: TestDatabase;
let served: ServedPage;
let browser: Browser;

beforeAll(async () => {
  database = await createTestDatabase();
  served = await servePage({ databaseUrl: database.url });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  await database?.drop();
});

test('an altered script is rejected, and the page reloads until it gets the unaltered script', async () => {
  const { page, context } = await newBuyer(browser);
  let loads = 0;
  await page.route('**/pay/assets/main-*.js', async (route) => {
    loads += 1;
    if (loads > 2) return route.continue();
    const response = await route.fetch();
    await route.fulfill({ response, body: `globalThis.altered = true;${await response.text()}` });
  });
  const { pageToken } = await createSession(served.pool);
  await page.goto(`${served.url}/pay/${pageToken}`);
  expect(await page.evaluate('globalThis.altered')).toBeUndefined();
  await eventually(async () => {
    expect(loads).toBe(3);
    expect(await page.locator('#panel > form').count()).toBeGreaterThan(0);
  });
  expect(await page.evaluate('globalThis.altered')).toBeUndefined();
  // The count of reloads is reset, so the next rollout in this tab has all its tries.
  expect(await page.evaluate('Object.keys(sessionStorage)')).toEqual([expect.stringMatching(/^opened:/)]);
  await context.close();
});
