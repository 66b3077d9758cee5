/**
 * A real Chromium, headless.
 * @needs browser
 */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Draws letters the same on every machine, whatever its preferences. */
const SAME_LETTERS = ['--font-render-hinting=none', '--disable-lcd-text', '--force-color-profile=srgb'];
/** The fonts of the invoices, which the project contains anyway. */
const FONTS = join(PROJECT_DIR, 'api/invoice/pdf/fonts');

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };

/** @param fonts `own`: only the project's font, for pictures that are compared */
export function launchBrowser({ fonts }: { readonly fonts?: 'own' } = {}): Promise<Browser> {
  const executablePath = process.env.CHROMIUM;
  if (!executablePath) throw new Error('CHROMIUM is not set: run the tests with "npm test".');
  return chromium.launch({
    executablePath,
    headless: true,
    args: fonts ? [...FLAGS, ...SAME_LETTERS] : FLAGS,
    ...(fonts && { env: { ...process.env, FONTCONFIG_FILE: writeFontConfig() } }),
  });
}

function writeFontConfig(): string {
  const directory = mkdtempSync(join(tmpdir(), 'checkout-fonts-'));
  const file = join(directory, 'fonts.conf');
  const cache = `<cachedir>${directory}</cachedir>`;
  writeFileSync(file, `<fontconfig><dir>${FONTS}</dir>${cache}</fontconfig>`);
  return file;
}

export interface BuyerBrowser {
  readonly context: BrowserContext;
  readonly page: Page;
  /** The page's problems: script errors and violations of the content security policy. */
  readonly complaints: string[];
}

/**
 * A buyer's browser with fresh cookies and storage.
 * @param proxy an HTTP proxy's address
 */
export async function newBuyer(browser: Browser, viewport = DESKTOP, proxy?: string): Promise<BuyerBrowser> {
  const phone = viewport.width < 600;
  const context = await browser.newContext({
    viewport,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    deviceScaleFactor: phone ? 2 : 1,
    isMobile: phone,
    hasTouch: phone,
    // Otherwise spinners would be painted sixty times a second while tests wait.
    reducedMotion: 'reduce',
    ...(proxy && { proxy: { server: proxy } }),
  });
  // The default of 30 s is too short for a busy machine.
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
