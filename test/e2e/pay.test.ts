/**
 * Purchases on the whole service, in a real browser.
 * @reads deploy/observability
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { stopCoupon } from '../../db/catalogue/coupons.ts';
import { openPool, sql } from '../../db/core/pool.ts';
import type { Environment } from '../../domain/core/environment.ts';
import type { RailOutcome } from '../../rail/outcomes.ts';
import type { Rail } from '../../rail/rail.ts';
import { eventually } from '../support/core/eventually.ts';
import { slowness } from '../support/core/slowness.ts';
import { insertCoupon } from '../support/db/coupons.ts';
import { type CollectedSpan, type Collector, startCollector } from '../support/server/collector.ts';
import { type BuyerBrowser, launchBrowser, newBuyer, PHONE } from '../support/stack/browser.ts';
import {
  bank,
  CARDS,
  cardFields,
  enterCode,
  fillCard,
  fillForm,
  notice,
  payButton,
  statusTitle,
} from '../support/stack/hosted-page.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';
import { scrape, sumOf } from '../support/tool/metrics.ts';
import { type NamedSeries, namedSeries } from '../support/tool/observability-files.ts';
import { visitSlowly } from './slow-phone.ts';

let collector: Collector;
let stack: TestStack;
const pageTokens: string[] = [];
let browser: Browser;
let buyer: BuyerBrowser;

beforeAll(async () => {
  collector = await startCollector();
  const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, METRICS_PER_MERCHANT: '1' };
  [stack, browser] = await Promise.all([startStack({ env }), launchBrowser()]);
});
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
  collector?.close();
});
beforeEach(async () => {
  buyer = await newBuyer(browser);
});
afterEach(async () => {
  expect(buyer.complaints).toEqual([]);
  await buyer.context.close();
});

/** A session of the demo shop, whose return URLs distinguish success and failure. */
async function newSession(product: keyof TestStack['products'] = 'oneTime', more: object = {}) {
  const session = await stack.createCheckout(stack.products[product], {
    successUrl: `${stack.shopUrl}/?came=back`,
    failUrl: `${stack.shopUrl}/?came=away`,
    ...more,
  });
  pageTokens.push(session.sessionId);
  return session;
}

async function charges(): Promise<readonly { operation: string; outcome: string; amount: number }[]> {
  return (await fetch(`${stack.railUrl}/ledger`)).json();
}

interface ShopEvent {
  readonly receivedAt: string;
  readonly verified: boolean;
  readonly event: { readonly type: string; readonly customer: { readonly email: string } | null };
}

async function shopEvents(email: string): Promise<readonly ShopEvent[]> {
  const events = (await (await fetch(stack.webhook.eventsUrl)).json()) as ShopEvent[];
  return events.filter(({ event }) => event.customer?.email === email);
}

test('a buyer pays, and the shop has the event before the buyer returns', async () => {
  const { page } = buyer;
  const before = (await charges()).length;
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.approved, 'happy@example.com');
  await payButton(page).click();
  await page.getByText('Payment successful').waitFor();
  await page.waitForURL(`${stack.shopUrl}/?came=back`);
  expect((await shopEvents('happy@example.com')).map(({ event }) => event.type)).toContain(
    'payment.succeeded',
  );
  expect(await charges()).toHaveLength(before + 1);
});

test('a trial shows its later charges, costs nothing now and starts a subscription', async () => {
  const { page } = buyer;
  await page.goto((await newSession('trial')).hostedUrl);
  expect(await page.locator('.amount-now').textContent()).toBe('€0.00');
  expect(await page.locator('#terms').textContent()).toMatch(
    /^14 days free, nothing is charged today\. On \d+ \w+ \d{4}, €9\.00 is charged automatically, and then every month/,
  );
  // The first charge is shown directly above the button.
  const firstCharge = page.locator('#first-charge:has(+ button.pay)');
  expect(await firstCharge.textContent()).toMatch(
    /^First charge: €9\.00 on \d+ \w+ \d{4}, then every month$/,
  );
  await fillForm(page, CARDS.approved, 'trial@example.com');
  await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
  await page.getByText('Your free trial has begun').waitFor();
  await eventually(async () => {
    const types = (await shopEvents('trial@example.com')).map(({ event }) => event.type);
    expect(types).toEqual(['subscription.created']);
  });
});

