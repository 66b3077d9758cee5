/** An open page updates by itself, exports a file, and shows the merchant's days. */
import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { asOwner, openDashboard, PEOPLE } from '../../e2e/dashboard.ts';
import { buy } from '../../support/stack/purchases.ts';
import type { TestStack } from '../../support/stack/stack.ts';
import { call } from '../../support/stack/stack-subscriptions.ts';

/** Both lists are open while the buyer pays. */
export async function seePurchase(stack: TestStack, browser: Browser): Promise<void> {
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, '/checkouts');
  const payments = await page.context().newPage();
  await payments.goto(page.url().replace(/checkouts$/, 'payments'));
  const email = 'within.two.seconds@example.com';
  const shown = (on: Page, status: string) =>
    on.locator('tbody tr', { hasText: email }).getByText(status).waitFor({ timeout: 2_000 });
  for (const on of [page, payments]) await on.locator('tbody tr').first().waitFor();
  await buy(stack, { email });
  await Promise.all([shown(page, 'Paid'), shown(payments, 'Succeeded')]);
  expect(complaints).toEqual([]);
  await page.context().close();
}

export async function exportPayments(stack: TestStack, browser: Browser): Promise<void> {
  const { page, complaints } = await openDashboard(
    browser,
    stack,
    PEOPLE.support,
    '/payments?status=succeeded',
  );
  const devtools = await page.context().newCDPSession(page);
  const [offline, latency] = [false, 1_000];
  const unlimited = { downloadThroughput: -1, uploadThroughput: -1 };
  await devtools.send('Network.emulateNetworkConditions', { offline, latency, ...unlimited });
  const downloaded = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  await page.locator('button[aria-busy=true]', { hasText: 'kB' }).waitFor();
  const download = await downloaded;
  expect(download.suggestedFilename()).toMatch(/^harbour-coffee-payments-20\d\d-\d\d-\d\d\.csv$/);
  const [head, ...rows] = (await readFile(await download.path(), 'utf8')).trimEnd().split('\r\n');
  expect(head).toMatch(/^\ufeffID,Created \([\w/]+\),Date,Status,Amount,Refunded,/);
  const payments: readonly { id: string; status: string }[] = (await call(stack, 'GET', '/v1/payments')).body
    .data;
  const ids = payments.filter(({ status }) => status === 'succeeded').map(({ id }) => id);
  expect(rows).toHaveLength(ids.length);
  for (const id of ids)
    expect(rows).toContainEqual(
      expect.stringMatching(
        new RegExp(`^${id},\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d,\\d{4}-\\d\\d-\\d\\d,Succeeded,`),
      ),
    );
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const stopped = page.waitForEvent('requestfailed', (request) => request.url().includes('/exports/'));
  await page.getByRole('button', { name: 'Cancel', exact: true }).click();
  await stopped;
  await page.getByRole('button', { name: 'Export CSV' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
}

/** Rows of today disappear from a period that begins tomorrow. */
export async function narrowToDays(stack: TestStack, browser: Browser): Promise<void> {
  const { page } = await openDashboard(browser, stack, PEOPLE.owner, '/');
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  for (const list of ['customers', 'webhooks/events', 'audit']) {
    await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/sandbox/${list}`);
    await page.locator('tbody tr').first().waitFor();
    await page.getByLabel('From').fill(tomorrow);
    await page.getByText('Nothing matches these filters').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.locator('tbody tr').first().waitFor();
  }
  await page.context().close();
}

/** The two zones are 25 hours apart, so they never have the same date. */
export async function readFromAnotherZone(stack: TestStack, browser: Browser): Promise<void> {
  const [merchants, persons] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
  const email = 'read.from.afar@example.com';
  const { body } = await asOwner(stack, 'PATCH', '/settings', { time_zone: merchants });
  expect(body).toMatchObject({ time_zone: merchants });
  await buy(stack, { email });
  const { page } = await openDashboard(browser, stack, PEOPLE.owner, '/payments', { timezoneId: persons });
  await page.getByText(`Time zone: ${merchants}`).waitFor();
  const row = page.locator('tbody tr', { hasText: email });
  const time = row.locator('time');
  const at = await time.getAttribute('datetime');
  const shownIn = (timeZone: string, locale: string, dateStyle: 'medium' | 'short') =>
    new Intl.DateTimeFormat(locale, { dateStyle, timeZone }).format(new Date(at ?? ''));
  const date = shownIn(merchants, 'en-IE', 'medium');
  expect(await time.getAttribute('title')).toContain(date);
  const pick = async (day: string) => {
    await page.getByLabel('From').fill(day);
    await page.getByLabel('To').fill(day);
    await page.waitForFunction(() => !document.querySelector('.loading'));
  };
  await pick(shownIn(persons, 'sv', 'short'));
  await row.waitFor({ state: 'detached' });
  await pick(shownIn(merchants, 'sv', 'short'));
  await row.click();
  await page.locator('.timeline').getByText(date).first().waitFor();
  await asOwner(stack, 'PATCH', '/settings', { time_zone: 'UTC' });
  await page.context().close();
}
