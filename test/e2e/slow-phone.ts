/** Opens the hosted page as if on a phone with a slow connection and an empty cache. */
import type { Browser, CDPSession, Page } from 'playwright-core';

/** Lighthouse's "slow 4G": 1.6 Mbit/s, 150 ms per round trip. */
const CONNECTION = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };

export interface Visit {
  /** All responses of the page and of the card fields' frame, compressed, with their headers. */
  readonly bytes: number;
  /** Time since the navigation began. */
  readonly firstPaintMs: number;
  readonly fieldsReadyMs: number;
  /** CPU time of the page's main thread until then, excluding the measurement itself. */
  readonly mainThreadMs: number;
  /** Length of the chain of requests that ends with the card fields' document: each waits for the one before. */
  readonly roundTrips: number;
  /** Cumulative layout shift (web.dev/cls): 0 if nothing moved. */
  readonly layoutShift: number;
}

/** @param hostedUrl of a session that has not been opened yet */
export async function visitSlowly(browser: Browser, hostedUrl: string): Promise<Visit> {
  const context = await browser.newContext(PHONE);
  try {
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    const bytes = await countBytes(devtools);
    const roundTrips = countRoundTrips(devtools);
    await devtools.send('Network.emulateNetworkConditions', CONNECTION);
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.addInitScript(keepLayoutShifts);
    await page.goto(hostedUrl, { waitUntil: 'commit' });
    const number = page.frameLocator('iframe[title*="Card details"]').getByLabel('Card number');
    await number.waitFor();
    const fieldsReadyMs = await page.evaluate(() => performance.now());
    const mainThreadMs = await mainThreadTime(devtools);
    // Waits, so that late loads and layout shifts count as well.
    await page.waitForLoadState('networkidle');
    return {
      ...(await paintOf(page)),
      fieldsReadyMs,
      mainThreadMs,
      roundTrips: roundTrips(),
      bytes: bytes(),
    };
  } finally {
    await context.close();
  }
}

async function mainThreadTime(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const secondsOf = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return (secondsOf('ThreadTime') - secondsOf('DevToolsCommandDuration')) * 1_000;
}

async function countBytes(devtools: CDPSession): Promise<() => number> {
  let sum = 0;
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => (sum += encodedDataLength));
  await devtools.send('Network.enable');
  return () => sum;
}

/** A request by a document or a script, and a frame's document, is one round trip deeper than its initiator. */
function countRoundTrips(devtools: CDPSession): () => number {
  const depths = new Map<string, number>();
  let toFields = Number.NaN;
  devtools.on('Network.requestWillBeSent', ({ request, initiator, type }) => {
    const askedBy = initiator.url ?? initiator.stack?.callFrames[0]?.url ?? '';
    const depth = (depths.get(askedBy) ?? 0) + 1;
    depths.set(request.url, depth);
    if (type === 'Document') toFields = depth;
  });
  return () => toFields;
}

function keepLayoutShifts(): void {
  Reflect.set(window, 'layoutShift', 0);
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, hadRecentInput } = entry as unknown as { value: number; hadRecentInput: boolean };
      if (!hadRecentInput) Reflect.set(window, 'layoutShift', Reflect.get(window, 'layoutShift') + value);
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

function paintOf(page: Page): Promise<Pick<Visit, 'firstPaintMs' | 'layoutShift'>> {
  return page.evaluate(() => ({
    firstPaintMs: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? Number.NaN,
    layoutShift: Reflect.get(window, 'layoutShift') as number,
  }));
}
