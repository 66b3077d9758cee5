/**
 * A real Chromium, headless.
 * @needs browser
 */
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };

export function launchBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM;
  if (!executablePath) throw new Error('CHROMIUM is not set: run the tests with "npm test".');
  return chromium.launch({
    executablePath,
    headless: true,
    args: FLAGS,
  });
}

export interface BuyerBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The page's problems: script errors and violations of the content security policy. */
  readonly complaints: string[];
}

/** A buyer's browser with fresh cookies and storage. */
export async function newBuyer(browser: Browser, viewport = DESKTOP): Promise<BuyerBrowser> {
  const phone = viewport.width < 600;
  const context = await browser.newContext({
    viewport,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    deviceScaleFactor: phone ? 2 : 1,
    isMobile: phone,
    hasTouch: phone,
    // Spinners would be painted sixty times a second while tests wait.
    reducedMotion: 'reduce',
  });
  // The default of 30 s is short for a machine that is busy with something else.
  context.setDefaultTimeout(60_000);
  const page = await context.newPage();
  return { context, page, complaints: listenForComplaints(page) };
}

function listenForComplaints(page: Page): string[] {
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (/Content Security Policy|Refused to/i.test(message.text())) complaints.push(message.text());
  });
  return complaints;
}
