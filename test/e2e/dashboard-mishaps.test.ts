/** The dashboard with lost responses, no connection, concurrent changes by colleagues, and half-typed dates. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { eventually } from '../support/core/eventually.ts';
import { launchBrowser } from '../support/stack/browser.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';
import { buySubscription, post } from '../support/stack/stack-subscriptions.ts';
import { asOwner, openDashboard, PEOPLE } from './dashboard.ts';

let stack: TestStack;
let browser: Browser;

beforeAll(async () => {
  stack = await startStack({ parts: ['rail', 'shop', 'api', 'worker', 'identity'] });
  browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

const open = (path: string) => openDashboard(browser, stack, PEOPLE.owner, path);

/** The request arrives, but its response is lost. */
async function loseResponses(page: Page, url: RegExp): Promise<void> {
  await page.route(url, async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    await route.fetch();
    await route.abort();
  });
}

async function createPlan(name: string, amount: number): Promise<string> {
  const { body: product } = await asOwner(stack, 'POST', '/products', { name });
  const recurring = { interval: 'month', interval_count: 1 };
  const price = { amount, tax_rate: 19, billing_mode: 'recurring', recurring };
  expect((await asOwner(stack, 'POST', `/products/${product.id}/prices`, price)).status).toBe(201);
  return product.id;
}

async function coffee(): Promise<{ readonly id: string; readonly plan_ids: readonly string[] }> {
  const { body } = await asOwner(stack, 'GET', '/offerings');
  return body.data.find(({ name }: { name: string }) => name === 'Coffee');
}

test('a date can be typed digit by digit', async () => {
  const { page, complaints } = await open('/payments');
  const from = page.getByLabel('From');
  await from.focus();
  // The same date in every order of day and month.
  await page.keyboard.type('11112026', { delay: 200 });
  await page.waitForURL(/from=2026-11-11/);
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL(/\/payments$/);
  // The API rejects the incomplete years that occur during typing.
  expect(complaints.filter((each) => !/400/.test(each))).toEqual([]);
  await page.context().close();
});

test('an endpoint and an event of the other environment are not shown', async () => {
  const url = 'https://live.example/events';
  const { body: live } = await asOwner(stack, 'POST', '/webhook-endpoints', {
    environment: 'production',
    url,
  });
  await buySubscription(stack);
  const { page } = await open('/');
  await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/sandbox/webhooks/endpoints/${live.id}`);
  await page.getByText('This webhook endpoint does not exist').waitFor();
  expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
  await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/live/webhooks/endpoints/${live.id}`);
  await page.getByRole('heading', { name: 'live.example' }).waitFor();
  const { body: events } = await asOwner(stack, 'GET', '/webhook-events?environment=sandbox&limit=1');
  await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/live/webhooks/events/${events.data[0].id}`);
  await page.getByText('This event does not exist').waitFor();
  await page.context().close();
});

test('a tab stays in its environment while another tab shows the other environment', async () => {
  const { page } = await open('/payments');
  await page.getByRole('link', { name: 'Products' }).click();
  await page.waitForURL(/\/both\/products$/);
  const other = await page.context().newPage();
  await other.goto(`${stack.dashboardUrl}/${stack.merchant.id}/live/payments`);
  await other.waitForSelector('.page-head');
  await page.getByRole('link', { name: 'Payments' }).click();
  await page.waitForURL(/\/payments$/);
  expect(page.url()).toContain('/sandbox/payments');
  await page.context().close();
});

test('a retry after a lost response adds the same plan and no other', async () => {
  const { id: subscriptionId } = await buySubscription(stack);
  const [big, bigger] = [await createPlan('Big', 3_000), await createPlan('Bigger', 4_000)];
  const { id: offeringId } = await coffee();
  const { page } = await open(`/offerings/${offeringId}`);
  const dialog = page.locator('dialog');
  const plan = dialog.getByLabel('Plan', { exact: true });
  const chosen = (id: string) => eventually(async () => expect(await plan.inputValue()).toBe(id));
  await page.getByRole('button', { name: 'Add plan' }).click();
  await chosen(bigger);
  await loseResponses(page, /\/offerings\/ap_off_/);
  await dialog.getByRole('button', { name: 'Add plan' }).click();
  await dialog.getByText('The service cannot be reached').waitFor();
  await page.locator('.rows').getByText('Bigger').waitFor();
  expect(await plan.inputValue()).toBe(bigger);
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Add plan' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { plan_ids: planIds } = await coffee();
  expect(planIds).toContain(bigger);
  expect(planIds).not.toContain(big);
  await asOwner(stack, 'PATCH', `/offerings/${offeringId}`, { plan_ids: [...planIds, big] });

  await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/sandbox/subscriptions/${subscriptionId}`);
  await page.getByRole('button', { name: 'Change plan' }).click();
  await plan.selectOption(big);
  await dialog.getByLabel('When').selectOption('now');
  await loseResponses(page, /\/commands$/);
  const confirm = dialog.getByRole('button', { name: 'Charge and change now' });
  await confirm.click();
  await dialog.getByText('The service cannot be reached').waitFor();
  await page.locator('.subtitle').getByText('Big', { exact: true }).waitFor();
  await page.waitForTimeout(3_000);
  expect(await plan.inputValue()).toBe(big);
  expect(await confirm.isDisabled()).toBe(true);

  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  const when = dialog.getByLabel('When');
  expect(await when.inputValue()).toBe('end');
  await dialog.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog.getByText('The service cannot be reached').waitFor();
  // The dialog offers only immediate cancellation now.
  await eventually(async () => expect(await when.inputValue()).toBe('now'));
  await dialog.getByText('It ends now. Nothing is refunded').waitFor();
  await page.context().close();
}, 60_000);

