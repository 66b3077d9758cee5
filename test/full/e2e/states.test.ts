/**
 * Every state of the page, for a purchase and for a payment method change, on a phone and on a desktop: no
 * axe violation, nothing blocked by the content security policy, no sideways scrolling, each string from a
 * catalogue. The English strings have marks around them that locators do not see; outside of marks there are
 * only data. `SCREENSHOTS=1` writes screenshots to test/e2e/screenshots instead, without marks.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Frame, Page } from 'playwright-core';
import { CATALOGUES } from '../../../page/document/strings/index.ts';
import { CATALOGUES as METHOD_CHANGE } from '../../../page/document/strings/method-change/index.ts';
import { CHALLENGE_STRINGS } from '../../../sandbox/rail/pages/challenge-strings.ts';
import { FIELD_STRINGS } from '../../../sandbox/rail/pages/field-strings.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { METHOD_CHANGE_STATES } from '../../e2e/method-change-states.ts';
import { STATES } from '../../e2e/states.ts';
import { type ServedPage, servePage } from '../../page/core/serve.ts';
import { mark, outsideMarks, unmark } from '../../support/core/marked-texts.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { violationsOf } from '../../support/stack/axe.ts';
import { DESKTOP, launchBrowser, newBuyer, PHONE } from '../../support/stack/browser.ts';

const MARKED = [CATALOGUES, METHOD_CHANGE, FIELD_STRINGS, CHALLENGE_STRINGS].map(({ en }) => en);
const SCREENSHOTS = process.env.SCREENSHOTS ? join(PROJECT_DIR, 'test/e2e/screenshots') : null;

let databases: readonly TestDatabase[];
let served: ServedPage;
let browser: Browser;

beforeAll(async () => {
  if (SCREENSHOTS) await mkdir(SCREENSHOTS, { recursive: true });
  else MARKED.forEach(mark);
  const [own, rail] = await Promise.all([createTestDatabase(), createEmptyDatabase()]);
  databases = [own, rail];
  served = await servePage({ databaseUrl: own.url, railDatabaseUrl: rail.url });
  browser = await launchBrowser();
});
afterAll(async () => {
  if (!SCREENSHOTS) MARKED.forEach(unmark);
  await browser?.close();
  await served?.close();
  await Promise.all((databases ?? []).map((database) => database.drop()));
});

test.each(Object.entries({ ...STATES, ...METHOD_CHANGE_STATES }))(
  '%s shows only text from the language catalogues, passes axe and does not scroll sideways on phone or desktop',
  async (name, state) => {
    const { page, context, complaints } = await newBuyer(browser, PHONE);
    await state({ served, page });
    if (!SCREENSHOTS && !name.endsWith('-german')) {
      const said = (await Promise.all(page.frames().map(textsOf))).flat();
      expect(said.some((text) => text.includes('\u200b'))).toBe(true);
      expect(said.map(outsideMarks).filter((text) => /\p{L}/u.test(text))).toEqual([]);
    }
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

/** Texts and labels of a document. Texts by merchants, buyers and banks have `dir="auto"` or are descriptions. */
function textsOf(frame: Frame): Promise<string[]> {
  return frame.evaluate(() => {
    const data =
      'script, style, [dir="auto"], dd, .languages, .brands, .monogram, header:has(.mark), .amount-now';
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const element = node instanceof Element ? node : node.parentElement;
      if (!element || element.closest(data)) continue;
      if (!(node instanceof Element)) texts.push(node.textContent ?? '');
      else
        for (const name of ['title', 'alt', 'aria-label', 'placeholder'])
          texts.push(node.getAttribute(name) ?? '');
    }
    return texts;
  });
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
