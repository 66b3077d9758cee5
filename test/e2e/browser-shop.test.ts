/** A purchase from the demo shop's browser-only page, on the whole service. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { launchBrowser, newBuyer } from '../support/stack/browser.ts';
import { CARDS, fillForm, payButton } from '../support/stack/hosted-page.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

let stack: TestStack;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

test('a buyer pays and returns to the shop, which gets the webhook', async () => {
  const { page, context, complaints } = await newBuyer(browser);
  await page.goto(`${stack.shopUrl}/browser`);
  await page.getByRole('button', { name: 'Buy Enamel mug' }).click();
  await page.waitForURL(`${stack.apiUrl}/pay/*`);
  await fillForm(page, CARDS.approved, 'browser@example.com');
  await payButton(page).click();
  await page.waitForURL(`${stack.shopUrl}/browser?back=success`);
  const paid = page.locator('[data-events] > li', { hasText: 'payment.succeeded' });
  await paid.first().waitFor();
  const { customer, payment } = JSON.parse((await paid.first().locator('pre').textContent()) ?? '');
  expect(customer).toMatchObject({ email: 'browser@example.com', external_customer_id: null });
  const { data } = await (
    await fetch(`${stack.apiUrl}/v1/orders`, {
      headers: { authorization: `Bearer ${stack.merchant.apiKey}` },
    })
  ).json();
  expect(data).toMatchObject([{ source: 'checkout_client', status: 'completed', payment_id: payment.id }]);
  expect(complaints).toEqual([]);
  await context.close();
});
