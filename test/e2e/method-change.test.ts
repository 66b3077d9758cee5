/** A customer changes the payment method of a subscription, on the whole service, in a real browser. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type BuyerBrowser, DESKTOP, launchBrowser, newBuyer, PHONE } from '../support/browser.ts';
import { eventually } from '../support/eventually.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import {
  advanceTo,
  type Bought,
  buySubscription,
  eventsOf,
  inDays,
  invoicesOfStack,
  ledgerOf,
  post,
  subscriptionOf,
} from '../support/stack-subscriptions.ts';
import { violationsOf } from './axe.ts';
import { bank, CARDS, cardFields, fillCard, notice, payButton, statusTitle } from './hosted-page.ts';

const HARD_DECLINE_LATER = '4000009000000425';
const MASTERCARD = '5555555555554444';

let stack: TestStack;
let browser: Browser;
let buyer: BuyerBrowser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchBrowser()]);
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});
beforeEach(async () => {
  buyer = await newBuyer(browser);
});
afterEach(async () => {
  expect(buyer.complaints).toEqual([]);
  await buyer.context.close();
});

async function changeOf({ id, externalCustomerId }: Bought): Promise<string> {
  const { status, body } = await post(stack, '/v1/payment-methods/change', {
    ...{ subscriptionId: id, externalCustomerId },
    customer: { email: `${externalCustomerId}@example.com` },
    successUrl: `${stack.shopUrl}/?came=back`,
    failUrl: `${stack.shopUrl}/?came=away`,
  });
  expect(status).toBe(201);
  return body.hostedUrl;
}
const told = async ({ externalCustomerId }: Bought) =>
  (await eventsOf(stack, externalCustomerId))
    .map(({ event }) => event.type as string)
    .filter((type) => type.startsWith('payment_method.'));

test('the card is changed, nothing is charged, and the shop hears of it', async () => {
  const { page } = buyer;
  const subscription = await buySubscription(stack);
  const before = await ledgerOf(stack);
  await page.goto(await changeOf(subscription));
  expect(await page.locator('h1').textContent()).toBe('Change your payment method at Harbour Coffee');
  expect(await page.locator('#current-method').textContent()).toBe('Your card now: Visa ending in 4242');
  expect(await page.locator('#terms').textContent()).toMatch(
    /^Nothing is charged today\. From \d+ \w+ \d{4}, €14\.00 is charged to the new card every month/,
  );
  expect(await page.title()).toBe('Payment method at Harbour Coffee');
  await fillCard(page, MASTERCARD);
  await page.getByRole('button', { name: 'Save this card' }).click();
  await page.getByText('Your payment method was changed').waitFor();
  await page.waitForURL(`${stack.shopUrl}/?came=back`);
  await eventually(async () => expect(await told(subscription)).toEqual(['payment_method.updated']));
  const { payment_method } = await subscriptionOf(stack, subscription.id);
  expect(payment_method).toEqual({ type: 'card', brand: 'mastercard', last4: '4444' });
  const after = await ledgerOf(stack);
  expect(after.slice(before.length).map(({ amount }) => amount)).toEqual([0]);
});

test('what is past due is named, and charged at once to the new card', async () => {
  const { page } = buyer;
  const subscription = await buySubscription(stack, { card: HARD_DECLINE_LATER });
  const { current_period_end } = await subscriptionOf(stack, subscription.id);
  await advanceTo(stack, subscription.id, inDays(current_period_end, 1));
  expect((await subscriptionOf(stack, subscription.id)).status).toBe('past_due');
  await page.goto(await changeOf(subscription));
  expect(await page.locator('.amount-now').textContent()).toBe('€14.00');
  expect(await page.locator('#terms').textContent()).toContain('€14.00 is outstanding');
  await fillCard(page, CARDS.approved);
  await page.getByRole('button', { name: 'Save this card and pay €14.00' }).click();
  await page.getByText('Your payment method was changed').waitFor();
  await eventually(async () => expect((await subscriptionOf(stack, subscription.id)).status).toBe('active'));
  const invoices = await invoicesOfStack(stack, subscription.id);
  expect(invoices.map(({ status, amount_due }) => [status, amount_due])).toEqual([
    ['created', 0],
    ['created', 0],
  ]);
  await eventually(async () =>
    expect(await told(subscription)).toEqual(['payment_method.updated_required', 'payment_method.updated']),
  );
});

test('it can be done with the keyboard alone, through the confirmation by the bank', async () => {
  const { page } = buyer;
  const { keyboard } = page;
  const subscription = await buySubscription(stack);
  await page.goto(await changeOf(subscription));
  await cardFields(page).getByLabel('Card number').waitFor();
  await cardFields(page).getByLabel('Card number').focus();
  await keyboard.type(CARDS.challenge);
  await keyboard.press('Tab');
  await keyboard.type('1234');
  await keyboard.press('Tab');
  await keyboard.type('123');
  await keyboard.press('Enter');
  await bank(page).getByRole('button', { name: 'Approve' }).waitFor();
  await eventually(async () => {
    await keyboard.press('Tab');
    const approve = bank(page).getByRole('button', { name: 'Approve' });
    expect(await approve.evaluate((button) => button === document.activeElement)).toBe(true);
  });
  await keyboard.press('Enter');
  await page.getByText('Your payment method was changed').waitFor();
  expect(await statusTitle(page).evaluate((title) => title === document.activeElement)).toBe(true);
});

test('a declined card is told as that, and the next one is saved', async () => {
  const { page } = buyer;
  const subscription = await buySubscription(stack);
  await page.goto(await changeOf(subscription));
  await fillCard(page, CARDS.insufficientFunds);
  await payButton(page).click();
  await notice(page).getByText('The card was declined').waitFor();
  await fillCard(page, CARDS.approved);
  await payButton(page).click();
  await page.getByText('Your payment method was changed').waitFor();
});

test('the customer keeps the card, and the shop hears that it was not changed', async () => {
  const { page } = buyer;
  const subscription = await buySubscription(stack);
  await page.goto(await changeOf(subscription));
  await page.getByRole('button', { name: 'Cancel and return to Harbour Coffee' }).click();
  await page.getByText('Keep the present card?').waitFor();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByText('Nothing was changed').first().waitFor();
  await page.waitForURL(`${stack.shopUrl}/?came=away`);
  await eventually(async () => expect(await told(subscription)).toEqual(['payment_method.update_failed']));
});

test('an older link says that it is over once there is a newer one', async () => {
  const { page } = buyer;
  const subscription = await buySubscription(stack);
  const older = await changeOf(subscription);
  const newer = await changeOf(subscription);
  await page.goto(older);
  await page.getByText('This link cannot be used any more').waitFor();
  await page.goto(newer);
  await cardFields(page).getByLabel('Card number').waitFor();
});

test('everybody can use it, on a phone and on a desktop', async () => {
  const { page, context } = await newBuyer(browser, PHONE);
  const subscription = await buySubscription(stack);
  await page.goto(await changeOf(subscription));
  await cardFields(page).getByLabel('Card number').waitFor();
  for (const viewport of [PHONE, DESKTOP, { width: 320, height: 640 }]) {
    await page.setViewportSize(viewport);
    expect(await violationsOf(page)).toEqual([]);
    const tooWide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(tooWide).toBeLessThanOrEqual(0);
  }
  if (process.env.METHOD_CHANGE_PICTURE) {
    await page.setViewportSize(DESKTOP);
    await page.screenshot({ path: process.env.METHOD_CHANGE_PICTURE, fullPage: true });
  }
  await context.close();
});
