/** A person in the dashboard of a running stack, logged in with a click at the development provider. */
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import type { TestStack } from '../support/stack/stack.ts';
import type { HttpAnswer } from '../support/stack/stack-subscriptions.ts';

export const PEOPLE = {
  owner: 'olivia@harbour-coffee.example',
  developer: 'dan@harbour-coffee.example',
  support: 'sue@harbour-coffee.example',
  platform: 'paul@checkout.example',
} as const;

/** Buttons that support may press: they read, copy or navigate. */
const HARMLESS = /^(Skip to content|Menu|Log out|Copy .*|Newest|Older|Export CSV|Clear filters|)$/;

export interface DashboardVisit {
  readonly page: Page;
  /** Messages of the console and violations of the content security policy. */
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
  const context = await browser.newContext({ locale: 'en-IE', timezoneId: 'UTC', ...options });
  // The default of 30 s is too short for a busy machine.
  context.setDefaultTimeout(60_000);
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

/** Calls a route under the demo merchant with the token of its owner. */
export async function asOwner(
  stack: Pick<TestStack, 'apiUrl' | 'merchant' | 'ownerToken'>,
  method: string,
  path: string,
  body?: object,
): Promise<HttpAnswer> {
  const response = await fetch(`${stack.apiUrl}/v1/merchants/${stack.merchant.id}${path}`, {
    method,
    headers: { authorization: `Bearer ${await stack.ownerToken()}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

/** Buttons that support must not see. */
export async function harmfulButtons(page: Page): Promise<readonly string[]> {
  const names = await page
    .locator('button')
    .evaluateAll((buttons) =>
      buttons.map((each) => each.getAttribute('aria-label') ?? each.textContent ?? ''),
    );
  return names
    .map((name) => name.replace(/(olivia|dan|sue|paul|rita)@.*/, '').trim())
    .filter((name) => !HARMLESS.test(name));
}

/** Pixels by which the page scrolls sideways. */
export function overflowPx(page: Page): Promise<number> {
  return page.evaluate(() => Math.max(0, document.documentElement.scrollWidth - innerWidth));
}

/** Texts that end outside their element or the viewport; ids beside a copy button may be truncated. */
export function cutTexts(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const isShown = (element: Element) =>
      element.checkVisibility() && !element.closest('.visually-hidden, .skip, thead, .copy, .id-link, svg');
    const textOf = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim());
    // Browsers do not report that a select truncates its option; its padding and arrow take 40 px.
    const cutsOption = (element: Element) => {
      const { font, opacity } = getComputedStyle(element);
      const context = new OffscreenCanvas(1, 1).getContext('2d');
      if (!(element instanceof HTMLSelectElement) || opacity === '0' || !context) return false;
      context.font = font;
      const { width } = context.measureText(element.selectedOptions[0]?.text ?? '');
      return width > element.clientWidth - 40;
    };
    const isCut = (element: Element) => {
      const { left, right } = element.getBoundingClientRect();
      // Browsers report a client width of 0 for inline elements.
      const spills = element.clientWidth > 0 && element.scrollWidth > element.clientWidth;
      return spills || cutsOption(element) || left < 0 || right > innerWidth + 1;
    };
    const within = document.querySelector('dialog:modal') ?? document.querySelector('main') ?? document.body;
    return [...within.querySelectorAll('*')]
      .filter(
        (element) =>
          (textOf(element) || element.matches('.table, select, .button')) &&
          isShown(element) &&
          isCut(element),
      )
      .map((element) => `${element.tagName} ${element.className} ${element.textContent?.slice(0, 60)}`);
  });
}
