/**
 * `npm run docs -- --serve` as its user runs it: the build fails on a broken link. Then the site as its readers see it,
 * in light and dark, on a phone and on a desktop.
 */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { type Part, startForeignPart } from '../../../sandbox/stack/process/part.ts';
import { violationsOf } from '../../support/stack/axe.ts';
import { DESKTOP, launchBrowser, PHONE } from '../../support/stack/browser.ts';

let out: string;
let command: Part;
let site: string;
let browser: Browser;

beforeAll(async () => {
  out = await mkdtemp(join(tmpdir(), 'docs-site-'));
  const repository = 'https://code.example/tree/main';
  const options = [
    '--out',
    out,
    '--base',
    '/handbook/',
    '--repository',
    repository,
    '--serve',
    '--port',
    '0',
  ];
  const { promise: served, resolve, reject } = Promise.withResolvers<string>();
  command = startForeignPart({
    name: 'docs',
    command: process.execPath,
    args: [join(PROJECT_DIR, 'tools/docs.ts'), ...options],
    onLine: (line) => {
      const url = /^Served at (\S+)$/.exec(line)?.[1];
      if (url) resolve(url);
    },
  });
  void command.exited.then(() => reject(new Error(command.lastLines().join('\n'))));
  site = await served;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await command?.stop();
  await rm(out, { recursive: true, force: true });
});

const page = (path: string) => readFile(join(out, path), 'utf8');

test('the site has a page for each document of docs/, with its headings', async () => {
  const documents = (await readdir(join(PROJECT_DIR, 'docs'))).filter((name) => /\.md$/.test(name));
  for (const name of documents.filter((name) => name !== 'plan.md'))
    expect(await page(name.replace('.md', '.html'))).toContain('<h1');
  expect(await page('decisions/0009-local-activities-for-writes-only.html')).toContain('Alternatives');
});

test('the site begins with the quick start, under the requested path', async () => {
  const start = await page('index.html');
  expect(start).toContain('npm start');
  expect(start).toContain('href="/handbook/operations.html"');
  expect(start).toContain('https://code.example/tree/main/');
  expect(start).toMatch(/<img[^>]+src="\/handbook\/assets\/form-390\.[^"]+"/);
});

test('the site can be searched without a server', async () => {
  const chunks = await readdir(join(out, 'assets/chunks'));
  const [index = ''] = chunks.filter((name) => name.startsWith('@localSearchIndexroot'));
  expect(await page(`assets/chunks/${index}`)).toContain('reconciliation_required');
});

test('the site has the API reference', async () => {
  expect(await page('reference/index.html')).toContain('swagger-ui-bundle.js');
  expect(JSON.parse(await page('reference/openapi.json')).paths).toHaveProperty('/v1/checkouts');
  expect(await page('reference/docs/start.js')).toContain('openapi.json');
});

type Scheme = 'light' | 'dark';

async function reader(
  colorScheme: Scheme,
  viewport: { readonly width: number; readonly height: number },
  run: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await browser.newContext({
    colorScheme,
    viewport,
    isMobile: viewport.width < 600,
    reducedMotion: 'reduce',
  });
  // The default of 30 s is too short for a busy machine.
  context.setDefaultTimeout(60_000);
  const tab = await context.newPage();
  const errors: string[] = [];
  tab.on('pageerror', (error) => errors.push(String(error)));
  await run(tab);
  expect(errors).toEqual([]);
  await context.close();
}

/** Waits until VitePress has hydrated: before, its switch and its search do nothing. */
async function open(tab: Page, path: string): Promise<void> {
  await tab.goto(site + path);
  await tab.waitForFunction(() =>
    Boolean(document.querySelector<HTMLElement & { __vue_app__?: object }>('#app')?.__vue_app__),
  );
}

/** The background of the page's text. */
const darkness = (tab: Page): Promise<Scheme> =>
  tab.evaluate(() => {
    const painted = [document.body, document.documentElement]
      .map((element) => getComputedStyle(element).backgroundColor)
      .find((colour) => colour !== 'rgba(0, 0, 0, 0)');
    const [red = 255, green = 255, blue = 255] = painted?.match(/\d+/g)?.map(Number) ?? [];
    return red + green + blue < 3 * 128 ? 'dark' : 'light';
  });

