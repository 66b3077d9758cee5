/** A person at the dashboard of a running stack, logged in by a click at the development provider. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestStack } from '../support/stack.ts';

export interface DashboardVisit {
  readonly page: Page;
  /** What the console and the content security policy complained about. */
  readonly complaints: readonly string[];
}

/** @param path below the demo merchant's sandbox */
export async function openDashboard(
  browser: Browser,
  { dashboardUrl, merchant }: Pick<TestStack, 'dashboardUrl' | 'merchant'>,
  person: string,
  path: string,
  options: BrowserContextOptions = {},
): Promise<DashboardVisit> {
  const context = await browser.newContext({ locale: 'en-IE', ...options });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${dashboardUrl}/${merchant.id}/sandbox${path}`);
  await page.click(`button[value="${person}"]`);
  await page.waitForSelector('.page-head');
  return { page, complaints };
}