test('a buyer whose card was already used for the trial is shown the price and asked again', async () => {
  const { page } = buyer;
  const trialsPerCustomer = async (only: boolean) => {
    const pool = await openPool({ url: stack.databaseUrl });
    await pool.query(sql.unsafe`
      update products set one_trial_per_customer = ${only} where id = ${stack.products.trial}`);
    await pool.end();
  };
  await trialsPerCustomer(true);
  const order = page.getByRole('button', { name: 'Order with obligation to pay' });
  await page.goto((await newSession('trial', { externalCustomerId: 'trial-1' })).hostedUrl);
  await fillForm(page, CARDS.approved, 'trial-1@example.com');
  await order.click();
  await page.getByText('Your free trial has begun').waitFor();

  await page.goto((await newSession('trial', { externalCustomerId: 'trial-2' })).hostedUrl);
  await fillForm(page, CARDS.approved, 'trial-2@example.com');
  expect(await page.locator('.totals').isVisible()).toBe(false);
  const before = (await charges()).length;
  await order.click();
  await notice(page).getByText('Nothing was charged. Check the amount').waitFor();
  expect(await charges()).toHaveLength(before);
  expect(await page.locator('.amount-now').textContent()).toBe('€9.00');
  expect(await page.locator('.totals').innerText()).toMatch(/VAT 19%\s+€1\.44\s+Total\s+€9\.00/);
  expect(await page.locator('#terms').textContent()).toMatch(
    /^The free trial has already been used\. You pay €9\.00 today\./,
  );
  expect(await page.locator('#first-charge').isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Subscribe and pay €9.00' }).click();
  await page.getByText('Payment successful').waitFor();
  await trialsPerCustomer(false);
});

test('a buyer enters a code and pays less; a tab that still shows the full price charges nothing', async () => {
  const { page, context } = buyer;
  const pool = await openPool({ url: stack.databaseUrl });
  const scope = { merchantId: stack.merchant.id, environment: 'sandbox' } as const;
  const fields = { code: 'HALF', percent: 50, product_ids: [stack.products.oneTime] };
  const coupon = await insertCoupon(pool, scope, fields);
  const { hostedUrl } = await newSession();
  const price = Number(/[\d.]+/.exec(await payText(page, hostedUrl))?.[0]);
  const other = await context.newPage();
  // This tab never learns of the code.
  await other.route('**/events', (route) => route.abort());
  await other.route('**/state', (route) => route.abort());
  await other.goto(hostedUrl);
  await enterCode(page, 'half');
  await payButton(page)
    .getByText(`Pay €${(price / 2).toFixed(2)}`)
    .waitFor();
  await fillForm(other, CARDS.approved, 'half@example.com');
  await payButton(other).click();
  await notice(other).getByText('Nothing was charged. Check the amount').waitFor();
  await payButton(other)
    .getByText(`Pay €${(price / 2).toFixed(2)}`)
    .waitFor();
  await other.close();
  const before = (await charges()).length;
  await fillForm(page, CARDS.approved, 'half@example.com');
  await payButton(page).click();
  await page.getByText('Payment successful').waitFor();
  expect((await charges()).slice(before).map(({ amount }) => amount)).toEqual([(price * 100) / 2]);
  await stopCoupon(pool, scope.merchantId, coupon.id, { actor: 'test' });
  await pool.end();
});

async function payText(page: Page, hostedUrl: string): Promise<string> {
  await page.goto(hostedUrl);
  return payButton(page).innerText();
}

test('a wallet that the shop preselects pays without a card', async () => {
  const { page } = buyer;
  await page.goto((await newSession('recurring', { paymentMethod: 'apple_pay' })).hostedUrl);
  expect(await page.getByRole('radio', { name: /Apple Pay/ }).isChecked()).toBe(true);
  await page.getByLabel('Email address').fill('wallet@example.com');
  await page.getByRole('button', { name: 'Subscribe and pay €14.00' }).click();
  await page.getByText('Payment successful').waitFor();
});

test('a buyer who confirms with the bank pays', async () => {
  const { page } = buyer;
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.challenge);
  await payButton(page).click();
  await bank(page).getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Payment successful').waitFor();
  await page.waitForURL(`${stack.shopUrl}/?came=back`);
});

