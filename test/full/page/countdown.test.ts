/** The countdown appears in the last five minutes only, in the form and in the bank's confirmation. */
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator } from 'playwright-core';
import { confirmation, type Ready, type Scene, show, untilFields } from '../../e2e/scene.ts';
import { age, createSession, moveTo } from '../../page/core/fixtures.ts';
import { type ServedPage, servePage } from '../../page/core/serve.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { type BuyerBrowser, launchBrowser, newBuyer, PHONE } from '../../support/stack/browser.ts';
import { bank } from '../../support/stack/hosted-page.ts';

/** The page shows the last 300; a busy machine may take three minutes to open it. */
const EARLY_SECONDS = 480;
const LATE_SECONDS = 295;

let databases: readonly TestDatabase[];
let served: ServedPage;
let browser: Browser;
let buyer: BuyerBrowser;

beforeAll(async () => {
  const [own, rail] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
  databases = [own, rail];
  served = await servePage({ databaseUrl: own.url, railDatabaseUrl: rail.url });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await served?.close();
  await Promise.all((databases ?? []).map((database) => database.drop()));
});
afterEach(async () => {
  expect(buyer.complaints).toEqual([]);
  await buyer.context.close();
});

const untilBank: Ready = ({ page }) => bank(page).getByRole('button', { name: 'Approve' }).waitFor();

test.each([
  ['created', 'the form', '.form-head'],
  ['requires_action', 'the bank’s confirmation', 'dialog.challenge'],
] as const)('%s: five minutes before the expiry a countdown appears in %s', async (state, _where, place) => {
  buyer = await newBuyer(browser, PHONE);
  const { page } = buyer;
  const scene: Scene = { served, page };
  const session = await createSession(served.pool, { lifetimeSeconds: EARLY_SECONDS });
  if (state === 'requires_action') await confirmation(scene, session, true);
  await show(scene, session, state === 'created' ? untilFields : untilBank);
  const timer = page.locator(place).locator('.countdown');
  expect(await timersIn(page.locator('body'))).toEqual([]);

  await age(served.pool, session, EARLY_SECONDS - LATE_SECONDS);
  await moveTo(served.pool, session, state);
  await timer.waitFor();
  expect(await timer.innerText()).toMatch(/^Time left to pay:\s+[1-4]:\d\d$/);
  expect(await timersIn(page.locator('body'))).toHaveLength(1);
});

const timersIn = (body: Locator) => body.getByRole('timer').filter({ visible: true }).allInnerTexts();
