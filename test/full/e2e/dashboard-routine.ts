/** Everyday actions, each from the click to the result in the service. */
import { randomBytes } from 'node:crypto';
import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openPool, sql } from '../../../db/core/pool.ts';
import { asOwner, openDashboard, PEOPLE } from '../../e2e/dashboard.ts';
import { comparePicture } from '../../e2e/pictures.ts';
import { eventually } from '../../support/core/eventually.ts';
import { DESKTOP, PHONE } from '../../support/stack/browser.ts';
import { buy } from '../../support/stack/purchases.ts';
import type { TestStack } from '../../support/stack/stack.ts';
import { shopAnswers } from './dashboard-failures.ts';
import type { PageIds } from './dashboard-pages.ts';

const dialogOf = (page: Page) => page.locator('dialog:modal');
const pressIn = (page: Pick<Page, 'getByRole'>) => (name: string) =>
  page.getByRole('button', { name, exact: true }).click();
const confirmIn = (page: Page) => (name: string) =>
  dialogOf(page).getByRole('button', { name, exact: true }).click();

export async function logOut(stack: TestStack, browser: Browser): Promise<void> {
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, '/payments');
  const address = page.url();
  // The library's confirmation page references a font elsewhere.
  await page.route(/^https:\/\/fonts\./, (route) => route.fulfill({ contentType: 'text/css', body: '' }));
  await page.locator('tbody tr').first().waitFor();
  await page.getByRole('button', { name: /^Log out/ }).click();
  // The development provider asks for consent; others accept the log-in's token as consent.
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
  // The provider has also ended the person's session.
  await page.goto(address);
  await page.locator(`button[value="${PEOPLE.owner}"]`).waitFor();
  expect(await page.locator('tbody').count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
}

export async function switchToLive(stack: TestStack, browser: Browser): Promise<void> {
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, '/payments');
  const band = page.getByText('no real money moves');
  const go = (name: string) => page.getByRole('link', { name, exact: true }).click();
  await page.locator('tbody tr').first().waitFor();
  await band.waitFor();
  await go('Live');
  await page.waitForURL(/\/live\/payments$/);
  await page.getByText('No payments yet').waitFor();
  expect([await band.count(), await page.locator('tbody tr').count()]).toEqual([0, 0]);
  const differing: (string | null)[] = [];
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    differing.push(await comparePicture(browser, page, `payments-live-${viewport.width}`));
  }
  expect(differing.filter((each) => each !== null)).toEqual([]);
  await go('Sandbox');
  await page.waitForURL(/\/sandbox\/payments$/);
  await page.locator('tbody tr').first().waitFor();
  await band.waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
}

interface Entry {
  readonly operation: string;
  readonly amount: number;
  readonly reference: string;
}

/** Follows a refund from the click to the rail's ledger, and to the list exported for reconciliation. */
export async function refundToLedger(stack: TestStack, browser: Browser): Promise<void> {
  const { id } = await buy(stack);
  const { payment_id: paymentId } = (await asOwner(stack, 'GET', `/checkouts/${id}`)).body;
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, `/payments/${paymentId}`);
  await pressIn(page)('Refund');
  await dialogOf(page).getByLabel('Amount to refund').fill('6.50');
  await dialogOf(page).getByLabel('Reason').fill('One arrived broken');
  await dialogOf(page)
    .getByRole('button', { name: /^Refund/ })
    .click();
  await page.getByText('Refund succeeded').waitFor();
  const { body } = await asOwner(stack, 'GET', `/payments/${paymentId}`);
  const [refund] = body.refunds;
  const ledger: readonly Entry[] = await (await fetch(`${stack.railUrl}/ledger`)).json();
  const entries = ledger.filter(({ reference }) => reference === refund.id);
  expect(entries).toMatchObject([{ operation: 'refund', amount: 650 }]);

  await page.getByRole('link', { name: 'Payments', exact: true }).click();
  await page.getByRole('link', { name: 'Refunds', exact: true }).click();
  await page.locator('tbody tr', { hasText: 'One arrived broken' }).getByText('6.50').waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
}

