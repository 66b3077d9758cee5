/** A customer changes the payment method of a subscription, on the whole service, in a real browser. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import type { Browser, Page } from 'playwright-core';
import { completeChallengeUpdate } from '../../workflows/session/session-messages.ts';
import { query } from '../faults/books.ts';
import { eventually } from '../support/core/eventually.ts';
import { type BuyerBrowser, launchBrowser, newBuyer } from '../support/stack/browser.ts';
import {
  bank,
  CARDS,
  cardFields,
  fillCard,
  notice,
  payButton,
  statusTitle,
} from '../support/stack/hosted-page.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';
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
} from '../support/stack/stack-subscriptions.ts';

const HARD_DECLINE_LATER = '4000009000000425';
const MASTERCARD = '5555555555554444';

let stack: TestStack;
let browser: Browser;
let buyer: BuyerBrowser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), launchBrowser()]);
});
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
    subscriptionId: id,
    externalCustomerId,
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

test('the card is changed without a charge, and the shop gets the event', async () => {
  const { page } = buyer;
  const subscription = await buySubscription(stack);
  const before = await ledgerOf(stack);
  await page.goto(await changeOf(subscription));
  expect(await page.locator('h1').textContent()).toBe('Change your payment method');
  expect(await page.locator('#current-method').textContent()).toBe('Your card now: Visa ending in 4242');
  expect(await page.locator('#terms').textContent()).toMatch(
    /^Nothing is charged today\. From \d+ \w+ \d{4}, €14\.00 is charged to the new card every month/,
  );
  expect(await page.title()).toBe('Payment method for Harbour Coffee');
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

test('a past-due amount is shown, and charged to the new card immediately', async () => {
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

test('the card can be changed with the keyboard alone, including the bank’s confirmation', async () => {
  const { page } = buyer;
  const { keyboard } = page;
  const subscription = await buySubscription(stack);
  await page.goto(await changeOf(subscription));
  const number = cardFields(page).getByLabel('Card number');
  await number.waitFor();
  await tabTo(page, () => number.evaluate((field) => field === document.activeElement));
  await keyboard.type(CARDS.challenge);
  await keyboard.press('Tab');
  await keyboard.type('1234');
  await keyboard.press('Tab');
  await keyboard.type('123');
  await tabTo(page, () => payButton(page).evaluate((button) => button === document.activeElement));
  await keyboard.press('Space');
  const approve = bank(page).getByRole('button', { name: 'Approve' });
  await approve.waitFor();
  await tabTo(page, () => approve.evaluate((button) => button === document.activeElement));
  await keyboard.press('Enter');
  await page.getByText('Your payment method was changed').waitFor();
  expect(await statusTitle(page).evaluate((title) => title === document.activeElement)).toBe(true);
  await eventually(async () => expect(await told(subscription)).toEqual(['payment_method.updated']));
});

test('a change can be cancelled with the keyboard alone, after a confirmation', async () => {
  const { page } = buyer;
  const { keyboard } = page;
  const subscription = await buySubscription(stack);
  await page.goto(await changeOf(subscription));
  await cardFields(page).getByLabel('Card number').waitFor();
  const giveUp = page.getByRole('button', { name: 'Cancel and return to the shop' });
  const question = page.getByText('Keep the current card?');
  await tabTo(page, () => giveUp.evaluate((button) => button === document.activeElement));
  await keyboard.press('Enter');
  await question.waitFor();
  await keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  // The dialog has restored focus.
  expect(await giveUp.evaluate((button) => button === document.activeElement)).toBe(true);
  await keyboard.press('Enter');
  await question.waitFor();
  const keep = page.getByRole('button', { name: 'Keep it' });
  await tabTo(page, () => keep.evaluate((button) => button === document.activeElement));
  await keyboard.press('Enter');
  await page.getByText('Nothing was changed').first().waitFor();
  await eventually(async () => expect(await told(subscription)).toEqual(['payment_method.update_failed']));
});

/** Presses Tab until that element has focus. */
async function tabTo(page: Page, isThere: () => Promise<boolean>): Promise<void> {
  for (let stops = 0; stops < 40; stops++) {
    if (await isThere()) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not reach the element');
}

test('a declined card is reported, and the next card is saved', async () => {
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

test('a customer who keeps the card returns to the shop, which gets payment_method.update_failed', async () => {
  const { page } = buyer;
  const subscription = await buySubscription(stack);
  await page.goto(await changeOf(subscription));
  await page.getByRole('button', { name: 'Cancel and return to the shop' }).click();
  await page.getByText('Keep the current card?').waitFor();
  await page.getByRole('button', { name: 'Keep it' }).click();
  await page.getByText('Nothing was changed').first().waitFor();
  await page.waitForURL(`${stack.shopUrl}/?came=away`);
  await eventually(async () => expect(await told(subscription)).toEqual(['payment_method.update_failed']));
});

test('a newer link supersedes the older link', async () => {
  const { page } = buyer;
  const subscription = await buySubscription(stack);
  const older = await changeOf(subscription);
  const newer = await changeOf(subscription);
  await page.goto(older);
  await page.getByText('This link cannot be used any more').waitFor();
  await page.goto(newer);
  await cardFields(page).getByLabel('Card number').waitFor();
});

test('a change that expires after 15 minutes changes nothing, and the shop gets the event', async () => {
  const { page } = buyer;
  const subscription = await buySubscription(stack);
  await page.goto(await changeOf(subscription));
  await cardFields(page).getByLabel('Card number').waitFor();
  expect(await page.getByRole('timer').count()).toBe(0);
  const wakeWorkflow = await expire(subscription);
  await page.reload();
  await page.getByText('This link has expired').waitFor();
  expect(await payButton(page).isVisible()).toBe(false);
  await wakeWorkflow();
  await page.getByText('Ask Harbour Coffee for a new link').waitFor();
  const back = page.getByRole('link', { name: 'Return to the shop' });
  expect(await back.getAttribute('href')).toBe(`${stack.shopUrl}/?came=away`);
  await eventually(async () => expect(await told(subscription)).toEqual(['payment_method.update_failed']));
  expect((await subscriptionOf(stack, subscription.id)).payment_method.last4).toBe('4242');
});

/**
 * Expires the method change's row. @returns a function that makes the workflow read the row, as its timer would after
 * 15 minutes
 */
async function expire(subscription: Bought): Promise<() => Promise<void>> {
  const [change] = await query<{ id: string }>(
    stack,
    `update checkouts set expires_at = service_clock() where subscription_id = $1 and purpose = 'method_change'
     returning id`,
    [subscription.id],
  );
  return async () => {
    const { address, namespace } = stack.temporal;
    const connection = await Connection.connect({ address });
    try {
      await new Client({ connection, namespace }).workflow
        .getHandle(change?.id ?? '')
        .executeUpdate(completeChallengeUpdate, { args: [{ attemptId: 'ap_pay_none' }] });
    } finally {
      await connection.close();
    }
  };
}