test('after a refused confirmation the buyer pays with another card', async () => {
  const { page } = buyer;
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.challenge);
  await payButton(page).click();
  await bank(page).getByRole('button', { name: 'Decline' }).click();
  await notice(page).getByText('The payment was not confirmed').waitFor();
  expect(await notice(page).textContent()).toMatch(/Nothing was charged.*You have 4 more tries\./s);
  expect(await notice(page).evaluate((element) => element === document.activeElement)).toBe(true);
  expect(await page.locator('#announcer').textContent()).toBe('');
  await fillCard(page, CARDS.approved);
  await payButton(page).click();
  await page.getByText('Payment successful').waitFor();
  expect(await page.locator('#announcer').textContent()).toBe('');
});

test('a decline after the confirmation is shown as a decline', async () => {
  const { page } = buyer;
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.challengeThenDeclined);
  await payButton(page).click();
  await bank(page).getByRole('button', { name: 'Approve' }).click();
  await notice(page).getByText('The payment was declined').waitFor();
});

test('closing the confirmation asks first, and leaves the session payable', async () => {
  const { page } = buyer;
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.challenge);
  await payButton(page).click();
  await bank(page).getByRole('button', { name: 'Approve' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByText('Stop the confirmation?').waitFor();
  await page.getByRole('button', { name: 'Continue confirming' }).click();
  await bank(page).getByRole('button', { name: 'Approve' }).waitFor();
  await page.getByRole('button', { name: 'Close' }).click();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await notice(page).getByText('The payment was not confirmed').waitFor();
  await fillCard(page, CARDS.approved);
  await payButton(page).click();
  await page.getByText('Payment successful').waitFor();
});

test('a confirmation reopens after a reload', async () => {
  const { page } = buyer;
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.challenge);
  await payButton(page).click();
  await bank(page).getByRole('button', { name: 'Approve' }).waitFor();
  await page.reload();
  await bank(page).getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Payment successful').waitFor();
});

test('a bank page opened outside the frame returns to the page, which shows the outcome', async () => {
  const { page } = buyer;
  // Without a success URL the page stays, however slow the machine.
  const session = await newSession('oneTime', { successUrl: undefined });
  await page.goto(session.hostedUrl);
  await fillForm(page, CARDS.challenge);
  await payButton(page).click();
  await bank(page).getByRole('button', { name: 'Approve' }).waitFor();
  const { challenge } = await (await fetch(`${session.hostedUrl}/state`)).json();
  await page.goto(challenge.url);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Payment successful').waitFor();
  expect(page.url()).not.toContain('returned');
});

test('a buyer who returns from the bank after the outcome sees success and returns to the shop', async () => {
  const { page } = buyer;
  const session = await newSession();
  const state = async () => (await (await fetch(`${session.hostedUrl}/state`)).json()).state;
  await page.route('**/pay/*?returned=1&lang=en', async (route) => {
    await eventually(async () => expect(await state()).toBe('succeeded'));
    await route.continue();
  });
  await page.goto(`${session.hostedUrl}?lang=en`);
  await fillForm(page, CARDS.challenge);
  await payButton(page).click();
  await bank(page).getByRole('button', { name: 'Approve' }).waitFor();
  const { challenge } = await (await fetch(`${session.hostedUrl}/state`)).json();
  await page.goto(challenge.url);
  await page.getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Payment successful').waitFor();
  await page.waitForURL(`${stack.shopUrl}/?came=back`);
  const phone = await newBuyer(browser, PHONE);
  await phone.page.goto(`${session.hostedUrl}?returned=1`);
  await phone.page.getByText('Go back to the device or window in which you are paying').waitFor();
  await phone.context.close();
});

test('a declined card is explained, and the next card pays', async () => {
  const { page } = buyer;
  const before = (await charges()).filter(({ outcome }) => outcome === 'approved').length;
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.insufficientFunds, 'retry@example.com');
  await payButton(page).click();
  await notice(page).getByText('There is not enough money on this card').waitFor();
  await fillCard(page, CARDS.approved);
  await payButton(page).click();
  await page.getByText('Payment successful').waitFor();
  await eventually(async () => {
    const types = (await shopEvents('retry@example.com')).map(({ event }) => event.type);
    expect(types.sort()).toEqual(['invoice.created', 'payment.failed', 'payment.succeeded']);
  });
  expect((await charges()).filter(({ outcome }) => outcome === 'approved')).toHaveLength(before + 1);
});

