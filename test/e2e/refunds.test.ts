/**
 * Refunds on the whole service, over HTTP and in the dashboard, with the rail account's refund capability off and
 * on.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, sql } from '../../db/core/pool.ts';
import { eventually } from '../support/core/eventually.ts';
import { violationsOf } from '../support/stack/axe.ts';
import { launchBrowser } from '../support/stack/browser.ts';
import { buy } from '../support/stack/purchases.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';
import { call, eventsOf, ledgerOf, post } from '../support/stack/stack-subscriptions.ts';
import { cutTexts, openDashboard, overflowPx } from './dashboard.ts';

let stack: TestStack;

beforeAll(async () => {
  stack = await startStack({ parts: ['rail', 'shop', 'api', 'worker', 'identity'] });
});
afterAll(() => stack?.stop());

const LONG_EMAIL = 'maximiliane.von-und-zu-hohenlohe@buchhaltung.beispiel.example';

async function declareRefunds(declared: boolean): Promise<void> {
  const pool = await openPool({ url: stack.databaseUrl, maxConnections: 1 });
  await pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || jsonb_build_object('refunds', ${declared}::boolean)
    where id = ${stack.merchant.railAccountId}`);
  await pool.end();
}

/** A mug for 19.00, paid by a new customer. */
async function buyMug() {
  const externalCustomerId = `customer-${randomUUID()}`;
  await buy(stack, { email: LONG_EMAIL, request: { externalCustomerId } });
  const [order] = (await call(stack, 'GET', '/v1/orders')).body.data;
  return { externalCustomerId, orderId: order.id as string, paymentId: order.payment_id as string };
}

/** Requests about money only, because the service also checks each account every few minutes. */
const railRequests = async (): Promise<readonly unknown[]> => {
  const answer = await fetch(`${stack.railUrl}/requests`);
  const all = (await answer.json()) as { readonly operation: string }[];
  return all.filter(({ operation }) => operation !== 'showAccount');
};
const statesOf = async ({ orderId, paymentId }: { orderId: string; paymentId: string }) => {
  const find = async (list: string, id: string) =>
    (await call(stack, 'GET', list)).body.data.find((each: { id: string }) => each.id === id).status;
  return [await find('/v1/payments', paymentId), await find('/v1/orders', orderId)];
};
const settled = (id: string) =>
  eventually(async () => {
    expect((await call(stack, 'GET', `/v1/refunds/${id}`)).body.status).toBe('succeeded');
  });

test('501 refunds_not_supported: the account lacks the capability, and the rail is not called', async () => {
  await declareRefunds(false);
  const { paymentId, orderId } = await buyMug();
  const before = await railRequests();
  for (const body of [{ paymentId }, { orderId }, { paymentId, amount: 1, currency: 'EUR', reason: 'x' }]) {
    const answer = await post(stack, '/v1/refunds', body);
    expect([answer.status, answer.body.code]).toEqual([501, 'refunds_not_supported']);
  }
  // Longer than the relay takes, which starts every stored refund within a second.
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(await railRequests()).toEqual(before);
  expect(await statesOf({ paymentId, orderId })).toEqual(['succeeded', 'completed']);
});

