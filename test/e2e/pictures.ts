/**
 * Pictures of the dashboard's pages, compared with those of test/e2e/screenshots; `SCREENSHOTS=1` takes new
 * ones. All machines draw them the same: the browser has one font (`launchBrowser`), and values that differ
 * between runs are replaced.
 */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

const KEPT = join(PROJECT_DIR, 'test/e2e/screenshots');
const TAKE_ANEW = Boolean(process.env.SCREENSHOTS);
/** Where a differing picture is written, next to one that marks the differing pixels. */
const FAILED = join(tmpdir(), 'hosted-checkout-screenshots');
/** Edges of letters differ between versions of Chromium; two more pixels of padding change 1 % or more. */
const TOLERATED_SHARE = 0.003;

/**
 * Pages whose row order depends on when deliveries or the sweep ended; their rows are sorted by text before drawing.
 */
const IN_ANY_ORDER = /^(endpoint|subject)-/;

/**
 * Takes the picture, and compares it unless a new one is to be kept.
 * @param part of the page; if absent, the whole page
 * @returns the difference; null if there is none
 */
export async function comparePicture(
  browser: Browser,
  page: Page,
  name: string,
  part?: Locator,
): Promise<string | null> {
  const file = `dashboard-${name}.png`;
  await page.evaluate(replaceWhatDiffers, IN_ANY_ORDER.test(name));
  const viewport = await showFrames(page);
  const how = { scale: 'css', animations: 'disabled', caret: 'hide' } as const;
  const taken = await (part ? part.screenshot(how) : page.screenshot({ ...how, fullPage: true }));
  if (viewport) await page.setViewportSize(viewport);
  if (TAKE_ANEW) {
    await mkdir(KEPT, { recursive: true });
    await writeFile(join(KEPT, file), taken);
    return null;
  }
  if (!existsSync(join(KEPT, file))) return `${file}: no reference picture`;
  const kept = await readFile(join(KEPT, file));
  if (kept.equals(taken)) return null;
  const { share, sizes, marked } = await differenceOf(browser, kept, taken);
  if (marked === null) return null;
  await mkdir(FAILED, { recursive: true });
  await writeFile(join(FAILED, file), taken);
  await writeFile(join(FAILED, `marked-${file}`), Buffer.from(marked, 'base64'));
  return `${file}: ${(share * 100).toFixed(2)} % of the pixels differ (${sizes}); compare them in ${FAILED}`;
}

/**
 * The browser does not draw a frame outside the viewport, so this enlarges it.
 * @returns the size to restore, if there is a frame
 */
async function showFrames(page: Page): Promise<{ width: number; height: number } | null> {
  const viewport = page.viewportSize();
  if (!viewport || (await page.locator('iframe').count()) === 0) return null;
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ ...viewport, height });
  for (const frame of page.frames())
    await frame.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 100))));
  return viewport;
}

interface Difference {
  readonly share: number;
  readonly sizes: string;
  /** A PNG in base64: the page in grey, differences in red. Null if the difference is tolerated. */
  readonly marked: string | null;
}

/** The browser decodes and compares them. */
async function differenceOf(browser: Browser, kept: Buffer, taken: Buffer): Promise<Difference> {
  const page = await browser.newPage();
  try {
    return await page.evaluate(compareInBrowser, [
      kept.toString('base64'),
      taken.toString('base64'),
      TOLERATED_SHARE,
    ] as const);
  } finally {
    await page.close();
  }
}

async function compareInBrowser([one, other, tolerated]: readonly [
  string,
  string,
  number,
]): Promise<Difference> {
  const decode = async (base64: string) =>
    createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
  const [kept, taken] = await Promise.all([decode(one), decode(other)]);
  const width = Math.max(kept.width, taken.width);
  const height = Math.max(kept.height, taken.height);
  const pixelsOf = (image: ImageBitmap) => {
    const context = new OffscreenCanvas(width, height).getContext('2d');
    if (!context) throw new Error('no canvas');
    context.drawImage(image, 0, 0);
    return context.getImageData(0, 0, width, height);
  };
  const [before, after] = [pixelsOf(kept), pixelsOf(taken)];
  let differing = 0;
  for (let at = 0; at < before.data.length; at += 4) {
    const channel = (nth: number) => Math.abs((before.data[at + nth] ?? 0) - (after.data[at + nth] ?? 0));
    const differs = Math.max(channel(0), channel(1), channel(2), channel(3)) > 40;
    if (differs) differing += 1;
    const grey = 128 + ((after.data[at] ?? 0) >> 1);
    after.data.set(differs ? [220, 0, 0, 255] : [grey, grey, grey, 255], at);
  }
  const share = differing / (width * height);
  const sizes = `${kept.width}x${kept.height} kept, ${taken.width}x${taken.height} now`;
  if (share <= tolerated) return { share, sizes, marked: null };
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width, height });
  canvas.getContext('2d')?.putImageData(after, 0, 0);
  return { share, sizes, marked: canvas.toDataURL('image/png').split(',')[1] ?? '' };
}

/** Ids, times, dates and ports, as text and in fields. */
function replaceWhatDiffers(inAnyOrder: boolean): void {
  const fixed = (text: string) =>
    text
      .replace(
        /\b(ap_[a-z]+|ch|re|dp|pi|cus|pm|key|whsec|evt)_[0-9a-zA-Z_-]{8,}/g,
        '$1_01a2b3c4d5e6f708192a3b4c5d6e7f80',
      )
      .replace(/\b(customer|order)-[0-9a-f]{10,}/g, '$1-566924c6e0f3')
      .replace(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '01a2b3c4-0000-7000-8000-000000000000')
      .replace(/\b(ap_(?:test|live)_[….]+)\w{4}\b/g, '$12c3d')
      .replace(/(127\.0\.0\.1|localhost):\d+/g, '$1:8080')
      .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '2026-05-15T12:00:00.000Z')
      .replace(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, '2026-05-15 12:00 UTC')
      .replace(/\d[\d,.]* ms\b/g, '12 ms')
      .replace(/\d{1,2} (Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec) \d{4}/g, '15 May 2026')
      .replace(/\d\d:\d\d:\d\d/g, '12:00:00')
      .replace(/\b20\d\d-(\d{6})\b/g, '2026-$1')
      .replace(/\b(\d+ (second|minute)s? ago|in \d+ (second|minute)s?)\b/g, '1 minute ago')
      // Only as a value, not the word within a sentence.
      .replace(/^now$/, '1 minute ago');
  const replaceAll = () => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.nodeValue ?? '';
      const replaced = fixed(text);
      if (replaced !== text) node.nodeValue = replaced;
    }
    for (const field of document.querySelectorAll('input')) {
      if (field.type === 'text' || field.type === 'url') field.value = fixed(field.value);
      if (field.type === 'date' && field.value) field.value = '2026-05-15';
      if (field.type === 'datetime-local' && field.value) field.value = '2026-05-15T12:00';
    }
  };
  replaceAll();
  const text = ({ textContent }: Element) => textContent ?? '';
  for (const list of inAnyOrder ? document.querySelectorAll('tbody, main ol, main ul') : [])
    list.append(...[...list.children].sort((one, other) => text(one).localeCompare(text(other))));
  // The page renders again each second; the observer replaces its text each time, before the browser draws it.
  const everything = { subtree: true, childList: true, characterData: true };
  new MutationObserver(replaceAll).observe(document.body, everything);
}
