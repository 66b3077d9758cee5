/** Purchases while the event stream is silently withheld, on the whole service in a real browser. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { type BuyerBrowser, DESKTOP, launchBrowser, newBuyer } from '../support/stack/browser.ts';
import { bank, CARDS, fillCard, fillForm, notice, payButton } from '../support/stack/hosted-page.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';
import { type SilentProxy, startSilentProxy } from './silent-proxy.ts';

/** Longer than the page waits for a heartbeat; shorter than a buyer waits. */
const SHOWN_WITHIN_MS = 60_000;

let stack: TestStack;
let browser: Browser;
let proxy: SilentProxy;
let buyer: BuyerBrowser;

beforeAll(async () => {
  [stack, browser, proxy] = await Promise.all([startStack(), launchBrowser(), startSilentProxy()]);
});
afterAll(async () => {
  await browser?.close();
  proxy?.close();
  await stack?.stop();
});
beforeEach(async () => {
  buyer = await newBuyer(browser, DESKTOP, proxy.url);
});
afterEach(async () => {
  expect(buyer.complaints).toEqual([]);
  await buyer.context.close();
});

async function open(): Promise<Page> {
  const { page } = buyer;
  const { hostedUrl } = await stack.createCheckout(stack.products.oneTime);
  await page.goto(hostedUrl);
  page.setDefaultTimeout(SHOWN_WITHIN_MS);
  return page;
}

test.each([
  ['that is never answered', 'nothing', 'nothing'],
  ['that is silent after its headers', 'headers', 'headers'],
  ['that falls silent later', 'everything', 'nothing'],
] as const)(
  'an event stream %s does not freeze the page',
  async (_stream, atFirst, then) => {
    proxy.arrives = atFirst;
    const page = await open();
    await fillForm(page, CARDS.declined);
    proxy.arrives = then;
    await payButton(page).click();
    await notice(page).getByText('The payment was declined').waitFor();
    await fillCard(page, CARDS.challenge);
    await payButton(page).click();
    await bank(page).getByRole('button', { name: 'Approve' }).click();
    await page.getByText('Payment successful').waitFor();

    proxy.arrives = atFirst;
    const second = await open();
    await fillForm(second, CARDS.approved);
    proxy.arrives = then;
    await payButton(second).click();
    await second.getByText('Payment successful').waitFor();
  },
  300_000,
);
