/**
 * The hosted page with merchants' and buyers' text of realistic length, on phones and on a desktop, in both
 * schemes: nothing is cut off, nothing scrolls sideways. `GALLERY=<folder>` writes each as a picture.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { cutTexts, overflowPx } from '../../e2e/dashboard.ts';
import { ended, failed, type Scene, show } from '../../e2e/scene.ts';
import { createSession, type SessionOptions } from '../../page/core/fixtures.ts';
import { type ServedPage, servePage } from '../../page/core/serve.ts';
import { REAL_TEXTS } from '../../support/core/real-texts.ts';
import { RECURRING } from '../../support/db/fixtures.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { launchBrowser, newBuyer, PHONE } from '../../support/stack/browser.ts';

const WIDTHS = [320, 390, 1280];
const CODE = 'RINDFLEISCHETIKETTIERUNGSÜBERWACHUNGSAUFGABENÜBERTRAGUNG-2026'.slice(0, 60);

let databases: readonly TestDatabase[];
let served: ServedPage;
let browser: Browser;

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

function sessionOf([name, email, locale]: (typeof REAL_TEXTS)[number]): SessionOptions {
  return {
    merchant: { name },
    name,
    description: `${name}\n${name}`,
    price: { ...RECURRING, amount: 98_765, interval: 'month' },
    range: { min: 1, max: 50 },
    coupons: [{ code: CODE, percent: 50, duration: 'repeating', periods: 3 }],
    email,
    emailConfirmed: true,
    buyerName: name,
    locale,
  };
}

test.each(REAL_TEXTS)(
  'no state of the page cuts off %s',
  async (...texts) => {
    const { page, context, complaints } = await newBuyer(browser, PHONE);
    const scene: Scene = { served, page };
    const faults: object[] = [];
    const look = async (what: string) =>
      faults.push(...(await lookAtWidths(page, `${texts[2]}-${texts[1]}-${what}`)));
    const session = () => createSession(served.pool, sessionOf(texts));
    const untilShown = async () => {
      await page.locator('#status-title').waitFor();
    };
    const untilFields = async () => {
      await page.locator('.fields[data-state="ready"]').waitFor({ state: 'attached' });
    };

    await show(scene, await session(), untilFields);
    await look('form');
    await page.locator('#code-entry summary').click();
    await page.locator('#code').fill(CODE);
    await look('code');
    await page.locator('#code').press('Enter');
    await page.locator('#coupon', { hasText: CODE }).waitFor();
    await look('coupon');
    await show(scene, await session(), untilFields, (of) => failed(scene, of, 'insufficient_funds'));
    await look('declined');
    for (const how of ['succeeded', 'expired', 'attempts_exhausted'] as const) {
      await show(scene, await session(), untilShown, (of) => ended(scene, of, how));
      await look(how);
    }
    expect(faults).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  },
  120_000,
);

async function lookAtWidths(page: Page, what: string): Promise<readonly object[]> {
  const faults: object[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const seen = { what, width, overflow: await overflowPx(page), cut: await cutTexts(page) };
    const [brokenAmount, ragged] = [await page.evaluate(isAmountBroken), await page.evaluate(raggedFacts)];
    if (seen.overflow > 0 || seen.cut.length > 0 || brokenAmount || ragged.length > 0)
      faults.push({ ...seen, brokenAmount, ragged });
    if (!process.env.GALLERY) continue;
    await mkdir(process.env.GALLERY, { recursive: true });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const name = `page-${what}-${width}-${colorScheme}`.replaceAll(/[^\w-]+/g, '-');
      await page.screenshot({ path: join(process.env.GALLERY, `${name}.png`), fullPage: true });
    }
  }
  return faults;
}

/** Whether a line breaks inside a coupon's deduction, after the minus sign. */
function isAmountBroken(): boolean {
  const text = document.getElementById('coupon')?.firstChild;
  if (!(text instanceof Text) || !text.parentElement?.checkVisibility()) return false;
  const range = document.createRange();
  range.setStart(text, text.data.lastIndexOf('−'));
  range.setEnd(text, text.data.length);
  return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1;
}

/** Facts that are not aligned with the receipt's right edge, as Arabic ones were before. */
function raggedFacts(): readonly string[] {
  return [...document.querySelectorAll('.receipt dd')].flatMap((fact) => {
    const range = document.createRange();
    range.selectNodeContents(fact);
    const right = Math.max(...[...range.getClientRects()].map((box) => box.right));
    return fact.getBoundingClientRect().right - right > 2 ? [fact.textContent] : [];
  });
}