test('concurrent partial refunds never exceed the payment', async () => {
  await declareRefunds(true);
  const bought = await buyMug();
  const { paymentId, orderId, externalCustomerId } = bought;
  const first = await post(stack, '/v1/refunds', { orderId, amount: 500, reason: 'a scratch' });
  expect([first.status, first.body.amount]).toEqual([201, 500]);
  await settled(first.body.id);
  expect(await statesOf(bought)).toEqual(['partially_refunded', 'partially_refunded']);

  const together = await Promise.all(
    [700, 700, 700].map((amount) => post(stack, '/v1/refunds', { paymentId, amount })),
  );
  const [second, third, ...more] = together.filter(({ status }) => status === 201);
  expect(more).toEqual([]);
  // The last one may arrive when the others have settled and nothing is left.
  expect(together.flatMap(({ body }) => body.code ?? [])).toEqual([
    expect.stringMatching(/^(refund_amount_exceeds_payment|payment_not_refundable)$/),
  ]);
  await Promise.all([second, third].map((refund) => settled(refund?.body.id)));
  expect(await statesOf(bought)).toEqual(['refunded', 'refunded']);

  const ids = [first, second, third].map((refund) => refund?.body.id);
  const atRail = (await ledgerOf(stack)).filter(({ reference }) => ids.includes(reference));
  expect(atRail.map(({ operation, amount }) => [operation, amount])).toEqual([
    ['refund', 500],
    ['refund', 700],
    ['refund', 700],
  ]);
  await eventually(async () => {
    const told = (await eventsOf(stack, externalCustomerId)).map(({ event }) => event);
    const refunds = told.filter(({ type }) => type === 'refund.created').map(({ refund }) => refund);
    expect(refunds.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(
      refunds.every(({ payment_id, status }) => payment_id === paymentId && status === 'succeeded'),
    ).toBe(true);
  });
});

test('an accepted refund is made even if the account has lost the capability', async () => {
  await declareRefunds(true);
  const bought = await buyMug();
  await stack.kill('worker');
  const accepted = await post(stack, '/v1/refunds', { paymentId: bought.paymentId });
  expect([accepted.status, accepted.body.status]).toEqual([201, 'pending']);
  await declareRefunds(false);
  await stack.start('worker');
  await settled(accepted.body.id);
  expect(await statesOf(bought)).toEqual(['refunded', 'refunded']);
});

test('in the dashboard: a purchase appears on the open page, an owner refunds it, support cannot', async () => {
  await declareRefunds(true);
  const browser = await launchBrowser();
  const owner = await openDashboard(browser, stack, 'olivia@harbour-coffee.example', '/payments');
  const { paymentId } = await buyMug();
  await owner.page.click(`a[href$="${paymentId}"]`);
  await owner.page.getByRole('button', { name: 'Refund' }).click();
  await owner.page.getByLabel('Amount to refund').fill('5,00');
  await owner.page.getByLabel('Reason').fill('A scratch');
  expect(await violationsOf(owner.page)).toEqual([]);
  await owner.page.getByRole('button', { name: 'Refund €5.00' }).click();
  await owner.page.getByText('Partly refunded').waitFor();
  await owner.page.getByText('Refund succeeded').waitFor();
  const refunds = (await ledgerOf(stack)).filter(({ operation }) => operation === 'refund');
  expect(refunds.at(-1)?.amount).toBe(500);
  expect(await violationsOf(owner.page)).toEqual([]);

  const support = await openDashboard(browser, stack, 'sue@harbour-coffee.example', `/payments/${paymentId}`);
  await support.page.getByText('Refund succeeded').waitFor();
  expect(await support.page.getByRole('button', { name: 'Refund' }).count()).toBe(0);
  expect(await support.page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);

  await support.page.getByRole('link', { name: 'Payments', exact: true }).first().click();
  await support.page.getByRole('table').getByText(LONG_EMAIL).first().waitFor();
  for (const width of [320, 768, 1280]) {
    await support.page.setViewportSize({ width, height: 900 });
    const seen = { width, overflow: await overflowPx(support.page), cut: await cutTexts(support.page) };
    expect(seen).toEqual({ width, overflow: 0, cut: [] });
  }
  expect([...owner.complaints, ...support.complaints]).toEqual([]);
  await browser.close();
});

test('in the dashboard: a refund whose response is lost is not repeated when its dialog is opened again', async () => {
  await declareRefunds(true);
  const { paymentId } = await buyMug();
  const browser = await launchBrowser();
  const path = `/payments/${paymentId}`;
  const { page } = await openDashboard(browser, stack, 'olivia@harbour-coffee.example', path);
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const send = async () => {
    await button('Refund').click();
    await page.getByLabel('Amount to refund').fill('5,00');
    await button('Refund €5.00').click();
  };
  // The service makes the refund, but the page gets neither its response nor the payment.
  const cut = Promise.withResolvers<void>();
  await page.route(/\/payments\/ap_pay_/, (route) => route.abort());
  await page.route(/\/refunds$/, async (route) => {
    await route.fetch();
    await cut.promise;
    await route.abort();
  });
  await send();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await page.locator('dialog:modal').waitFor({ timeout: 5_000 });
  expect(await button('Cancel').isDisabled()).toBe(true);
  cut.resolve();
  await page.locator('dialog').getByText('The service cannot be reached').waitFor();
  await button('Cancel').click();
  await page.unroute(/\/refunds$/);
  await send();
  await page.locator('dialog').getByText('Some of this payment has been refunded in the meantime').waitFor();
  await button('Cancel').click();
  await page.unroute(/\/payments\/ap_pay_/);
  await page.getByText('Refund succeeded').waitFor();

  await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/live${path}`);
  await page.getByText('This payment does not exist').waitFor();
  await browser.close();
});
