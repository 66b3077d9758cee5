/**
 * What holds for every state of the page, on a phone and on a desktop: no violation that axe finds, nothing that
 * the content security policy refused, nothing that scrolls sideways. `SCREENSHOTS=1` keeps pictures in
 * docs/screenshots.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { PROJECT_DIR } from '../../sandbox/stack/places.ts';
import { type ServedPage, servePage } from '../page/serve.ts';
import { DESKTOP, launchBrowser, newBuyer, PHONE } from '../support/browser.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/postgres.ts';
import { violationsOf } from './axe.ts';
import type { State } from './scene.ts';

const SCREENSHOTS = process.env.SCREENSHOTS ? join(PROJECT_DIR, 'docs/screenshots') : null;

/** Declares one test for each state, and what they need. */
export function testThatEverybodyCanUse(states: Readonly<Record<string, State>>): void {
  let databases: readonly TestDatabase[];
  let served: ServedPage;
  let browser: Browser;

  beforeAll(async () => {
    const [own, rail] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
    databases = [own, rail];
    served = await servePage({ databaseUrl: own.url, railDatabaseUrl: rail.url });
    browser = await launchBrowser();
    if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
    await Promise.all((databases ?? []).map((database) => database.drop()));
  });

  test.each(Object.entries(states))(
    '%s can be used by everybody, on a phone and on a desktop',
    async (name, state) => {
      const { page, context, complaints } = await newBuyer(browser, PHONE);
      await state({ served, page });
      for (const viewport of [PHONE, DESKTOP]) {
        await page.setViewportSize(viewport);
        await page.evaluate(untilAtRest);
        if (SCREENSHOTS) {
          const path = join(SCREENSHOTS, `${name}-${viewport.width}.png`);
          await page.screenshot({ path, fullPage: true, scale: 'css' });
        }
        expect(await violationsOf(page)).toEqual([]);
        expect(await widthTooMuch(page)).toBe(0);
      }
      // Text at 400 % on a desktop leaves 320 pixels (WCAG 2.2, reflow).
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await widthTooMuch(page)).toBe(0);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );
}

function widthTooMuch(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}

/** What moves once has come to rest; what turns for ever may turn. */
async function untilAtRest(): Promise<void> {
  const once = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getTiming().iterations));
  await Promise.allSettled(once.map(({ finished }) => finished));
}