test('invalid input is reported at its field, and nothing is sent', async () => {
  const { page } = buyer;
  const session = await newSession();
  await page.goto(session.hostedUrl);
  await cardFields(page).getByLabel('Card number').waitFor();
  await payButton(page).click();
  await page.getByText('Enter your email address.').waitFor();
  expect(await page.getByLabel('Email address').evaluate((field) => field === document.activeElement)).toBe(
    true,
  );
  await page.getByLabel('Email address').fill('ada@');
  await payButton(page).click();
  await page.getByText('Enter an email address such as').waitFor();
  await page.getByLabel('Email address').fill('ada@example.com');
  await fillCard(page, '4242424242424241');
  await payButton(page).click();
  await cardFields(page).locator('#number[aria-invalid="true"]').waitFor();
  await eventually(async () => expect(await payButton(page).getAttribute('aria-disabled')).toBe('false'));
  const { attempts } = await (await fetch(`${session.hostedUrl}/state`)).json();
  expect(attempts.used).toBe(0);
});

test('a second tab shows the first tab’s payment and its outcome, and cannot pay', async () => {
  const { page, context } = buyer;
  const { hostedUrl } = await newSession();
  const second = await context.newPage();
  await page.goto(hostedUrl);
  await second.goto(hostedUrl);
  await cardFields(second).getByLabel('Card number').waitFor();
  await fillForm(page, CARDS.challenge);
  await payButton(page).click();
  await bank(page).getByRole('button', { name: 'Approve' }).waitFor();
  await second.getByRole('button', { name: 'Continue to your bank' }).waitFor();
  expect(await payButton(second).isVisible()).toBe(false);
  await bank(page).getByRole('button', { name: 'Approve' }).click();
  await page.getByText('Payment successful').waitFor();
  await second.getByText('This is already paid').waitFor();
  // Only the tab that paid redirects.
  await page.waitForURL(`${stack.shopUrl}/?came=back`);
  expect(second.url()).toBe(hostedUrl);
});

test('two tabs that pay concurrently make one charge', async () => {
  const { page, context } = buyer;
  const before = (await charges()).length;
  const { hostedUrl } = await newSession();
  const second = await context.newPage();
  for (const tab of [page, second]) {
    await tab.goto(hostedUrl);
    await fillForm(tab, CARDS.approved);
  }
  const click = (tab: Page) => payButton(tab).evaluate((button) => (button as HTMLButtonElement).click());
  await Promise.all([click(page), click(second)]);
  for (const tab of [page, second]) await tab.getByText(/Payment successful|already paid/).waitFor();
  expect(await charges()).toHaveLength(before + 1);
});

test('a purchase can be made with the keyboard alone', async () => {
  const { page } = buyer;
  await page.goto((await newSession()).hostedUrl);
  await cardFields(page).getByLabel('Card number').waitFor();
  const { keyboard } = page;
  await page.getByLabel('Email address').focus();
  await keyboard.type('keys@example.com');
  await keyboard.press('Tab');
  // Pressing Tab leaves the radio group; the card stays selected.
  await keyboard.press('Tab');
  await keyboard.type(CARDS.challenge);
  await keyboard.press('Tab');
  await keyboard.type('1234');
  await keyboard.press('Tab');
  await keyboard.type('123');
  // Enter in a card field pays, as in any form.
  await keyboard.press('Enter');
  await bank(page).getByRole('button', { name: 'Approve' }).waitFor();
  // The focus is in the dialog: Shift+Tab reaches its close button and stays inside.
  await eventually(async () => {
    await keyboard.press('Shift+Tab');
    expect(await page.evaluate(() => document.activeElement?.closest('dialog') !== null)).toBe(true);
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Close');
  });
  await keyboard.press('Enter');
  await page.getByText('Stop the confirmation?').waitFor();
  await keyboard.press('Escape');
  await page.getByText('Stop the confirmation?').waitFor({ state: 'detached' });
  await eventually(async () => {
    await keyboard.press('Tab');
    const approve = bank(page).getByRole('button', { name: 'Approve' });
    expect(await approve.evaluate((button) => button === document.activeElement)).toBe(true);
  });
  await keyboard.press('Enter');
  await page.getByText('Payment successful').waitFor();
  expect(await statusTitle(page).evaluate((title) => title === document.activeElement)).toBe(true);
});

