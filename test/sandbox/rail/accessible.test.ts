import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Frame } from 'playwright-core';
import { eventually } from '../../support/core/eventually.ts';
import { launchBrowser, newBuyer, PHONE } from '../../support/stack/browser.ts';
import { type FramingSite, fieldsUrlOf, openFields, startFramingSite } from './fields-page.ts';
import { type RunningRail, startRail } from './running-rail.ts';

let [rail, site, browser] = [] as unknown as [RunningRail, FramingSite, Browser];
beforeAll(async () => {
  [rail, site, browser] = await Promise.all([startRail(), startFramingSite(), launchBrowser()]);
});
afterAll(() => Promise.all([rail.close(), site.close(), browser.close()]));

/** Runs axe through the debugger, because the documents' policies block injected scripts. */
async function violationsIn(frame: Frame): Promise<unknown[]> {
  await frame.evaluate(axe.source);
  const { violations } = await frame.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document),
  );
  return violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

describe.each([
  ['on a phone', PHONE, 'en'],
  ['on a narrow phone, in German', { width: 320, height: 640 }, 'de'],
])('%s', (_where, viewport, lang) => {
  test('nothing is cut off and axe finds no violation, with and without error messages', async () => {
    const buyer = await newBuyer(browser, viewport);
    const fields = await openFields(buyer.page, site, fieldsUrlOf(rail.url, { origin: site.origin, lang }));
    await eventually(async () => expect(await fields.last('height')).toBeDefined());
    const frame = buyer.page.frames().at(-1);
    if (!frame) throw new Error('no frame');
    for (const state of ['empty', 'problems']) {
      if (state === 'problems') {
        await fields.send({ type: 'submit', amount: 1900 });
        await eventually(async () => expect(await fields.last('error')).toBeDefined());
      }
      await eventually(async () => {
        const [inner, outer] = await frame.evaluate(() => {
          const { scrollWidth, scrollHeight } = document.documentElement;
          return [
            [scrollWidth, scrollHeight],
            [innerWidth, innerHeight],
          ] as const;
        });
        expect(inner).toEqual(outer);
      });
      expect(await violationsIn(frame)).toEqual([]);
    }
    expect(buyer.complaints).toEqual([]);
    await buyer.context.close();
  });
});

test('the challenge fits its smallest window and axe finds no violation', async () => {
  const { body } = await rail.authorize('challenge_always', { amount: 123_456 });
  const buyer = await newBuyer(browser, { width: 250, height: 400 });
  await buyer.page.goto(`${body.challengeUrl}?lang=de`);
  const [width, height] = await buyer.page.evaluate(() => {
    const { scrollWidth, scrollHeight } = document.documentElement;
    return [scrollWidth, scrollHeight] as const;
  });
  expect([width, height]).toEqual([250, 400]);
  expect(await violationsIn(buyer.page.mainFrame())).toEqual([]);
  await buyer.page.getByRole('button', { name: 'Bestätigen' }).click({ noWaitAfter: true });
  await eventually(async () => expect((await rail.lookup(body.reference)).body.status).toBe('approved'));
  expect(buyer.complaints).toEqual([]);
  await buyer.context.close();
});