export async function tendEndpoint(stack: TestStack, browser: Browser): Promise<void> {
  const endpoints = async () =>
    (await asOwner(stack, 'GET', '/webhook-endpoints?environment=sandbox')).body.data;
  const { id } = (await endpoints()).find(({ url }: { url: string }) => url === stack.webhook.url);
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, `/webhooks/endpoints/${id}`);
  const [press, confirm] = [pressIn(page), confirmIn(page)];
  /** Whether the endpoint has accepted the newest event of a type. */
  const accepted = async (type: string) => {
    const { body } = await asOwner(stack, 'GET', `/webhook-events?environment=sandbox&type=${type}&limit=1`);
    const [{ deliveries }] = body.data;
    const ours = deliveries.find((each: { endpoint_id: string }) => each.endpoint_id === id);
    return ours.status === 'succeeded';
  };
  const untilAccepted = (type: string) =>
    eventually(async () => expect(await accepted(type)).toBe(true), 30_000);

  await press('Send a test event');
  await page.getByText('A test event is on its way').waitFor();
  await untilAccepted('webhook.test');

  await press('Pause');
  await page.getByText('Paused', { exact: true }).waitFor();
  await buy(stack);
  expect(await accepted('payment.succeeded')).toBe(false);
  await press('Resume');
  await page.getByText('Enabled', { exact: true }).waitFor();
  await untilAccepted('payment.succeeded');

  await shopAnswers(stack, 500);
  await buy(stack);
  await page.getByText('500').first().waitFor();
  expect(await accepted('payment.succeeded')).toBe(false);
  await shopAnswers(stack, 200);
  await press('Resend missed events');
  await confirm('Resend missed events');
  await page.getByText('Missed events are being resent').waitFor();
  // The next scheduled attempt may deliver it instead.
  const { body: audit } = await asOwner(stack, 'GET', `/audit?subject_id=${id}`);
  expect(audit.data.map(({ action }: { action: string }) => action)).toContain(
    'webhook_endpoint.recover_requested',
  );
  await untilAccepted('payment.succeeded');

  const { body: other } = await asOwner(stack, 'POST', '/webhook-endpoints', {
    url: 'https://shop.example/first',
    environment: 'sandbox',
  });
  await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/sandbox/webhooks/endpoints/${other.id}`);
  await press('Edit');
  await dialogOf(page).getByLabel('URL').fill('https://shop.example/moved');
  await dialogOf(page).getByLabel('Events').selectOption('some');
  await dialogOf(page).getByLabel('payment.succeeded').check();
  await dialogOf(page).getByLabel('headers of Standard Webhooks').check();
  await confirm('Save');
  await page.getByText('https://shop.example/moved').waitFor();
  await page.getByText('Standard Webhooks').waitFor();
  expect((await endpoints()).find((each: { id: string }) => each.id === other.id)).toMatchObject({
    url: 'https://shop.example/moved',
    event_types: ['payment.succeeded'],
    standard_headers: true,
  });
  await asOwner(stack, 'DELETE', `/webhook-endpoints/${other.id}`);
  expect(complaints).toEqual([]);
  await page.context().close();
}

export async function sellNewProduct(stack: TestStack, browser: Browser): Promise<void> {
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.developer, '/products');
  const [press, confirm, dialog] = [pressIn(page), confirmIn(page), dialogOf(page)];
  const activePrice = async () => {
    const id = new URL(page.url()).pathname.split('/').at(-1);
    return (await asOwner(stack, 'GET', `/products/${id}`)).body.active_price;
  };
  await press('Create product');
  await dialog.getByLabel('Name').fill('Tea club');
  await confirm('Save');
  await page.getByRole('heading', { name: 'Tea club' }).waitFor();
  await press('Add price');
  await dialog.getByLabel('Amount in euros').fill('14.00');
  await dialog.getByLabel('VAT in percent').fill('7');
  await dialog.getByLabel('Billing').selectOption('recurring');
  await dialog.getByLabel('Charged every').fill('3');
  await dialog.getByLabel('Free trial').fill('14');
  await confirm('Add price');
  await page.getByText('€14.00 every 3 months, 14 days free').first().waitFor();
  const before = await activePrice();
  expect(before).toMatchObject({
    tax_rate: 7,
    recurring: { interval: 'month', interval_count: 3, trial_period_days: 14 },
  });

  // Only the amount is entered, and the price must stay recurring.
  await press('Replace price');
  await dialog.getByLabel('Amount in euros').fill('15.00');
  await confirm('Replace price');
  // Waits for the dialog to close, because the dialog also names the new price.
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('€15.00 every 3 months, 14 days free').first().waitFor();
  const { id: _, amount, ...terms } = await activePrice();
  const { id: _before, amount: _amount, ...termsBefore } = before;
  expect([amount, terms]).toEqual([1_500, termsBefore]);
  expect(complaints).toEqual([]);
  await page.context().close();
}

export async function fillInMerchantSettings(stack: TestStack, browser: Browser): Promise<void> {
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, '/branding');
  const before = (await asOwner(stack, 'GET', '')).body;
  await page.getByLabel('Colour').fill('#7a1f4d');
  await pressIn(page)('Save');
  await page.getByText('Saved').waitFor();

  await page.getByRole('link', { name: 'Business details' }).click();
  await page.getByLabel('Company').fill('Harbour Coffee GmbH');
  await page.getByLabel('Address', { exact: true }).fill('Am Kai 7\n20457 Hamburg\n\nDE');
  await page.getByLabel('VAT ID').fill('DE123456789');
  const formWith = (label: string) => page.locator('form').filter({ has: page.getByLabel(label) });
  await pressIn(formWith('Company'))('Save');
  await formWith('Company').getByText('Saved').waitFor();
  await page.getByLabel('Limit per payment in euros').fill('20.00');
  await pressIn(formWith('Limit per payment in euros'))('Save');
  await formWith('Limit per payment in euros').getByText('Saved').waitFor();
  expect((await asOwner(stack, 'GET', '/settings')).body.support_refund_limit).toBe(2_000);
  await asOwner(stack, 'PATCH', '/settings', { support_refund_limit: 0 });
  await page.getByLabel('Subscriptions keep renewing').check();
  await page.getByLabel('Unpaid invoices are still retried').check();
  await eventually(async () =>
    expect((await asOwner(stack, 'GET', '/settings')).body.collect_after_cancellation).toBe(true),
  );
  await asOwner(stack, 'PATCH', '/settings', { collect_after_cancellation: false });
  await eventually(async () =>
    expect((await asOwner(stack, 'GET', '')).body).toMatchObject({
      branding: { color: '#7a1f4d' },
      legal_identity: {
        name: 'Harbour Coffee GmbH',
        address_lines: ['Am Kai 7', '20457 Hamburg', 'DE'],
        vat_id: 'DE123456789',
      },
      renew_after_lost_dispute: true,
    }),
  );
  const { request_id, ...settings } = (await asOwner(stack, 'GET', '/settings')).body;
  await page.getByLabel('Time zone').selectOption('Europe/Berlin');
  await page.getByLabel('First number').fill('0');
  expect(await page.getByRole('button', { name: 'Save settings' }).isDisabled()).toBe(true);
  await page.getByLabel('First number').fill('500');
  await page.getByLabel('credit note for a lost dispute').check();
  await pressIn(page)('Save settings');
  await eventually(async () =>
    expect((await asOwner(stack, 'GET', '/settings')).body).toMatchObject({
      ...settings,
      time_zone: 'Europe/Berlin',
      invoice_first_number: 500,
      credit_note_on_lost_dispute: true,
    }),
  );
  await asOwner(stack, 'PATCH', '/settings', settings);
  const { branding, legal_identity, renew_after_lost_dispute } = before;
  await asOwner(stack, 'PATCH', '', { branding, legal_identity, renew_after_lost_dispute });
  expect(complaints).toEqual([]);
  await page.context().close();
}

/**
 * Goes from a payment to its refund's credit note, finds the note by its number as well, and goes on to the corrected
 * invoice.
 */
export async function readInvoice(stack: TestStack, browser: Browser, paymentId: string): Promise<void> {
  const { page } = await openDashboard(browser, stack, PEOPLE.support, `/payments/${paymentId}`);
  const creditNote = page.getByRole('link', { name: /^CN-/ }).first();
  const number = await creditNote.innerText();
  const readRates = async (heading: RegExp) => {
    await page.getByRole('heading', { name: heading, level: 1 }).waitFor();
    for (const name of ['Items', 'Tax by rate']) {
      const table = page.getByRole('region', { name });
      expect(await table.locator('thead').textContent()).toMatch(/Tax rateNetTaxGross$/);
      expect(await table.locator('tbody').innerText()).toMatch(/19%\s+€[\d.]+\s+€[\d.]+\s+€[\d.]+$/);
    }
  };
  await creditNote.click();
  await readRates(new RegExp(`^Credit note ${number}$`));
  const pdf = await page.getByRole('link', { name: 'Open PDF' }).getAttribute('href');
  expect((await fetch(pdf ?? '')).headers.get('content-type')).toBe('application/pdf');
  await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/sandbox/search?q=${number}`);
  await page.getByRole('link', { name: number, exact: true }).click();
  await page.locator('dd', { hasText: paymentId }).waitFor();
  await page.locator('dd a[href*="/invoices/"]').click();
  await readRates(/^Invoice /);
  const creditNotes = page.getByRole('region', { name: 'Credit notes' });
  await creditNotes.getByRole('link', { name: number, exact: true }).waitFor();
  await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/sandbox/payments/refunds`);
  await page.getByRole('link', { name: number }).waitFor();
  await page.context().close();
}

/** The invoice as if its refund had been taken back, then as if it were the invoice that reverses the credit note. */
export async function readReversal(stack: TestStack, browser: Browser, ids: PageIds): Promise<void> {
  const { page } = await openDashboard(browser, stack, PEOPLE.support, `/invoices/${ids.invoice}`);
  let changes: object = { credited_amount: 450, refunded_amount: 0 };
  await page.route(/\/search\/invoices/, async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    const changed = data.map((row: object) => ({ ...row, ...changes }));
    await route.fulfill({ response, json: { ...rest, data: changed } });
  });
  const fact = (name: string) => page.locator('dt', { hasText: name }).locator('+ dd');
  await fact('Credited').getByText('€4.50').waitFor();
  await fact('Refunded').getByText('€0.00').waitFor();
  await fact('Payments').waitFor();
  changes = { reverses_credit_note_id: ids.creditNote };
  const reversed = fact('Reverses').getByRole('link');
  await reversed.waitFor();
  expect([await fact('Refunded').count(), await fact('Payments').count()]).toEqual([0, 0]);
  await reversed.click();
  await page.getByRole('heading', { name: /^Credit note /, level: 1 }).waitFor();
  await page.context().close();
}

export async function openInvoicePdf(stack: TestStack, browser: Browser, invoiceId: string): Promise<void> {
  const { page } = await openDashboard(browser, stack, PEOPLE.support, `/invoices/${invoiceId}`);
  const link = page.getByRole('link', { name: 'Open PDF' });
  const href = await link.getAttribute('href');
  const answered = page.context().waitForEvent('response', (response) => response.url() === href);
  await link.click();
  const response = await answered;
  expect([response.status(), response.headers()['content-type']]).toEqual([200, 'application/pdf']);
  await page.context().close();
}

/** Creates a merchant, and sets its account so that it can be paid. Lists show only the newest of many merchants. */
export async function createMerchant(stack: TestStack, browser: Browser): Promise<void> {
  const pool = await openPool({ url: stack.databaseUrl, maxConnections: 1 });
  await pool.query(
    sql.unsafe`insert into merchants (name) select 'Bulk ' || n from generate_series(1, 100) n`,
  );
  await pool.end();
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.platform, '/');
  const dialog = dialogOf(page);
  await page.getByRole('link', { name: 'Switch merchant' }).click();
  await page.getByText('The newest 100 are shown').waitFor();
  await page.getByRole('link', { name: 'Search all merchants' }).click();
  await page.getByRole('searchbox').waitFor();
  await page.goBack();
  await pressIn(page)('Create merchant');
  await dialog.getByLabel('Name').fill('Tea House');
  await confirmIn(page)('Create merchant');
  await dialog.getByText(/^ap_test_/).waitFor();
  await dialog.getByRole('link', { name: 'Set the account' }).click();
  await page.getByText('No account at a card processor').waitFor();

  const account = `acct_${randomBytes(6).toString('hex')}`;
  const secrets = {
    secret: `rsk_${randomBytes(16).toString('hex')}`,
    webhookSecret: `whsec_${randomBytes(24).toString('base64')}`,
  };
  const opened = await fetch(`${stack.railUrl}/admin/accounts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: account, ...secrets }),
  });
  expect(opened.ok).toBe(true);
  await pressIn(page)('Set account');
  await dialog.getByLabel('Card processor').selectOption('sandbox');
  await dialog.getByLabel('Account', { exact: true }).fill(account);
  await dialog.getByLabel('Secret', { exact: true }).fill(secrets.secret);
  await dialog.getByLabel('Webhook secret').fill(secrets.webhookSecret);
  await confirmIn(page)('Set account');
  await dialog.getByText('It can take payments now').waitFor();
  await dialog.getByText('It takes cards in EUR.').waitFor();
  await confirmIn(page)('Close');
  await page.getByText('Active', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await page.context().close();
}

/** The operators' pages have the same keys as a merchant's. */
export async function useOperatorsKeys(stack: TestStack, browser: Browser): Promise<void> {
  const { page } = await openDashboard(browser, stack, PEOPLE.platform, '/');
  await page.goto(`${stack.dashboardUrl}/operations`);
  await page.waitForSelector('.page-head');
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('g', 'm');
  await page.waitForURL(/\/operations\/merchants$/);
  await page.locator('[data-search]').waitFor();
  await press('/');
  await page.keyboard.type('harbour');
  await press('Enter');
  await page.waitForURL(/q=harbour/);
  await page.locator('h1').focus();
  await press('Shift+?');
  await dialogOf(page).getByText('Go to Incidents').waitFor();
  await press('Escape', 'g', 'i');
  await page.waitForURL(/\/operations\/?$/);
  await page.context().close();
}
