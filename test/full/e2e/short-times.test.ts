/**
 * Expiry of sessions and challenges, with their 30 and 10 minutes set to seconds. First, challenges expire in long
 * sessions, then sessions with long challenges, because a busy machine takes seconds to open a page.
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { type BuyerBrowser, launchBrowser, newBuyer } from '../../support/stack/browser.ts';
import {
  bank,
  CARDS,
  cardFields,
  fillCard,
  fillForm,
  notice,
  payButton,
} from '../../support/stack/hosted-page.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';

const CHALLENGE_SECONDS = 5;
const SESSION_SECONDS = 20;
/** Takes 5 s on a quiet machine. Shorter than 15 s, after which a page without a notification polls. */
const SOON_MS = 14_000;

let stack: TestStack;
let browser: Browser;
let buyer: BuyerBrowser;

beforeAll(async () => {
  const env = {
    RECONCILE_SCHEDULE_SECONDS: '1,1',
  };
  [stack, browser] = await Promise.all([
    startStack({ env, parts: ['rail', 'shop', 'api'] }),
    launchBrowser(),
  ]);
  await stack.start('worker', { CHALLENGE_LIFETIME_SECONDS: `${CHALLENGE_SECONDS}` });
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

const newSession = () =>
  stack.createCheckout(stack.products.oneTime, { failUrl: `${stack.shopUrl}/?came=away` });

async function charges(): Promise<readonly { outcome: string }[]> {
  return (await fetch(`${stack.railUrl}/ledger`)).json();
}

test('an abandoned confirmation expires without a charge and leaves the session payable', async () => {
  const { page } = buyer;
  const before = (await charges()).filter(({ outcome }) => outcome === 'approved').length;
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.challenge);
  await payButton(page).click();
  await bank(page).getByRole('button', { name: 'Approve' }).waitFor();
  // The buyer does nothing.
  await notice(page).getByText('The payment was not confirmed').waitFor();
  expect(await page.locator('dialog').count()).toBe(0);
  await fillCard(page, CARDS.approved);
  await payButton(page).click();
  await page.getByText('Payment successful').waitFor();
  expect((await charges()).filter(({ outcome }) => outcome === 'approved')).toHaveLength(before + 1);
});

test('without a worker the page shows the outcome as unknown; a returning worker charges at most once', async () => {
  const { page } = buyer;
  const before = (await charges()).length;
  const session = await stack.createCheckout(stack.products.oneTime);
  await page.goto(session.hostedUrl);
  await fillForm(page, CARDS.approved);
  await stack.kill('worker');
  await payButton(page).click();
  await page.getByText('We do not know yet whether you have paid').waitFor();
  // A reload or another tab also shows it.
  const second = await buyer.context.newPage();
  await second.goto(session.hostedUrl);
  await second.getByText('A payment was sent from this page').waitFor();
  await stack.start('worker');
  await page.getByText(/Payment successful|The time to pay is over|Your payment was not started/).waitFor();
  const { state } = await (await fetch(`${session.hostedUrl}/state`)).json();
  const charged = (await charges()).length - before;
  expect(charged).toBe(state === 'succeeded' ? 1 : 0);
});

describe('a session of 20 seconds', () => {
  beforeAll(() => stack.restart('api', { CHECKOUT_LIFETIME_SECONDS: `${SESSION_SECONDS}` }));

  test('its page accepts no payment after expiry, and states that nothing was charged', async () => {
    const { page } = buyer;
    const before = (await charges()).length;
    const { hostedUrl, expiresAt } = await newSession();
    await page.goto(hostedUrl);
    await cardFields(page).getByLabel('Card number').waitFor();
    expect(await page.getByRole('timer').textContent()).toMatch(/^0:(20|[01]\d)$/);
    await page.getByText('The time to pay is over').waitFor();
    expect(await payButton(page).isVisible()).toBe(false);
    await page.getByText('Nothing was charged.').waitFor();
    expect(Date.now() - Date.parse(expiresAt)).toBeLessThan(SOON_MS);
    const back = page.getByRole('link', { name: 'Return to the shop' });
    expect(await back.getAttribute('href')).toBe(`${stack.shopUrl}/?came=away`);
    expect(await charges()).toHaveLength(before);
  });

  test('its confirmation, if still open at expiry, ends without a charge', async () => {
    const { page } = buyer;
    await page.goto((await newSession()).hostedUrl);
    await fillForm(page, CARDS.challenge, 'late@example.com');
    await payButton(page).click();
    await bank(page).getByRole('button', { name: 'Approve' }).waitFor();
    await page.getByText('The time to pay is over').waitFor();
    await page.getByText('Nothing was charged.').waitFor();
    expect(await page.locator('dialog').count()).toBe(0);
  });
});
