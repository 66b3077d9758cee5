/** Actions that need one confirmation: the question cancelled, then confirmed, and the result in the service. */
import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { asOwner, openDashboard, PEOPLE } from '../../e2e/dashboard.ts';
import { eventually } from '../../support/core/eventually.ts';
import { buy } from '../../support/stack/purchases.ts';
import type { TestStack } from '../../support/stack/stack.ts';

const dialogOf = (page: Page) => page.locator('dialog:modal');

/** Presses the button behind `open`, reads the question, cancels; presses again, and confirms. */
export async function askedOnce(
  page: Page,
  open: () => Promise<void>,
  text: string,
  action: string,
): Promise<void> {
  const dialog = dialogOf(page);
  await open();
  await dialog.getByText(text).waitFor();
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await open();
  await dialog.getByRole('button', { name: action, exact: true }).click();
}

export async function rotateAndDeleteEndpoint(stack: TestStack, browser: Browser): Promise<void> {
  const url = 'https://shop.example/second';
  const { body: made } = await asOwner(stack, 'POST', '/webhook-endpoints', { url, environment: 'sandbox' });
  const { page, complaints } = await openDashboard(
    browser,
    stack,
    PEOPLE.owner,
    `/webhooks/endpoints/${made.id}`,
  );
  const press = (name: string) => () => page.getByRole('button', { name, exact: true }).click();
  await askedOnce(page, press('Rotate secret'), 'For 24 hours the current one signs too', 'Rotate secret');
  const secret =
    (await dialogOf(page)
      .getByText(/^whsec_/)
      .textContent()) ?? '';
  expect(secret).not.toBe(made.secret);
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
  await page.getByText('The previous secret also signs until').waitFor();

  await askedOnce(page, press('Delete'), 'It receives no more events', 'Delete');
  await page.waitForURL(/\/webhooks$/);
  const { body } = await asOwner(stack, 'GET', '/webhook-endpoints?environment=sandbox');
  expect(body.data.map((each: { url: string }) => each.url)).not.toContain(url);
  // The page polls: a request may reach the server after the deletion.
  expect(complaints.filter((each) => !each.includes('404'))).toEqual([]);
  await page.context().close();
}

export async function deactivateStorefrontClient(stack: TestStack, browser: Browser): Promise<void> {
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, '/storefront-clients');
  await page.getByRole('button', { name: 'Create client' }).click();
  await dialogOf(page).getByRole('textbox', { name: 'Name' }).fill('Web shop');
  await dialogOf(page).getByLabel('Origins').fill('https://shop.example');
  await dialogOf(page).getByLabel('Find a product').fill('enamel');
  await dialogOf(page).getByLabel('Enamel mug').check();
  await dialogOf(page).getByLabel('Find a product').fill('coffee');
  await dialogOf(page).getByLabel('Coffee club').check();
  expect(await dialogOf(page).getByLabel('Enamel mug').isChecked()).toBe(true);
  await dialogOf(page).getByRole('button', { name: 'Create client' }).click();
  const row = page.locator('tbody tr', { hasText: 'Web shop' });
  await row.getByText('2', { exact: true }).waitFor();
  const press = (name: string) => () => row.getByRole('button', { name, exact: true }).click();
  const found = async () =>
    (await asOwner(stack, 'GET', '/storefront-clients')).body.data.find(
      ({ name }: { name: string }) => name === 'Web shop',
    );
  const statusOf = async () => (await found()).status;
  await press('Edit')();
  await dialogOf(page).getByLabel('Coffee club').uncheck();
  await dialogOf(page).getByLabel('Origins').fill('https://shop.example\nhttps://www.shop.example');
  await dialogOf(page).getByLabel('Where buyers go after paying').fill('https://shop.example/thanks');
  await dialogOf(page).getByRole('button', { name: 'Save' }).click();
  await dialogOf(page).waitFor({ state: 'detached' });
  expect(await found()).toMatchObject({
    origins: ['https://shop.example', 'https://www.shop.example'],
    product_ids: [stack.products.oneTime],
    successUrl: 'https://shop.example/thanks',
    failUrl: null,
  });
  await askedOnce(page, press('Deactivate'), 'can no longer start checkouts', 'Deactivate');
  await row.getByText('Inactive').waitFor();
  expect(await statusOf()).toBe('disabled');
  await press('Activate')();
  await row.getByText('Active', { exact: true }).waitFor();
  expect(await statusOf()).toBe('active');
  expect(complaints).toEqual([]);
  await page.context().close();
}

export async function revokeKey(stack: TestStack, browser: Browser): Promise<void> {
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, '/api-keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await dialogOf(page).getByLabel('Name').fill('Test server');
  await dialogOf(page).getByLabel('Last day').fill('2035-01-31');
  await dialogOf(page).getByRole('button', { name: 'Create sandbox key' }).click();
  const key =
    (await dialogOf(page)
      .getByText(/^ap_test_/)
      .textContent()) ?? '';
  await page.keyboard.press('Escape');
  await dialogOf(page).waitFor({ state: 'detached' });
  const asShop = async () => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`${stack.apiUrl}/v1/payments`, { headers })).status;
  };
  expect(await asShop()).toBe(200);
  const row = page.locator('tbody tr', { hasText: key.slice(-4) });
  for (const width of [768, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    for (const text of ['Test server', 'olivia@harbour-coffee.example', 'Valid until 31 Jan 2035, 23:59:59'])
      await row.getByText(text).waitFor();
  }
  const press = (name: string) => () => row.getByRole('button', { name, exact: true }).click();
  await askedOnce(page, press('Rotate'), 'The current one stays valid for 24 hours', 'Rotate');
  await dialogOf(page)
    .getByText(/^ap_test_/)
    .waitFor();
  await page.keyboard.press('Escape');
  expect(await asShop()).toBe(200);
  await askedOnce(page, press('Revoke'), 'Requests with it are refused at once', 'Revoke');
  await row.waitFor({ state: 'detached' });
  await eventually(async () => expect(await asShop()).toBe(401));
  expect(complaints).toEqual([]);
  await page.context().close();
}

