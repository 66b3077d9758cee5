/** People's actions in the dashboard, each from the click to the result in the service. */
import { expect } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { openPool, sql } from '../../../db/core/pool.ts';
import { asOwner, harmfulButtons, openDashboard, overflowPx, PEOPLE } from '../../e2e/dashboard.ts';
import { comparePicture } from '../../e2e/pictures.ts';
import { eventually } from '../../support/core/eventually.ts';
import { violationsOf } from '../../support/stack/axe.ts';
import { DESKTOP, PHONE } from '../../support/stack/browser.ts';
import { buy } from '../../support/stack/purchases.ts';
import type { TestStack } from '../../support/stack/stack.ts';
import { buySubscription } from '../../support/stack/stack-subscriptions.ts';
import { askedOnce } from './dashboard-confirmations.ts';

export async function changeSubscription(stack: TestStack, browser: Browser): Promise<void> {
  const { id } = await buySubscription(stack);
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, `/subscriptions/${id}`);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const inDialog = (name: string) => page.locator('dialog').getByRole('button', { name, exact: true });
  await button('Change plan').click();
  await inDialog('Schedule the change').click();
  await page.getByText('Change', { exact: true }).waitFor();
  await askedOnce(page, () => button('Undo').click(), 'The subscription stays on its plan', 'Undo');
  await page.getByText('Change', { exact: true }).waitFor({ state: 'detached' });

  const invoices = page.getByLabel('Invoices').locator('tbody tr');
  await invoices.first().waitFor();
  const before = await invoices.count();
  await button('Move clock').click();
  await inDialog('Move clock').click();
  await eventually(async () => expect(await invoices.count()).toBe(before + 1), 30_000);

  await button('Payment method link').click();
  await page.getByLabel('Where the buyer goes afterwards').fill('https://shop.example/account');
  await inDialog('Create link').click();
  await page.locator('dialog').getByText('/pay/ap_pmc_').waitFor();
  await inDialog('Close').click();

  const cancel = async () => {
    await button('Cancel subscription').click();
    await page.getByText(/^It continues until \d+ \w+ \d+ and is not charged again\./).waitFor();
    await inDialog('Cancel subscription').click();
    await page.getByText(/^Ends /).waitFor();
  };
  await cancel();
  await button('Undo cancellation').click();
  await page.getByText(/^It renews on \d+ \w+ \d+ for €14\.00, as if/).waitFor();
  await inDialog('Undo cancellation').click();
  await page.getByText(/^Ends /).waitFor({ state: 'detached' });
  await cancel();
  await button('Cancel subscription').click();
  await page.getByText('Nothing is refunded').waitFor();
  await inDialog('Cancel subscription').click();
  await page.getByText('It is already cancelled').waitFor();
  await inDialog('End it now').click();
  await page.getByText('Subscription ended').waitFor();
  await button('Cancel subscription').waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await page.context().close();
}

export async function arrangeOfferings(stack: TestStack, browser: Browser): Promise<void> {
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, '/products');
  const inDialog = (name: string) => page.locator('dialog').getByRole('button', { name, exact: true });
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  await page.keyboard.press('g');
  await page.keyboard.press('o');
  await page.getByRole('link', { name: 'Coffee', exact: true }).click();
  const plans = page.locator('.rows li');
  await plans.first().waitFor();
  await button('Add plan').click();
  await page.getByLabel('Find a plan').fill(stack.products.trial);
  await eventually(async () =>
    expect(await page.getByLabel('Plan', { exact: true }).inputValue()).toBe(stack.products.trial),
  );
  expect(await violationsOf(page)).toEqual([]);
  await inDialog('Add plan').click();
  await eventually(async () => expect(await plans.count()).toBe(3));

  await page.goBack();
  await button('Create offering').click();
  await page.getByLabel('Name').fill('<b>Tea</b>');
  await inDialog('Save').click();
  await page.getByText('No plans yet').waitFor();
  await button('Add plan').click();
  await page.getByLabel('Find a plan').fill(stack.products.trial);
  await inDialog('Add plan').click();
  await page.getByText('already in another offering').waitFor();
  await inDialog('Cancel').click();
  const deactivate = () => button('Deactivate').click();
  await askedOnce(page, deactivate, 'No subscription can change to it any more', 'Deactivate');
  await button('Activate').waitFor();
  const { body } = await asOwner(stack, 'GET', '/offerings');
  expect(body.data).toMatchObject([
    { name: '<b>Tea</b>', status: 'inactive', plan_ids: [] },
    { name: 'Coffee', status: 'active', plan_ids: { length: 3 } },
  ]);
  expect(complaints.filter((each) => !/409/.test(each))).toEqual([]);
  await page.context().close();
}

