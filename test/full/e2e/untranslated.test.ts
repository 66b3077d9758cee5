/**
 * Every state of the page in a browser: each text is taken from a catalogue. Each text of the English ones has marks
 * around it that locators do not see; outside of marks there are only data.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Frame } from 'playwright-core';
import { CATALOGUES } from '../../../page/document/strings/index.ts';
import { CATALOGUES as METHOD_CHANGE } from '../../../page/document/strings/method-change/index.ts';
import { CHALLENGE_STRINGS } from '../../../sandbox/rail/pages/challenge-strings.ts';
import { FIELD_STRINGS } from '../../../sandbox/rail/pages/field-strings.ts';
import { METHOD_CHANGE_STATES } from '../../e2e/method-change-states.ts';
import { STATES } from '../../e2e/states.ts';
import { type ServedPage, servePage } from '../../page/core/serve.ts';
import { mark, outsideMarks } from '../../support/core/marked-texts.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { launchBrowser, newBuyer, PHONE } from '../../support/stack/browser.ts';

let databases: readonly TestDatabase[];
let served: ServedPage;
let browser: Browser;

beforeAll(async () => {
  for (const { en } of [CATALOGUES, METHOD_CHANGE, FIELD_STRINGS, CHALLENGE_STRINGS]) mark(en);
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

const ENGLISH = Object.entries({ ...STATES, ...METHOD_CHANGE_STATES }).filter(
  ([name]) => !name.endsWith('-german'),
);

test.each(ENGLISH)('%s shows only texts of a catalogue', async (_name, state) => {
  const { page, context } = await newBuyer(browser, PHONE);
  await state({ served, page });
  const said = (await Promise.all(page.frames().map(textsOf))).flat();
  expect(said.some((text) => text.includes('\u200b'))).toBe(true);
  expect(said.map(outsideMarks).filter((text) => /\p{L}/u.test(text))).toEqual([]);
  await context.close();
});

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
