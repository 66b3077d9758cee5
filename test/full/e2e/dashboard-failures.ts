/** People's actions in the dashboard after a failure: a webhook, a log-in, an address. */
import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openPool, sql } from '../../../db/core/pool.ts';
import { asOwner, openDashboard, PEOPLE } from '../../e2e/dashboard.ts';
import { eventually } from '../../support/core/eventually.ts';
import { buy } from '../../support/stack/purchases.ts';
import type { TestStack } from '../../support/stack/stack.ts';
import { call } from '../../support/stack/stack-subscriptions.ts';

/** @param status 200 for a working receiver */
export async function shopAnswers(stack: TestStack, status: number): Promise<void> {
  const answer = await fetch(`${stack.shopUrl}/events/behaviour`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(status === 200 ? {} : { status }),
  });
  expect(answer.ok).toBe(true);
}

export async function resendFailedWebhook(stack: TestStack, browser: Browser): Promise<void> {
  await shopAnswers(stack, 500);
  await buy(stack);
  const [order] = (await call(stack, 'GET', '/v1/orders')).body.data;

  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.developer, '/payments');
  await page.getByRole('searchbox').fill(order.id);
  await page.keyboard.press('Enter');
  await eventually(async () => expect(await page.locator('tbody tr').count()).toBe(1));
  await page.locator('tbody tr').click();
  await page.getByText('Delivery failed').first().waitFor();
  await page.getByRole('link', { name: 'payment.succeeded' }).click();
  await page.getByText('500').first().waitFor();
  await readFailure(stack, browser, 'en-IE', /^ ?Failing since \d+ \w+ \d{4}, [\d:]+: 500, \d+ waiting$/);
  await readFailure(
    stack,
    browser,
    'de-DE',
    /^ ?Schlägt fehl seit \d\d\.\d\d\.\d{4}, [\d:]+: 500, \d+ warten$/,
  );

  await seeAttemptBecomeDue(page);

  await shopAnswers(stack, 200);
  await page.getByRole('button', { name: 'Resend' }).click();
  await page.getByText('Queued.').waitFor();
  await page.getByText('Delivered', { exact: true }).waitFor();
  const received: readonly { event: { payment: { id: string } | null } }[] = await (
    await fetch(stack.webhook.eventsUrl)
  ).json();
  expect(received.some(({ event }) => event.payment?.id === order.payment_id)).toBe(true);
  expect(complaints).toEqual([]);
  await page.context().close();
}

/** The list of endpoints states since when one has been failing, as a time and not as "26 seconds ago". */
async function readFailure(stack: TestStack, browser: Browser, locale: string, said: RegExp): Promise<void> {
  const { page } = await openDashboard(browser, stack, PEOPLE.developer, '/webhooks', { locale });
  const failure = page.locator('tbody .bad-text').first();
  await failure.waitFor();
  expect(await failure.textContent()).toMatch(said);
  await page.context().close();
}

/** The next attempt, due while its page is open, is "due now" and not "10 seconds ago". */
async function seeAttemptBecomeDue(page: Page): Promise<void> {
  const next_attempt_at = new Date(Date.now() + 15_000).toISOString();
  await page.route(/\/webhook-attempts\?/, async (route) => {
    const response = await route.fetch();
    const { data, ...rest } = await response.json();
    const json = { ...rest, data: data.map((attempt: object) => ({ ...attempt, next_attempt_at })) };
    await route.fulfill({ response, json });
  });
  await page.reload();
  await page.getByText(/^Next attempt: in \d+ seconds$/).waitFor();
  await page.getByText('Next attempt: due now').waitFor();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
}

/** An event that was sent to two endpoints: its page names them, and resending asks which of them to send it to. */
export async function resendToOneEndpoint(stack: TestStack, browser: Browser): Promise<void> {
  const url = 'https://second.example/events';
  const { body: second } = await asOwner(stack, 'POST', '/webhook-endpoints', {
    environment: 'sandbox',
    url,
  });
  await buy(stack);
  const events = await asOwner(stack, 'GET', '/webhook-events?environment=sandbox&limit=1');
  const [event] = events.body.data;
  const { page } = await openDashboard(browser, stack, PEOPLE.support, `/webhooks/events/${event.id}`);
  await page.getByRole('link', { name: stack.webhook.url }).first().waitFor();
  await page.getByRole('button', { name: 'Resend' }).click();
  const dialog = page.locator('dialog');
  await dialog.getByLabel('To').selectOption({ label: stack.webhook.url });
  const sent = page.waitForRequest((request) => request.url().endsWith('/resend'));
  await dialog.getByRole('button', { name: 'Resend' }).click();
  expect((await sent).postDataJSON()).toEqual({ endpoint_id: expect.not.stringContaining(second.id) });
  await page.getByText('Queued.').waitFor();
  await asOwner(stack, 'DELETE', `/webhook-endpoints/${second.id}`);
  await page.context().close();
}

