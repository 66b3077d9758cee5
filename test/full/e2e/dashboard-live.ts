/** An open page updates by itself, and exports a file. */
import { readFile } from 'node:fs/promises';
import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { openDashboard, PEOPLE } from '../../e2e/dashboard.ts';
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
  expect(download.suggestedFilename()).toBe('harbour-coffee-payments.csv');
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