/** Before the switch, the API reference follows the system too: the legibility tests cover that. */
test('site and API reference follow the system’s light or dark mode until the reader switches it', async () => {
  for (const [system, other] of [
    ['light', 'dark'],
    ['dark', 'light'],
  ] as const) {
    await reader(system, DESKTOP, async (tab) => {
      await open(tab, 'webhooks.html');
      expect(await darkness(tab)).toBe(system);
      await tab.locator('.VPNavBarAppearance button').click();
      expect(await darkness(tab)).toBe(other);
      await open(tab, 'operations.html');
      expect(await darkness(tab)).toBe(other);
      await openReference(tab);
      expect(await darkness(tab)).toBe(other);
    });
  }
  // The reference is laid out twice, which takes a minute on a busy machine.
}, 400_000);

async function openReference(tab: Page): Promise<void> {
  await tab.goto(`${site}reference/index.html`);
  await tab.locator('.opblock').first().waitFor();
}

/**
 * Parts built by VitePress and Swagger UI: the groups of the sidebar, the label of the search, lists of
 * operations.
 */
const THEIRS =
  /(nested-interactive|label-content-name-mismatch|select-name|target-size|heading-order|landmark-\S+|region):/;
/** Pages that together have code in each language, wide tables, images and the diagram. */
const PAGES = [
  'index.html',
  'one-off-payments.html',
  'webhooks.html',
  'configuration.html',
  'architecture.html',
  'dashboard.html',
  'packages/python.html',
];

test.each([
  ['light', PHONE],
  ['light', DESKTOP],
  ['dark', DESKTOP],
] as const)(
  '%s, at %j: all text is legible, and nothing is wider than the screen',
  async (scheme, viewport) => {
    await reader(scheme, viewport, async (tab) => {
      for (const path of [...PAGES, 'reference/index.html']) {
        if (path.startsWith('reference')) await openReference(tab);
        else await open(tab, path);
        expect(await darkness(tab)).toBe(scheme);
        const which = scheme === 'light' ? 'all' : 'colours';
        const found = (await violationsOf(tab, which)).filter((violation) => !THEIRS.test(violation));
        expect({ path, found, tooWide: await tab.evaluate(widerThanTheScreen) }).toEqual({
          path,
          found: [],
          tooWide: [],
        });
      }
    });
  },
);

/** Elements wider than the screen that are not in a scrolling box, and the page itself if it is wider. */
function widerThanTheScreen(): readonly string[] {
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    element !== document.body &&
    (['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowX) ||
      scrolls(element.parentElement));
  const sticksOut = [...document.querySelectorAll('main *')].filter((element) => {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (right > innerWidth + 1 || left < -1) && !scrolls(element);
  });
  const page =
    document.documentElement.scrollWidth > innerWidth
      ? [`the page: ${document.documentElement.scrollWidth}`]
      : [];
  return [
    ...page,
    ...sticksOut.map(({ tagName, textContent }) => `${tagName}: ${textContent?.slice(0, 40)}`),
  ];
}

test.each([PHONE, DESKTOP])('the search finds a page by a word in it, at %j', async (viewport) => {
  await reader('dark', viewport, async (tab) => {
    await open(tab, 'index.html');
    await tab.locator('.VPNavBarSearch button').first().click();
    await tab.locator('.VPLocalSearchBox input').fill('reconciliation_required');
    const first = tab.locator('.VPLocalSearchBox .result').first();
    await first.waitFor();
    expect((await violationsOf(tab)).filter((violation) => violation.includes('color-contrast'))).toEqual([]);
    await first.click();
    await tab.waitForURL(/\/handbook\/(?!index)[\w-]+\.html/);
    await tab.locator('main', { hasText: 'reconciliation_required' }).waitFor();
  });
});

test('code is syntax-highlighted, and long lines scroll in their box', async () => {
  await reader('dark', PHONE, async (tab) => {
    await open(tab, 'webhooks.html');
    for (const language of ['js', 'python', 'php', 'go', 'ruby']) {
      const block = tab.locator(`div.language-${language}`).first();
      const { colours, wraps, scrolls } = await block.evaluate((box) => {
        const lines = [...box.querySelectorAll('.line span')];
        const code = box.querySelector('pre');
        return {
          colours: new Set(lines.map((span) => getComputedStyle(span).color)).size,
          wraps: code && getComputedStyle(code.querySelector('code') ?? code).whiteSpace !== 'pre',
          scrolls: code && getComputedStyle(code).overflowX === 'auto',
        };
      });
      expect({ language, colours: colours >= 3, wraps, scrolls }).toEqual({
        language,
        colours: true,
        wraps: false,
        scrolls: true,
      });
    }
  });
});