export async function removePlanAndProduct(stack: TestStack, browser: Browser): Promise<void> {
  const { body: product } = await asOwner(stack, 'POST', '/products', { name: 'Cocoa club' });
  const recurring = { interval: 'month' };
  const price = { amount: 700, tax_rate: 19, billing_mode: 'recurring', recurring };
  expect((await asOwner(stack, 'POST', `/products/${product.id}/prices`, price)).status).toBe(201);
  const plans = { name: 'Cocoa', plan_ids: [product.id] };
  const { body: offering } = await asOwner(stack, 'POST', '/offerings', plans);
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, `/offerings/${offering.id}`);
  const remove = () => page.getByRole('button', { name: 'Remove Cocoa club' }).click();
  await askedOnce(page, remove, 'No subscription can change to this plan here any more', 'Remove');
  await page.getByText('No plans yet').waitFor();
  expect((await asOwner(stack, 'GET', '/offerings')).body.data).toContainEqual(
    expect.objectContaining({ id: offering.id, plan_ids: [] }),
  );
  await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/sandbox/products/${product.id}`);
  const deactivate = () => page.getByRole('button', { name: 'Deactivate', exact: true }).click();
  await askedOnce(page, deactivate, 'No new checkout can be started for it', 'Deactivate');
  await page.getByRole('button', { name: 'Activate', exact: true }).waitFor();
  expect((await asOwner(stack, 'GET', `/products/${product.id}`)).body.status).toBe('inactive');
  expect(complaints).toEqual([]);
  await page.context().close();
}

export async function stopCoupon(stack: TestStack, browser: Browser): Promise<void> {
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, '/coupons');
  const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
  const dialog = dialogOf(page);
  const create = dialog.getByRole('button', { name: 'Create coupon' });
  await press('Create coupon');
  await dialog.getByLabel('Code').fill('spring24');
  await dialog.getByLabel('Percent', { exact: true }).fill('50');
  await dialog.getByLabel('Applies to').selectOption('repeating');
  await dialog.getByLabel('Number of charges').fill('2');
  await dialog.getByLabel('Redemptions at most').fill('10');
  await dialog.getByLabel('Find a product').fill('coffee');
  await dialog.getByLabel('Coffee club').check();
  await create.click();
  await dialog.getByText('Another active coupon').waitFor();
  await dialog.getByLabel('Code').fill('Summer');
  await create.click();
  const row = page.locator('tbody tr', { hasText: 'Summer' });
  for (const text of ['50% off the first 2 charges', 'Coffee club', '0 of 10'])
    await row.getByText(text).waitFor();

  const productId = stack.products.recurring;
  const { id } = await buy(stack, { productId, request: { couponCode: 'summer' } });
  const { subscription_id: subscription, customer_id: customer } = (
    await asOwner(stack, 'GET', `/checkouts/${id}`)
  ).body;
  const sandbox = `${stack.dashboardUrl}/${stack.merchant.id}/sandbox`;
  for (const path of [`/subscriptions/${subscription}`, `/customers/${customer}`]) {
    await page.goto(sandbox + path);
    await page.getByText('Summer: 50% off, one more charge').waitFor();
  }
  await page.goto(`${sandbox}/coupons`);
  await row.getByText('1 of 10').waitFor();
  const stop = () => row.getByRole('button', { name: 'Stop', exact: true }).click();
  await askedOnce(page, stop, 'Subscriptions that have it keep it, and the code is free again', 'Stop');
  await row.getByText('Stopped').waitFor();
  expect((await asOwner(stack, 'GET', `/subscriptions/${subscription}`)).body.coupon).toMatchObject({
    code: 'Summer',
    periods_left: 1,
  });
  await press('Create coupon');
  await dialog.getByLabel('Code').fill('SUMMER');
  await dialog.getByLabel('Discount', { exact: true }).selectOption('amount');
  await dialog.getByLabel('Amount in euros').fill('2,50');
  await dialog.getByLabel('Last day').fill('2035-12-31');
  await create.click();
  await page.getByText('€2.50 off the first charge').waitFor();
  expect((await asOwner(stack, 'GET', '/coupons?environment=sandbox')).body.data).toMatchObject([
    { code: 'SUMMER', amount: 250, percent: null, product_ids: null, status: 'active', redemptions: 0 },
    { code: 'Summer', percent: 50, periods: 2, product_ids: [productId], status: 'stopped', redemptions: 1 },
    { code: 'WELCOME' },
    { code: 'SPRING24' },
    { code: 'OFFICE20' },
  ]);
  expect(complaints.filter((each) => !/409/.test(each))).toEqual([]);
  await page.context().close();
}