export async function closeDispute(stack: TestStack, browser: Browser): Promise<void> {
  await buy(stack, { card: '4000009000000524', email: 'ada@example.com' });
  const visit = async (role: 'support' | 'platform', theme: 'light' | 'dark') => {
    const visited = await openDashboard(browser, stack, PEOPLE[role], '/', { colorScheme: theme });
    await visited.page.goto(`${stack.dashboardUrl}/operations`);
    return visited;
  };
  const { page: support } = await visit('support', 'light');
  // The sweep, which runs each minute, asks the rail about disputes.
  await support.getByRole('link', { name: 'Dispute open' }).first().click({ timeout: 150_000 });
  await support.getByText('What this means').waitFor();
  expect(await harmfulButtons(support)).toEqual([]);
  await support.goto(`${stack.dashboardUrl}/${stack.merchant.id}/sandbox`);
  await support.getByRole('link', { name: '1 dispute is open' }).click();
  await support.waitForURL(/\/payments\/disputes\?status=open$/);
  await support.locator('tbody tr').click();
  await support.getByText('The buyer’s bank opened a dispute').waitFor();
  await support.context().close();

  const { page, complaints } = await visit('platform', 'dark');
  const differing: (string | null)[] = [];
  const shown = async (name: string) => {
    await page.waitForSelector('.page-head');
    await page.waitForFunction(() => !document.querySelector('.loading'));
    for (const viewport of [PHONE, DESKTOP]) {
      await page.setViewportSize(viewport);
      expect({ name, violations: await violationsOf(page) }).toEqual({ name, violations: [] });
      expect({ name, overflow: await overflowPx(page) }).toEqual({ name, overflow: 0 });
      differing.push(await comparePicture(browser, page, `${name}-dark-${viewport.width}`));
      await page.emulateMedia({ colorScheme: 'light' });
      differing.push(await comparePicture(browser, page, `${name}-${viewport.width}`));
      await page.emulateMedia({ colorScheme: 'dark' });
    }
  };
  await page.getByRole('link', { name: 'Dispute open' }).first().waitFor();
  await shown('incidents');
  await page.goto(`${stack.dashboardUrl}/operations/merchants`);
  await page.getByRole('link', { name: '1 open' }).waitFor();
  await shown('merchants');
  await page.goto(`${stack.dashboardUrl}/operations/find?q=ada%40example.com`);
  await page.locator('tbody tr').first().waitFor();
  await shown('find');
  await page.goto(`${stack.dashboardUrl}/operations?kind=dispute_open`);
  await page.getByRole('link', { name: 'Dispute open' }).first().click();
  await page.getByText('What this means').waitFor();
  await shown('subject');

  await page.getByRole('button', { name: 'Close dispute' }).click();
  const dialog = page.locator('dialog');
  await dialog.getByLabel('Outcome').selectOption('won');
  await dialog.getByLabel('Reason').fill('the bank decided');
  await dialog.getByLabel('Evidence').fill('letter of the bank, 12 May');
  await dialog.getByRole('button', { name: 'Close dispute' }).click();
  await page.getByText('is recorded as won').waitFor();
  expect(differing.filter((each) => each !== null)).toEqual([]);
  expect(complaints).toEqual([]);
  await page.context().close();
}

