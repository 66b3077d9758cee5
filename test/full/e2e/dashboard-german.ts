/** Every page as a person with a German browser sees it on a phone. */
import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { de } from '../../../dashboard/app/words/de.ts';
import { en } from '../../../dashboard/app/words/en.ts';
import { openDashboard, overflowPx, PEOPLE } from '../../e2e/dashboard.ts';
import { PHONE } from '../../support/stack/browser.ts';
import type { TestStack } from '../../support/stack/stack.ts';

function textsOf(words: unknown): readonly string[] {
  if (typeof words === 'string') return [words];
  if (typeof words !== 'object' || words === null) return [];
  return Object.values(words).flatMap(textsOf);
}

/** Texts of the English catalogue that the German one has not, as it has "Status". */
function onlyEnglish(): ReadonlySet<string> {
  const german = new Set(textsOf(de));
  return new Set(textsOf(en).filter((text) => !german.has(text)));
}

/** What is read on a page, by eye or by a screen reader; names of the API, which are code, are the same in every language. */
function textsOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body :not(code, code *)')].flatMap((element) => [
      ...[...element.childNodes]
        .filter(({ nodeType }) => nodeType === 3)
        .map((node) => node.textContent ?? ''),
      ...['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
    ]),
  );
}

export async function readInGerman(
  stack: TestStack,
  browser: Browser,
  paths: readonly string[],
): Promise<void> {
  const english = onlyEnglish();
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, '/', {
    locale: 'de-DE',
    viewport: PHONE,
  });
  const heading = () => page.locator('.page-head h1').textContent();
  expect(await heading()).toBe(de.shell.pages.home);
  for (const path of paths) {
    await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/sandbox${path}`);
    await page.waitForSelector('.page-head');
    await page.waitForFunction(() => !document.querySelector('.loading'));
    const inEnglish = (await textsOn(page)).map((text) => text.trim()).filter((text) => english.has(text));
    expect({ path, inEnglish, overflow: await overflowPx(page) }).toEqual({
      path,
      inEnglish: [],
      overflow: 0,
    });
  }
  expect(complaints).toEqual([]);
  await page.context().close();
}
