/**
 * Checks every state of the page, on a phone and on a desktop: no axe violation, nothing blocked by the
 * content security policy, no sideways scrolling. `SCREENSHOTS=1` writes screenshots to test/e2e/screenshots.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { type ServedPage, servePage } from '../page/core/serve.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../support/db/postgres.ts';
import { violationsOf } from '../support/stack/axe.ts';
import { DESKTOP, launchBrowser, newBuyer, PHONE } from '../support/stack/browser.ts';
import type { State } from './scene.ts';

const SCREENSHOTS = process.env.SCREENSHOTS ? join(PROJECT_DIR, 'test/e2e/screenshots') : null;

/** Declares one test per state, with its setup. */
export function testUsability(states: Readonly<Record<string, State>>): void {
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
    '%s passes axe and does not scroll sideways, on a phone and on a desktop',
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
        expect(await overflowPx(page)).toBe(0);
      }
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.evaluate(untilAtRest);
      expect(await violationsOf(page, 'colours')).toEqual([]);
      await page.emulateMedia({ colorScheme: 'light' });
      // A desktop zoomed to 400 % has 320 pixels (WCAG 2.2, reflow).
      await page.setViewportSize({ width: 320, height: 640 });
      expect(await overflowPx(page)).toBe(0);
      expect(complaints).toEqual([]);
      await context.close();
    },
  );
}

function overflowPx(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}

/** Waits for finite animations; a spinner never ends. */
async function untilAtRest(): Promise<void> {
  const once = document
    .getAnimations()
    .filter(({ effect }) => Number.isFinite(effect?.getTiming().iterations));
  await Promise.allSettled(once.map(({ finished }) => finished));
}