/** The provider does not renew silently: the person logs in again in a window, and the request continues. */
export async function logInAgain(stack: TestStack, browser: Browser): Promise<void> {
  const { page } = await openDashboard(browser, stack, PEOPLE.owner, `/products/${stack.products.oneTime}`);
  await page.getByRole('button', { name: 'Edit product' }).click();
  const typed = 'Typed before the log-in ended';
  await page.getByLabel('Description').fill(typed);
  const expired = { code: 'access_token_expired', message: 'The token has expired.', request_id: 'req_1' };
  await page.route(/\/products\/ap_prod_/, (route) =>
    route.request().method() === 'GET' ? route.continue() : route.fulfill({ status: 401, json: expired }),
  );
  await page.route(
    (url) => url.origin === new URL(stack.identityUrl).origin,
    (route) => route.abort(),
  );
  await page.getByRole('button', { name: 'Save' }).click();
  const ended = page.locator('dialog').filter({ hasText: 'Your log-in has ended' });
  await ended.waitFor();
  await page.unrouteAll();
  const window = page.waitForEvent('popup');
  await ended.getByRole('button', { name: 'Log in again' }).click();
  const popup = await window;
  const person = popup.locator(`button[value="${PEOPLE.owner}"]`);
  // The provider may still know the person; then its window closes without a prompt.
  const closed = popup.isClosed() ? null : popup.waitForEvent('close');
  void person.click().catch(() => {});
  await closed;
  await page.locator('dialog').first().waitFor({ state: 'detached' });
  await page.getByText(typed).waitFor();
  await page.context().close();
}

export async function openAnotherMerchant(stack: TestStack, browser: Browser): Promise<void> {
  const pool = await openPool({ url: stack.databaseUrl, maxConnections: 1 });
  const secret = 'A product of another merchant';
  await pool.query(sql.unsafe`
    with theirs as (insert into merchants (id, name) values ('ap_mer_theirs', 'Theirs'))
    insert into products (id, merchant_id, name) values ('ap_prod_theirs', 'ap_mer_theirs', ${secret})`);
  await pool.end();
  const { page } = await openDashboard(browser, stack, PEOPLE.owner, '/');
  const bodies: Promise<string>[] = [];
  page.on('response', (response) => {
    if (response.url().includes('/v1/')) bodies.push(response.text().catch(() => ''));
  });
  const visits: readonly (readonly [string, string])[] = [
    [`${stack.merchant.id}/sandbox/products/ap_prod_theirs`, 'This product does not exist'],
    [`${stack.merchant.id}/sandbox/payments/ap_pay_theirs`, 'This payment does not exist'],
    ['ap_mer_theirs/sandbox/products', 'you do not belong to it'],
    ['ap_mer_unknown/sandbox/products', 'you do not belong to it'],
  ];
  for (const [path, words] of visits) {
    await page.goto(`${stack.dashboardUrl}/${path}`);
    await page.getByRole('alert').filter({ hasText: words }).first().waitFor();
    expect(await page.locator('tbody tr').count()).toBe(0);
  }
  expect((await Promise.all(bodies)).join()).not.toContain(secret);
  await page.context().close();
}

/** Goes from the list of payments to the completed refund, and checks that the dialog restores focus. */
export async function refundByKeyboard(stack: TestStack, browser: Browser): Promise<void> {
  const { page } = await openDashboard(browser, stack, PEOPLE.owner, '/payments?status=succeeded');
  const press = (key: string) => page.keyboard.press(key);
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  const tabTo = async (reached: () => Promise<boolean>) => {
    for (let tabs = 0; tabs < 40 && !(await reached()); tabs += 1) await press('Tab');
    expect(await reached()).toBe(true);
  };
  await page.locator('tbody tr').first().waitFor();
  await tabTo(() => page.evaluate(() => document.activeElement?.closest('tbody a') !== null));
  await press('Enter');
  await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  await tabTo(async () => (await focused()) === 'Refund');
  await press('Enter');
  await page.locator('dialog:modal').waitFor();
  await press('Escape');
  await page.locator('dialog').waitFor({ state: 'detached' });
  expect(await focused()).toBe('Refund');
  await press('Enter');
  await page.locator('dialog:modal').waitFor();
  // Found by its input mode, because the reason is an input as well.
  await tabTo(() => page.evaluate(() => document.activeElement?.getAttribute('inputmode') === 'decimal'));
  await press('Control+a');
  await page.keyboard.type('1,00');
  await press('Enter');
  await page.getByText('Refund succeeded').waitFor();
  await page.getByText('Partly refunded').waitFor();
  await page.context().close();
}
