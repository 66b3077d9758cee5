/** The pages of the catalogue, branding and business details belong to no environment: they apply to both. */
import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { asOwner, openDashboard, overflowPx, PEOPLE } from '../../e2e/dashboard.ts';
import { PHONE } from '../../support/stack/browser.ts';
import type { TestStack } from '../../support/stack/stack.ts';

const BAND = 'Applies to sandbox and live';

/** Fills the form and presses "Replace price". */
async function replaceWith(page: Page, amount: string): Promise<void> {
  await page.getByRole('button', { name: 'Replace price' }).click();
  const dialog = page.locator('dialog:modal');
  await dialog.getByText('Also applies to live, at once').waitFor();
  await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByRole('button', { name: 'Replace price' }).click();
}

export async function changeBothEnvironments(stack: TestStack, browser: Browser): Promise<void> {
  const { body: product } = await asOwner(stack, 'POST', '/products', { name: 'Espresso machine' });
  const price = { amount: 1_900, tax_rate: 19, billing_mode: 'one_time' };
  expect((await asOwner(stack, 'POST', `/products/${product.id}/prices`, price)).status).toBe(201);
  const activeCents = async () =>
    (await asOwner(stack, 'GET', `/products/${product.id}`)).body.active_price.amount;
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, `/products/${product.id}`);
  await page.waitForURL(new RegExp(`/both/products/${product.id}$`));
  await page.getByText(BAND).waitFor();
  expect(await page.getByText('no real money moves').count()).toBe(0);

  await replaceWith(page, '95.01');
  const dialog = page.locator('dialog:modal');
  await dialog.getByText('€19.00').waitFor();
  await dialog.getByText('€95.01').waitFor();
  await dialog.getByText('more than five times').waitFor();
  expect(await activeCents()).toBe(1_900);
  await page.setViewportSize(PHONE);
  expect(await overflowPx(page)).toBe(0);
  await dialog.getByRole('button', { name: 'Replace price' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await activeCents()).toBe(9_501);
  await replaceWith(page, '19.01');
  await dialog.waitFor({ state: 'detached' });
  expect(await activeCents()).toBe(1_901);

  for (const path of ['branding', 'business', 'offerings', 'products']) {
    await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/live/${path}`);
    await page.waitForURL(new RegExp(`/both/${path}$`));
    await page.getByText(BAND).waitFor();
    expect(await overflowPx(page)).toBe(0);
  }
  await page.getByRole('link', { name: 'Live', exact: true }).click();
  await page.waitForURL(/\/live\/?$/);
  expect(await page.getByText(BAND).count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
}