test('a buyer who cancels returns to the shop', async () => {
  const { page } = buyer;
  const { hostedUrl } = await newSession();
  await page.goto(hostedUrl);
  await page.getByRole('button', { name: 'Cancel and return to the shop' }).click();
  await page.getByRole('button', { name: 'Keep paying' }).click();
  await page.getByRole('button', { name: 'Cancel and return to the shop' }).click();
  await page.getByRole('button', { name: 'Cancel payment' }).click();
  await page.getByText('The payment was cancelled').waitFor();
  await page.waitForURL(`${stack.shopUrl}/?came=away`);
  await page.goto(hostedUrl);
  await page.getByText('The payment was cancelled').waitFor();
  expect(await payButton(page).count()).toBe(0);
});

test('five declined cards end the session', async () => {
  const { page } = buyer;
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.declined);
  for (const left of [4, 3, 2, 1]) {
    await payButton(page).click();
    await notice(page)
      .getByText(left === 1 ? 'You have one more try.' : `You have ${left} more tries.`)
      .waitFor();
  }
  await payButton(page).click();
  await page.getByText('The payment did not go through').waitFor();
  expect(await page.getByRole('link', { name: 'Return to the shop' }).getAttribute('href')).toBe(
    `${stack.shopUrl}/?came=away`,
  );
});

test('a charge whose answer is lost is found by a look-up, and not repeated', async () => {
  const { page } = buyer;
  const before = (await charges()).length;
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.chargedThenDropped);
  await payButton(page).click();
  await page.getByText('Payment successful').waitFor();
  expect(await charges()).toHaveLength(before + 1);
});

test('while the network is down the page shows the outcome as unknown, and afterwards the real outcome', async () => {
  const { page, context } = buyer;
  const before = (await charges()).length;
  await page.route('**/events*', (route) => route.abort());
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.approved);
  // The click arrives, but not its response: the browser is offline from here on.
  await page.route('**/pay', async (route) => {
    await context.setOffline(true);
    await route.fetch();
    await route.abort('connectionreset');
  });
  await payButton(page).click();
  await page.getByText('We do not know yet whether you have paid').waitFor();
  await page.getByText('You are offline.').waitFor();
  expect(await payButton(page).isVisible()).toBe(false);
  await page.unroute('**/pay');
  await context.setOffline(false);
  await page.getByText('Payment successful').waitFor();
  expect(await charges()).toHaveLength(before + 1);
});

test('a click that may have charged stays unknown while a restored database refuses its retries', async () => {
  const { page } = buyer;
  const before = (await charges()).length;
  await page.route('**/events*', (route) => route.abort());
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.approved);
  await page.route('**/state*', (route) => route.abort());
  const restored = { code: 'restored', message: 'Restored.', request_id: null, state: 'unknown' };
  let tries = 0;
  await page.route('**/pay', async (route) => {
    tries += 1;
    if (tries === 1) await route.fetch();
    await (tries === 1 ? route.abort() : route.fulfill({ status: 503, json: restored }));
  });
  await payButton(page).click();
  await eventually(async () => {
    // On a busy machine the card fields may not answer in time; the page reports it, and the buyer clicks again.
    const isIdle = (await payButton(page).getAttribute('aria-disabled', { timeout: 1_000 })) !== 'true';
    if (tries === 0 && isIdle) await payButton(page).click({ timeout: 1_000 });
    expect(tries).toBeGreaterThan(2);
  }, 60_000);
  expect(await page.getByText('This click charged nothing.').isVisible()).toBe(false);
  expect(await payButton(page).isVisible()).toBe(false);
  await page.unroute('**/pay');
  await page.unroute('**/state*');
  await page.getByText('Payment successful').waitFor();
  expect(await charges()).toHaveLength(before + 1);
});

test('without an event stream the page polls', async () => {
  const { page } = buyer;
  await page.route('**/events*', (route) => route.abort());
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.pendingThenApproved);
  await payButton(page).click();
  await page.getByText('Payment successful').waitFor();
});

test('navigating back from the shop shows the paid session, and does not redirect again', async () => {
  const { page } = buyer;
  const { hostedUrl } = await newSession();
  await page.goto(hostedUrl);
  await fillForm(page, CARDS.approved);
  await payButton(page).click();
  await page.waitForURL(`${stack.shopUrl}/?came=back`);
  await page.goto(hostedUrl);
  await page.getByText('This is already paid').waitFor();
  await page.waitForTimeout(3_000);
  expect(page.url()).toBe(hostedUrl);
  const invoice = await page.getByRole('link', { name: 'Invoice (PDF)' }).getAttribute('href');
  expect((await fetch(`${invoice}`)).headers.get('content-type')).toBe('application/pdf');
});