export async function useKeyboardAlone(stack: TestStack, browser: Browser): Promise<void> {
  const { page } = await openDashboard(browser, stack, PEOPLE.owner, '/');
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  await press('g', 'p');
  await page.waitForURL(/\/payments$/);
  await page.locator('tbody tr').first().waitFor();
  await press('/');
  await page.keyboard.type('19.00');
  await press('Enter');
  await page.waitForURL(/q=19\.00/);
  await eventually(() => expect(page.locator('tbody tr').first().textContent()).resolves.toContain('19.00'));
  const reached = () => page.evaluate(() => document.activeElement?.closest('tbody a') !== null);
  for (let tabs = 0; tabs < 20 && !(await reached()); tabs += 1) await press('Tab');
  await press('Enter');
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await page.goBack();
  await page.waitForURL(/q=19\.00/);
  await press('Shift+?');
  await page.locator('dialog:modal').waitFor();
  await press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  await page.context().close();
}

export async function loseNetwork(stack: TestStack, browser: Browser): Promise<void> {
  const { page } = await openDashboard(browser, stack, PEOPLE.owner, '/payments');
  const rows = page.locator('tbody tr');
  await rows.first().waitFor();
  const before = await rows.count();
  await page.context().setOffline(true);
  await page.getByText('No connection').waitFor();
  await buy(stack);
  expect(await rows.count()).toBe(before);
  await page.context().setOffline(false);
  await page.getByText('No connection').waitFor({ state: 'detached' });
  await eventually(async () => expect(await rows.count()).toBe(before + 1));
  await page.context().close();
}

export async function replaceSamePrice(stack: TestStack, browser: Browser): Promise<void> {
  const { body: product } = await asOwner(stack, 'POST', '/products', { name: 'Cup' });
  const prices = `/products/${product.id}/prices`;
  const price = (amount: number) => ({ amount, tax_rate: 19, billing_mode: 'one_time' });
  expect((await asOwner(stack, 'POST', prices, price(500))).status).toBe(201);
  const { page } = await openDashboard(browser, stack, PEOPLE.owner, `/products/${product.id}`);
  await page.getByRole('button', { name: 'Replace price' }).click();
  const dialog = page.locator('dialog');
  await dialog.getByLabel('Amount in euros').fill('6,00');
  expect((await asOwner(stack, 'POST', prices, price(700))).status).toBe(201);
  await dialog.getByRole('button', { name: 'Replace price' }).click();
  await dialog.getByText('Someone else has replaced the price').waitFor();
  expect(await dialog.getByLabel('Amount in euros').inputValue()).toBe('6,00');
  const { body: after } = await asOwner(stack, 'GET', `/products/${product.id}`);
  expect(after.active_price.amount).toBe(700);
  await page.context().close();
}

export async function searchProducts(stack: TestStack, browser: Browser): Promise<void> {
  const pool = await openPool({ url: stack.databaseUrl, maxConnections: 1 });
  await pool.query(sql.unsafe`
    insert into products (merchant_id, name)
    select ${stack.merchant.id}, 'Bulk ' || n from generate_series(1, 10000) n`);
  await pool.end();
  const { page } = await openDashboard(browser, stack, PEOPLE.support, '/products');
  const rows = page.locator('tbody tr');
  await eventually(async () => expect(await rows.count()).toBe(25));
  await page.getByRole('button', { name: 'Older' }).click();
  await page.waitForURL(/cursor=/);
  await page.getByRole('button', { name: 'Newest' }).click();
  await page.getByRole('searchbox').fill('bulk 9999');
  await page.keyboard.press('Enter');
  await eventually(async () => expect(await rows.count()).toBe(1));
  await page.context().close();
}

export async function searchEverything(stack: TestStack, browser: Browser): Promise<void> {
  const { page } = await openDashboard(browser, stack, PEOPLE.support, '/search');
  const { body } = await asOwner(stack, 'GET', '/coupons?environment=sandbox');
  const { id, code } = body.data[0];
  const search = async (typed: string) => {
    await page.getByRole('searchbox').fill(typed);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('q') === typed);
  };
  const coupons = page.getByRole('region', { name: 'Coupons' });
  for (const typed of [code.slice(1).toLowerCase(), id]) {
    await search(typed);
    await coupons.getByText(code, { exact: true }).waitFor();
  }
  await search('coff');
  await page
    .getByRole('region', { name: 'Offerings' })
    .getByRole('link', { name: 'Coffee', exact: true })
    .click();
  await page.getByRole('heading', { name: 'Coffee', level: 1 }).waitFor();
  await page.context().close();
}