test('support sees that a subscription is already set to end, and cannot cancel it again', async () => {
  const { id } = await buySubscription(stack);
  const { page } = await openDashboard(browser, stack, PEOPLE.support, `/subscriptions/${id}`);
  const dialog = page.locator('dialog');
  await page.getByRole('button', { name: 'Cancel subscription' }).click();
  await dialog.getByText(/^It continues until/).waitFor();
  expect((await post(stack, `/v1/subscriptions/${id}/cancel`, { at_period_end: true })).status).toBe(200);
  await dialog.getByText('Set to end with its period').waitFor();
  expect(await dialog.getByRole('button').allTextContents()).toEqual(['Close']);
  await page.context().close();
});

test('a plan can be changed within its own offering even if the offering is inactive', async () => {
  const { id } = await buySubscription(stack);
  const { id: own } = await coffee();
  const other = { name: 'Tea', plan_ids: [await createPlan('Green tea', 3_000)] };
  expect((await asOwner(stack, 'POST', '/offerings', other)).status).toBe(201);
  expect((await asOwner(stack, 'PATCH', `/offerings/${own}`, { status: 'inactive' })).status).toBe(200);
  const { page } = await open(`/subscriptions/${id}`);
  const dialog = page.locator('dialog');
  await page.getByRole('button', { name: 'Change plan' }).click();
  expect(await dialog.getByLabel('Offering').inputValue()).toBe(own);
  await dialog.getByRole('button', { name: 'Schedule the change' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { body } = await asOwner(stack, 'GET', `/subscriptions/${id}`);
  expect(body.change.status).toBe('scheduled');
  await asOwner(stack, 'PATCH', `/offerings/${own}`, { status: 'active' });
  await page.context().close();
});

test('when the chosen plan can no longer be added, another one can be chosen', async () => {
  const [left, gone] = [await createPlan('Left', 3_000), await createPlan('Gone', 4_000)];
  const { id: offeringId } = await coffee();
  const { page } = await open(`/offerings/${offeringId}`);
  const dialog = page.locator('dialog');
  const plan = dialog.getByLabel('Plan', { exact: true });
  const chosen = (id: string) => eventually(async () => expect(await plan.inputValue()).toBe(id));
  const add = dialog.getByRole('button', { name: 'Add plan' });
  await page.getByRole('button', { name: 'Add plan' }).click();
  await chosen(gone);
  const { body } = await asOwner(stack, 'GET', `/products/${gone}`);
  const price = `/products/${gone}/prices/${body.active_price.id}`;
  expect((await asOwner(stack, 'PATCH', price, { status: 'inactive' })).status).toBe(200);
  await add.click();
  await chosen('');
  expect(await dialog.locator('.select > span').textContent()).toBe('');
  expect(await add.isDisabled()).toBe(true);
  await plan.selectOption(left);
  await add.click();
  await dialog.waitFor({ state: 'detached' });
  expect((await coffee()).plan_ids).toContain(left);
  await page.context().close();
});

test('a command is repeated under its key until its response arrives', async () => {
  const { id } = await buySubscription(stack);
  const { page } = await open(`/subscriptions/${id}`);
  const keys: (string | undefined)[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST') keys.push(request.headers()['idempotency-key']);
  });
  const dialog = page.locator('dialog');
  const repeat = async (name: string) => {
    await loseResponses(page, /\/(commands|payment-method-links?|method-change)$/);
    await dialog.getByRole('button', { name, exact: true }).click();
    await dialog.getByText('The service cannot be reached').waitFor();
    await page.unrouteAll();
    await dialog.getByRole('button', { name, exact: true }).click();
  };
  await page.getByRole('button', { name: 'Move clock' }).click();
  await repeat('Move clock');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Payment method link' }).click();
  await dialog.getByLabel('Where the buyer goes afterwards').fill('https://shop.example/account');
  await repeat('Create link');
  await dialog.getByText('/pay/ap_pmc_').waitFor();
  const [first, second, third, fourth] = keys;
  expect([second, fourth]).toEqual([first, third]);
  expect(new Set(keys).size).toBe(2);
  await page.context().close();
}, 60_000);

test('a product is created once, however often its response is lost', async () => {
  const { page } = await open('/products');
  const dialog = page.locator('dialog');
  await page.getByRole('button', { name: 'Create product' }).click();
  await dialog.getByLabel('Name').fill('Only one');
  await loseResponses(page, /\/products$/);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('The service cannot be reached').waitFor();
  await page.unrouteAll();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Only one' }).waitFor();
  const { body } = await asOwner(stack, 'GET', '/search/products?q=Only%20one');
  expect(body.data).toHaveLength(1);
  await page.context().close();
});

test('saving a form keeps what a colleague has changed since it was opened', async () => {
  const product = `/products/${stack.products.oneTime}`;
  const { page } = await open(product);
  await page.getByRole('button', { name: 'Edit product' }).click();
  const theirs = { description: 'By a colleague', one_trial_per_customer: true };
  expect((await asOwner(stack, 'PATCH', product, theirs)).status).toBe(200);
  await page.locator('dialog').getByLabel('Name').fill('Large mug');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Large mug' }).waitFor();
  expect((await asOwner(stack, 'GET', product)).body).toMatchObject({ ...theirs, name: 'Large mug' });

  await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/both/business`);
  const email = page.getByLabel('Email address');
  await email.fill('first@example.com');
  expect((await asOwner(stack, 'PATCH', '/settings', { support_phone: '+49 40 1' })).status).toBe(200);
  const save = async (typed: string) => {
    await email.fill(typed);
    await page.getByRole('button', { name: 'Save contact' }).click();
    await eventually(async () =>
      expect((await asOwner(stack, 'GET', '/settings')).body).toMatchObject({
        support_email: typed || null,
        support_phone: '+49 40 1',
      }),
    );
  };
  await save('first@example.com');
  await eventually(async () => expect(await page.getByLabel('Phone number').inputValue()).toBe('+49 40 1'));
  await save('');
  await page.context().close();
});

test('after a save whose response was lost, a field can be set back to its previous value', async () => {
  const prefixOf = async () => (await asOwner(stack, 'GET', '/settings')).body.invoice_prefix;
  const before = await prefixOf();
  const { page } = await open('/');
  await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/both/business`);
  const save = async (typed: string, outcome: Locator) => {
    await page.getByLabel('Prefix of invoice numbers').fill(typed);
    await page.getByRole('button', { name: 'Save settings' }).click();
    await outcome.waitFor();
  };
  await loseResponses(page, /\/settings$/);
  await save('RX-', page.getByText('The service cannot be reached'));
  await page.unrouteAll();
  expect(await prefixOf()).toBe('RX-');
  await save('RX 9', page.locator('[aria-invalid=true]'));
  await save(before, page.getByText('Saved', { exact: true }));
  expect(await prefixOf()).toBe(before);
  await page.context().close();
});