test('on a phone the challenge fills the screen, and nothing scrolls sideways', async () => {
  const phone = await newBuyer(browser, PHONE);
  const { page } = phone;
  await page.goto((await newSession()).hostedUrl);
  await fillForm(page, CARDS.challenge);
  const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  expect(await overflow()).toBeLessThanOrEqual(0);
  await payButton(page).tap();
  await bank(page).getByRole('button', { name: 'Approve' }).waitFor();
  const dialog = page.locator('dialog.challenge');
  // Wait until the dialog has slid in.
  await dialog.evaluate((element) => Promise.all(element.getAnimations().map(({ finished }) => finished)));
  expect(await dialog.boundingBox()).toMatchObject({
    x: 0,
    y: 0,
    width: 390,
    height: 844,
  });
  await bank(page).getByRole('button', { name: 'Approve' }).tap();
  await page.getByText('Payment successful').waitFor();
  expect(phone.complaints).toEqual([]);
  await phone.context.close();
});

test('the German page takes a payment', async () => {
  const { page } = buyer;
  await page.goto(`${(await newSession()).hostedUrl}?lang=de`);
  await page.getByLabel('E-Mail-Adresse').fill('de@example.com');
  const fields = page.frameLocator('iframe[title="Kartendaten"]');
  await fields.locator('#number').fill(CARDS.approved);
  await fields.locator('#expiry').fill('12 / 34');
  await fields.locator('#cvc').fill('123');
  await page.getByRole('button', { name: '19,00 € bezahlen' }).click();
  await page.getByText('Zahlung erfolgreich').waitFor();
});

/** A scrape shows no figures from the database if reading them takes longer than 3 s. */
const FIGURES_WITHIN_MS = 60_000;

async function expectMetricsOfPurchases(): Promise<void> {
  const [api, worker] = await Promise.all([scrape(stack.metrics.api), scrape(stack.metrics.worker)]);
  const created = {
    http_request_method: 'POST',
    http_route: '/v1/checkouts',
    http_response_status_code: '201',
  };
  expect(sumOf(api, 'http_server_request_duration_seconds_count', created)).toBeGreaterThan(10);
  expect(sumOf(api, 'checkout_session_steps_total', { step: 'created' })).toBeGreaterThan(10);
  expect(sumOf(worker, 'checkout_session_steps_total', { step: 'succeeded' })).toBeGreaterThan(5);
  expect(sumOf(worker, 'checkout_payment_attempts_total', { outcome: 'succeeded' })).toBeGreaterThan(5);
  expect(
    sumOf(worker, 'checkout_payment_attempts_total', { outcome: 'failed', code: 'card_declined' }),
  ).toBeGreaterThan(4);
  const authorized = { rail: 'sandbox', operation: 'authorize', outcome: 'approved' };
  expect(sumOf(worker, 'checkout_rail_call_duration_seconds_count', authorized)).toBeGreaterThan(5);
  const delivered = { outcome: 'delivered', code: '2xx' };
  expect(sumOf(worker, 'checkout_webhook_delivery_duration_seconds_count', delivered)).toBeGreaterThan(5);
  expect(sumOf(worker, 'checkout_webhook_endpoints', { state: 'enabled' })).toBeGreaterThan(0);
  expect(sumOf(worker, 'temporal_workflow_completed_total', { workflow_type: 'checkout' })).toBeGreaterThan(
    5,
  );
}

test('metrics of these purchases can be scraped', async () => {
  await eventually(expectMetricsOfPurchases, FIGURES_WITHIN_MS);
});

/** Temporal's SDK shows these after the first failure only. */
const OF_FAILURES = [
  'temporal_workflow_task_execution_failed_total',
  'temporal_activity_execution_failed_total',
];

/**
 * Costs of a page that hardly depend on the machine's load: the main thread takes 64 ms at full speed, 62 to 88
 * alongside six busy loops, and 103 to 127 on a slower machine.
 */
