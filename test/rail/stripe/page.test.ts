/**
 * The hosted page with Stripe's card fields in a real browser; a loopback server serves the stand-in for
 * Stripe's script.
 */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { SecretBox } from '../../../platform/secrets/encryption.ts';
import { railCredentialOf } from '../../../platform/secrets/places.ts';
import { type BuyerBrowser, launchBrowser, newBuyer } from '../../support/stack/browser.ts';
import { bank, cardFields, notice, payButton } from '../../support/stack/hosted-page.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';
import { type StripeDouble, startStripeDouble } from './double/server.ts';
import { type DoubleAccount, newAccount } from './double/state.ts';
import { ourAccount, STRIPE_CAPABILITIES } from './driver.ts';
import { loadDescription } from './stripe-mock.ts';

const GOOD = '4242424242424242';
const DECLINED = '4000000000000002';
const CHALLENGE = '4000002760003184';

let theirs: DoubleAccount;
let double: StripeDouble;
let stack: TestStack;
let pool: Pool;
let browser: Browser;
let buyer: BuyerBrowser;
let page: Page;

beforeAll(async () => {
  theirs = newAccount('page');
  double = await startStripeDouble([theirs], await loadDescription(), {
    '/stand-in/stripe.js': await standIn('stripe.js'),
    '/stand-in/field.html': await standIn('field.html'),
  });
  const env = { STRIPE_API_URL: double.url, STRIPE_SCRIPT_URL: `${double.url}/stand-in/stripe.js` };
  [stack, browser] = await Promise.all([
    startStack({ env, parts: ['api', 'worker', 'shop'] }),
    launchBrowser(),
  ]);
  pool = await openPool({ url: stack.databaseUrl, maxConnections: 1 });
  await useStripe();
}, 300_000);
afterAll(async () => {
  await browser?.close();
  await pool?.end();
  await stack?.stop();
  await double?.close();
  expect(double?.violations).toEqual([]);
});
beforeEach(async () => {
  buyer = await newBuyer(browser);
  page = buyer.page;
});
afterEach(async () => {
  expect(buyer.complaints).toEqual([]);
  await buyer.context.close();
});

const standIn = (name: string) => readFile(new URL(`./stand-in/${name}`, import.meta.url), 'utf8');

async function useStripe(): Promise<void> {
  const { credential } = ourAccount(theirs);
  const sealed = new SecretBox(stack.secretsKey).seal(
    JSON.stringify(credential),
    railCredentialOf(stack.merchant.railAccountId),
  );
  const capabilities = { ...STRIPE_CAPABILITIES, wallets: ['apple_pay', 'google_pay'] };
  await pool.query(sql.unsafe`
    update rail_accounts
    set rail = 'stripe', credential = ${sql.binary(sealed)}, capabilities = ${sql.jsonb(capabilities)}
    where id = ${stack.merchant.railAccountId}
  `);
}

async function open(product: keyof TestStack['products'] = 'oneTime', more: object = {}) {
  const session = await stack.createCheckout(stack.products[product], {
    successUrl: `${stack.shopUrl}/?came=back`,
    ...more,
  });
  const response = await page.goto(session.hostedUrl);
  return { session, headers: response?.headers() ?? {} };
}

/** Stripe's field is a frame within the card-field document, which is a frame within the page. */
const field = (name: string) =>
  cardFields(page).frameLocator(`iframe[title="Stripe ${name}"]`).locator('input');

async function fillCard(number: string): Promise<void> {
  await field('number').fill(number);
  await field('expiry').fill('1234');
  await field('cvc').fill('123');
}

async function fillForm(number: string): Promise<void> {
  await page.getByLabel('Email address').fill('ada@example.com');
  await fillCard(number);
}

const charged = () => theirs.ledger.length;

