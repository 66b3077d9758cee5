/** A click after a declined card, which needs a proof of work, on a phone in a real browser (rule 53). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { en } from '../../page/document/strings/en.ts';
import { launchBrowser, newBuyer } from '../support/stack/browser.ts';
import { CARDS, fillCard, fillForm, notice, payButton } from '../support/stack/hosted-page.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

let stack: TestStack;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack({ env: { DECLINES_PER_ADDRESS: '1' } }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** Returns the messages announced to screen readers since the call. */
async function listen(page: Page): Promise<() => Promise<readonly string[]>> {
  const region = await page.getByRole('status').and(page.locator('[aria-live=polite]')).elementHandle();
  const heard = await page.evaluateHandle((node) => {
    const texts: string[] = [];
    new MutationObserver(() => texts.push(node?.textContent ?? '')).observe(node as Node, {
      childList: true,
    });
    return texts;
  }, region);
  return () => heard.jsonValue();
}

test('the page computes the proof, announces it to screen readers, and the buyer pays with another card', async () => {
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
  const heard = await listen(page);
  await payButton(page).click();
  await page.getByText('Payment successful').waitFor();
  expect(await heard()).toContainEqual(expect.stringContaining(en.busyProof));
  expect(answers.filter((answer) => answer.endsWith('true'))).toHaveLength(1);
  expect(buyer.complaints).toEqual([]);
  await buyer.context.close();
});