test('while a month’s taxes are loading, those of another month are not shown', async () => {
  await buySubscription(stack);
  const { page } = await open('/invoices/taxes');
  await page.locator('tbody tr').first().waitFor();
  await page.route(/month=2020-01/, () => {});
  await page.getByLabel('Month').fill('2020-01');
  await page.waitForURL(/month=2020-01/);
  expect(await page.locator('tbody tr').count()).toBe(0);
  await page.context().close();
});

test('a person can log out even if the provider has no log-out address', async () => {
  const { page } = await open('/');
  await page.context().route(/\.well-known\/openid-configuration/, async (route) => {
    const response = await route.fetch();
    const { end_session_endpoint: _none, ...json } = await response.json();
    await route.fulfill({ response, json });
  });
  await page.reload();
  await page.getByRole('button', { name: /^Log out/ }).click();
  await page.getByRole('heading', { name: 'You are logged out' }).waitFor();
  await page.context().close();
});

test('a log-in as another person loads a new page, and sends nothing for the first person', async () => {
  const product = `/products/${stack.products.oneTime}`;
  const { page } = await open(product);
  await page.getByRole('button', { name: 'Edit product' }).click();
  await page.locator('dialog').getByLabel('Name').fill('Typed by the first person');
  const sent: string[] = [];
  page.on('request', (request) => request.method() === 'PATCH' && sent.push(request.url()));
  const expired = { code: 'access_token_expired', message: 'The token has expired.', request_id: 'req_1' };
  await page.route(/\/products\/ap_prod_/, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 401, json: expired }),
  );
  const provider = new URL(stack.identityUrl).origin;
  await page.route(
    (url) => url.origin === provider,
    (route) => route.abort(),
  );
  await page.getByRole('button', { name: 'Save' }).click();
  const ended = page.locator('dialog').filter({ hasText: 'Your log-in has ended' });
  await ended.waitFor();
  await page.unrouteAll();
  await page.context().clearCookies();
  const window = page.waitForEvent('popup');
  await ended.getByRole('button', { name: 'Log in again' }).click();
  await (await window).click(`button[value="${PEOPLE.support}"]`);
  await page
    .getByRole('button', { name: /^Log out/ })
    .getByText(/^Sue|^sue@/)
    .waitFor();
  expect(sent).toHaveLength(1);
  await page.context().close();
});

test('without a connection a change fails immediately and is not sent later', async () => {
  const product = `/products/${stack.products.oneTime}`;
  const { body: before } = await asOwner(stack, 'GET', product);
  const { page } = await open(product);
  await page.getByRole('button', { name: 'Edit product' }).click();
  await page.locator('dialog').getByLabel('Name').fill('Typed without a connection');
  await page.context().setOffline(true);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.locator('dialog').getByText('The service cannot be reached').waitFor();
  await page.context().setOffline(false);
  await page.locator('dialog').getByRole('button', { name: 'Cancel' }).click();
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.waitForTimeout(2_000);
  expect((await asOwner(stack, 'GET', product)).body.name).toBe(before.name);
  await page.context().close();
});