describe('the hosted page with Stripe', () => {
  test("takes a card in Stripe's fields and charges once", async () => {
    const before = charged();
    await open();
    await fillForm(GOOD);
    await payButton(page).click();
    await page.getByText('Payment successful').waitFor();
    await page.waitForURL(`${stack.shopUrl}/?came=back`);
    expect(charged()).toBe(before + 1);
  });

  test('pays when Enter is pressed in a field', async () => {
    await open();
    await fillForm(GOOD);
    await field('cvc').press('Enter');
    await page.getByText('Payment successful').waitFor();
  });

  test('shows a missing value beside its field and focuses it', async () => {
    await open();
    await page.getByLabel('Email address').fill('ada@example.com');
    await payButton(page).click();
    await cardFields(page).getByText('Your card number is incomplete.').waitFor();
    expect(await field('number').evaluate((input) => input === document.activeElement)).toBe(true);
    await fillCard(GOOD);
    await payButton(page).click();
    await page.getByText('Payment successful').waitFor();
  });

  test('shows a decline, and the next card pays', async () => {
    await open();
    await fillForm(DECLINED);
    await payButton(page).click();
    await notice(page).getByText('The payment was declined').waitFor();
    await fillCard(GOOD);
    await payButton(page).click();
    await page.getByText('Payment successful').waitFor();
  });

  test.each([
    ['is paid if the buyer confirms at the bank', 'Yes, pay', 'Payment successful'],
    ['shows that the confirmation failed', 'No', 'The payment was not confirmed'],
  ])('shows the challenge in its own document, and %s', async (_what, answer, words) => {
    const before = charged();
    await open();
    await fillForm(CHALLENGE);
    await payButton(page).click();
    await bank(page).getByRole('button', { name: answer }).click();
    await page.getByText(words).first().waitFor();
    expect(charged()).toBe(before + (answer === 'No' ? 0 : 1));
  });

  test('starts a trial without a charge, and Stripe stores the card', async () => {
    const before = charged();
    await open('trial');
    await fillForm(GOOD);
    await page.getByRole('button', { name: 'Order with obligation to pay' }).click();
    await page.getByText('Your free trial has begun').waitFor();
    expect(charged()).toBe(before);
    const kept = [...theirs.methods.values()].filter(({ customer }) => customer !== null);
    expect(kept.length).toBeGreaterThan(0);
  });

  test("shows the wallet's own button in the frame and pays with it", async () => {
    await open('oneTime', { paymentMethod: 'google_pay' });
    await page.getByLabel('Email address').fill('ada@example.com');
    const hint = page.getByText('Press the button below to confirm with your wallet.');
    await hint.waitFor();
    await payButton(page).click();
    await page.getByRole('button', { name: 'Confirm with your wallet…' }).waitFor();
    expect(await hint.isVisible()).toBe(false);
    await cardFields(page).getByRole('button', { name: 'Pay 1900 with googlePay' }).click();
    await page.getByText('Payment successful').waitFor();
  });

  test('shows the price of the chosen quantity in the wallet', async () => {
    await pool.query(sql.unsafe`
      update products set quantity_min = 1, quantity_max = 5 where id = ${stack.products.oneTime}`);
    await open('oneTime', { paymentMethod: 'google_pay' });
    await page.getByLabel('Email address').fill('ada@example.com');
    await page.getByLabel('Quantity').fill('2');
    await payButton(page).click();
    await cardFields(page).getByRole('button', { name: 'Pay 3800 with googlePay' }).click();
    await page.getByText('Payment successful').waitFor();
    await pool.query(sql.unsafe`
      update products set quantity_min = null, quantity_max = null where id = ${stack.products.oneTime}`);
  });

  test('offers the device’s real wallets and labels none as simulated', async () => {
    await open();
    await page.getByRole('radio', { name: 'Google Pay', exact: true }).waitFor();
    expect(await page.getByRole('radio', { name: /Apple Pay/ }).count()).toBe(0);
    await page.addInitScript(() => Object.assign(window, { ApplePaySession: {} }));
    await page.reload();
    await page.getByRole('radio', { name: 'Apple Pay', exact: true }).waitFor();
  });

  test('lets the buyer cancel the wallet and pay by card', async () => {
    await open('oneTime', { paymentMethod: 'google_pay' });
    await page.getByLabel('Email address').fill('ada@example.com');
    await payButton(page).click();
    await cardFields(page).getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('You closed the wallet. Nothing was charged.').first().waitFor();
    await payButton(page).waitFor();
    await page.getByRole('radio', { name: /^Card/ }).check();
    await fillCard(GOOD);
    await payButton(page).click();
    await page.getByText('Payment successful').waitFor();
  });
});

describe('policies', () => {
  test('an altered card-field script is rejected, and the fields reload until the script is unaltered', async () => {
    let loads = 0;
    await page.route('**/pay/assets/stripe-fields-*.js', async (route) => {
      loads += 1;
      if (loads > 2) return route.continue();
      const response = await route.fetch();
      // Simulates a response from a process of another build.
      const headers = { ...response.headers(), 'cache-control': 'no-store' };
      await route.fulfill({ response, headers, body: `${await response.text()}\n` });
    });
    const before = charged();
    await open();
    await fillForm(GOOD);
    expect(loads).toBe(3);
    await payButton(page).click();
    await page.getByText('Payment successful').waitFor();
    expect(charged()).toBe(before + 1);
  });

  test("the page's policy allows none of Stripe's sources, only the card-field frame", async () => {
    const { headers } = await open();
    const policy = policyOf(headers['content-security-policy']);
    const fieldsOrigin = stack.apiUrl.replace('127.0.0.1', 'localhost');
    expect(policy['frame-src']).toEqual(["'self'", fieldsOrigin]);
    expect(policy['script-src']).toEqual([expect.stringMatching(/^'nonce-/)]);
    expect(policy['connect-src']).toEqual(["'self'"]);
    expect(headers['content-security-policy']).not.toContain(new URL(double.url).host);
    expect(headers['content-security-policy']).not.toContain('stripe.com');
  });

  test("Stripe's script runs on another origin, which only the page may frame", async () => {
    await open();
    await field('number').waitFor();
    const frames = page.frames().filter((frame) => frame.url().includes('/rails/stripe/'));
    expect(frames).toHaveLength(1);
    expect(new URL(frames[0]?.url() ?? '').origin).not.toBe(new URL(page.url()).origin);
    expect(await page.evaluate(() => 'Stripe' in window)).toBe(false);
    const response = await fetch(frames[0]?.url() ?? '');
    const policy = policyOf(response.headers.get('content-security-policy'));
    expect(policy['frame-ancestors']).toEqual([stack.apiUrl]);
  });

  test('an unknown account, or an account at a rail without such a document, gets 404', async () => {
    for (const path of [
      '/rails/stripe/ap_rac_none/fields',
      `/rails/sandbox/${stack.merchant.railAccountId}/fields`,
    ]) {
      expect((await fetch(stack.apiUrl + path)).status).toBe(404);
    }
  });
});

function policyOf(header: string | null | undefined): Record<string, readonly string[]> {
  const directives = (header ?? '').split('; ').map((directive) => directive.split(' '));
  return Object.fromEntries(directives.map(([name, ...sources]) => [name, sources]));
}
