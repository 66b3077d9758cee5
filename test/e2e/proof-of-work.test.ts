/** A click after a declined card, which needs a proof of work, on a phone in a real browser (rule 53). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser, newBuyer } from '../support/stack/browser.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';
import { CARDS, fillCard, fillForm, notice, payButton } from './hosted-page.ts';

let stack: TestStack;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack({ env: { DECLINES_PER_ADDRESS: '1' } }), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

test('the page works out the proof, and the buyer pays with another card', async () => {
  const buyer = await newBuyer(browser);
  const { page } = buyer;
  const { hostedUrl } = await stack.createCheckout(stack.products.oneTime);
  const answers: string[] = [];
  page.on('response', async (response) => {
    if (response.url().endsWith('/pay') && response.request().method() === 'POST')
      answers.push(`${response.status()} ${(await response.text()).includes('proof_required')}`);
  });
  await page.goto(hostedUrl);
  await fillForm(page, CARDS.declined);
  await payButton(page).click();
  await notice(page).getByText('The payment was declined').waitFor();
  await fillCard(page, CARDS.approved);
  await payButton(page).click();
  await page.getByText('Payment successful').waitFor();
  expect(answers.filter((answer) => answer.endsWith('true'))).toHaveLength(1);
  expect(buyer.complaints).toEqual([]);
  await buyer.context.close();
});
