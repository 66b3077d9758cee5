/** An open page whose person or merchant loses rights: no input is lost. */
import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openPool, sql } from '../../../db/core/pool.ts';
import { harmfulButtons, openDashboard, PEOPLE } from '../../e2e/dashboard.ts';
import { eventually } from '../../support/core/eventually.ts';
import type { TestStack } from '../../support/stack/stack.ts';

const RITA = 'rita@harbour-coffee.example';
const TYPED = 'A name that took long to think of';

async function appoint(
  stack: TestStack,
  role: 'owner' | 'support',
  merchants: readonly string[],
): Promise<void> {
  const answer = await fetch(`${stack.identityUrl}/people`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ id: RITA, name: 'Rita', role, merchants }),
  });
  expect(answer.status).toBe(201);
}

/** Rejects the next request as expired, so that the page renews its token at the provider. */
async function expireToken(page: Page, path: RegExp): Promise<void> {
  const expired = { code: 'access_token_expired', message: 'The token has expired.', request_id: 'req_1' };
  await page.route(path, (route) => route.fulfill({ status: 401, json: expired }), { times: 1 });
}

async function editProduct(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Edit product' }).click();
  await page.locator('dialog').getByLabel('Name').fill(TYPED);
}

async function saveIsRefused(page: Page, words: string): Promise<void> {
  const dialog = page.locator('dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText(words).waitFor();
  expect(await dialog.getByLabel('Name').inputValue()).toBe(TYPED);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await eventually(async () => expect(await harmfulButtons(page)).toEqual([]));
}

/** Makes the page visible until the text appears, because it then rereads data older than a second. */
async function untilRead(page: Page, role: 'button' | 'alert', text: string): Promise<void> {
  await eventually(async () => {
    await page.evaluate(() => dispatchEvent(new Event('visibilitychange')));
    expect(await page.getByRole(role).filter({ hasText: text }).count()).toBeGreaterThan(0);
  });
}

export async function loseRole(stack: TestStack, browser: Browser): Promise<void> {
  await appoint(stack, 'owner', [stack.merchant.id]);
  const product = `/products/${stack.products.oneTime}`;
  const { page } = await openDashboard(browser, stack, RITA, product);
  await editProduct(page);
  await appoint(stack, 'support', [stack.merchant.id]);
  await expireToken(page, /\/products\/ap_prod_/);
  await saveIsRefused(page, 'Your role does not permit this');

  await appoint(stack, 'owner', [stack.merchant.id]);
  await expireToken(page, /\/access$/);
  await untilRead(page, 'button', 'Edit product');
  await appoint(stack, 'owner', ['ap_mer_0']);
  await expireToken(page, /\/access$/);
  await untilRead(page, 'alert', 'you do not belong to it');
  await eventually(async () => expect(await harmfulButtons(page)).toEqual([]));
  await page.getByRole('heading', { name: 'Prices' }).waitFor();
  await page.context().close();
}

export async function switchMerchantOff(stack: TestStack, browser: Browser): Promise<void> {
  const product = `/products/${stack.products.oneTime}`;
  const { page } = await openDashboard(browser, stack, PEOPLE.owner, product);
  await editProduct(page);
  const { page: platform } = await openDashboard(browser, stack, PEOPLE.platform, '/');
  await platform.goto(`${stack.dashboardUrl}/operations/subjects/${stack.merchant.id}`);
  await platform.getByRole('button', { name: 'Stop merchant' }).click();
  await platform.getByLabel('Reason').fill('fraud');
  await platform.locator('dialog').getByRole('button', { name: 'Stop merchant' }).click();
  await platform.getByText('is stopped').waitFor();
  await platform.getByRole('button', { name: 'Stop merchant' }).waitFor({ state: 'detached' });

  await saveIsRefused(page, 'its people can only read');
  await page.getByText('This merchant is inactive. Its API keys are refused').waitFor();
  await Promise.all([page.context().close(), platform.context().close()]);
  const pool = await openPool({ url: stack.databaseUrl, maxConnections: 1 });
  await pool.query(sql.unsafe`update merchants set status = 'active' where id = ${stack.merchant.id}`);
  await pool.end();
}