test('the page needs at most 50 kB, three round trips to its card fields and little CPU time, without layout shift', async () => {
  // Warms up: at the first page, nothing is compiled or cached in the API yet.
  await visitSlowly(browser, (await newSession()).hostedUrl);
  const visit = await visitSlowly(browser, (await newSession()).hostedUrl);
  expect(visit.bytes).toBeLessThan(50_000);
  expect(visit.layoutShift).toBe(0);
  expect(visit.roundTrips).toBe(3);
  // Other processes on the same core add to it, up to 148 ms at a load average of 14, so the cheapest visit counts.
  let { mainThreadMs } = visit;
  const allowedMs = 160 * slowness();
  for (let n = 0; n < 3 && mainThreadMs >= allowedMs; n += 1) {
    const next = await visitSlowly(browser, (await newSession()).hostedUrl);
    mainThreadMs = Math.min(mainThreadMs, next.mainThreadMs);
  }
  expect(mainThreadMs).toBeLessThan(allowedMs);
});

/** Series that this file does not produce; the compiler checks their names. All others must be seen. */
const NOT_PROVOKED: Readonly<Record<string, readonly string[]>> = {
  environment: ['production'] satisfies Environment[],
  operation: ['chargeStored'] satisfies (keyof Rail)[],
  outcome: ['unknown' satisfies RailOutcome['kind'], 'error'],
  source: ['renewal'],
};

/** Series named by dashboards and alert rules that no process shows now, except failures of Temporal's SDK. */
async function missingSeries(): Promise<readonly NamedSeries[]> {
  const samples = (await Promise.all([scrape(stack.metrics.api), scrape(stack.metrics.worker)])).flat();
  const shown = new Set<string>();
  for (const { name, labels } of samples) {
    shown.add(name);
    for (const [label, value] of Object.entries(labels)) {
      shown.add(`${name} ${label}`);
      shown.add(`${name} ${label} ${value}`);
    }
  }
  return namedSeries()
    .filter(({ name }) => !OF_FAILURES.includes(name))
    .filter(
      ({ name, labels, values }) =>
        !shown.has(name) ||
        // The scraper adds the labels `job` and `instance`.
        labels.some((label) => !['job', 'instance'].includes(label) && !shown.has(`${name} ${label}`)) ||
        values.some(
          ([label, value]) =>
            !NOT_PROVOKED[label]?.includes(value) && !shown.has(`${name} ${label} ${value}`),
        ),
    );
}

test('every series, label and value named in a dashboard or an alert rule exists', async () => {
  // An error response: only these have `error_type`.
  expect((await fetch(`${stack.apiUrl}/v1/payments`)).status).toBe(401);
  await eventually(async () => expect(await missingSeries()).toEqual([]), FIGURES_WITHIN_MS);
  const sdk = createRequire(import.meta.url).resolve('@temporalio/core-bridge/package.json');
  const native = `releases/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-unknown-linux-gnu/index.node`;
  if (process.platform !== 'linux') return;
  const names = await readFile(join(dirname(sdk), native), 'latin1');
  for (const name of OF_FAILURES) expect(names).toContain(name.replace(/^temporal_|_total$/g, ''));
});

/** The spans of the first click that was charged and delivered. */
function spansOfOneSale(): readonly CollectedSpan[] {
  const traces = [...Map.groupBy(collector.spans, ({ traceId }) => traceId).values()];
  const sale = traces.find((spans) => spans.some(({ name }) => name === 'deliver event'));
  if (!sale) throw new Error('no trace contains a delivery');
  return sale;
}

test('one trace covers the click, the call to the rail and the webhook to the shop', async () => {
  const spans = await eventually(spansOfOneSale);
  expect(spans.map(({ service, name }) => `${service}: ${name}`)).toEqual(
    expect.arrayContaining([
      'api: POST /pay/:pageToken/pay',
      'api: update pay',
      'worker: activity pay',
      'worker: rail authorize',
      'worker: deliver event',
    ]),
  );
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const roots = spans.filter(({ parentSpanId }) => !parentSpanId || !ids.has(parentSpanId));
  expect(roots.map(({ name }) => name)).toEqual(['POST /pay/:pageToken/pay']);
  for (const { attributes } of spans) {
    expect(attributes['checkout.request.id']).toMatch(/^req_/);
    expect(attributes['checkout.flow.id']).toMatch(/^ap_(chk|whe)_/);
  }
});

test('spans contain no address, card, token or key', () => {
  const said = JSON.stringify(collector.spans);
  expect(collector.spans.length).toBeGreaterThan(100);
  for (const secret of [/[\w.]+@example/, /4242 ?4242/, /tok_/, /ap_(test|live)_/])
    expect(said).not.toMatch(secret);
  for (const token of pageTokens) expect(said).not.toContain(token);
});
