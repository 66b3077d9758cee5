/** The branding preview is the hosted page: it follows the input immediately, and is harmless. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from '@jest/globals';
import type { Browser, Frame, Page } from 'playwright-core';
import { asOwner, openDashboard, PEOPLE } from '../../e2e/dashboard.ts';
import { atBest } from '../../support/core/at-best.ts';
import { eventually } from '../../support/core/eventually.ts';
import type { TestStack } from '../../support/stack/stack.ts';

const previews = (page: Page) => page.frames().filter((each) => each.url().includes('/pay/preview/'));
const lookOf = (frame: Frame) =>
  frame.evaluate(() => ({
    color: getComputedStyle(document.documentElement).getPropertyValue('--brand'),
    button: getComputedStyle(document.querySelector('.pay-form .pay') as Element).backgroundColor,
    name: document.querySelector('.merchant-name')?.textContent,
  }));

export async function previewBranding(stack: TestStack, browser: Browser): Promise<void> {
  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, '/branding');
  await page.getByLabel('Name').waitFor();
  const saved = (await asOwner(stack, 'GET', '')).body;
  const type = async (name: string, color: string) => {
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Colour').fill(color);
    const typed = performance.now();
    await eventually(async () => {
      const looks = await Promise.all(previews(page).map(lookOf));
      expect(looks.map((each) => [each.name, each.color])).toEqual([
        [name, color],
        [name, color],
      ]);
    });
    return performance.now() - typed;
  };
  let round = 0;
  const shownMs = await atBest(1_000, () => {
    round += 1;
    return type(`Harbour ${round}`, `#aa000${round}`);
  });
  expect(shownMs).toBeLessThan(1_000);
  await page.getByLabel('Colour').fill('#aa00');
  await page.getByText('Enter a colour such as').waitFor();
  expect((await lookOf(previews(page)[0] as Frame)).color).toBe(`#aa000${round}`);

  const styles = await Promise.all(
    previews(page).map((each) => each.locator('link[rel=stylesheet]').getAttribute('href')),
  );
  const { hostedUrl } = await stack.createCheckout(stack.products.oneTime);
  await page
    .context()
    .newPage()
    .then(async (buyer) => {
      await buyer.goto(hostedUrl);
      const href = await buyer.locator('link[rel=stylesheet]').getAttribute('href');
      expect(styles).toEqual([href, href]);
    });
  expect((await asOwner(stack, 'GET', '')).body).toEqual({ ...saved, request_id: expect.any(String) });
  expect(complaints).toEqual([]);
  await page.context().close();
}

export async function attackThroughPreview(stack: TestStack, browser: Browser): Promise<void> {
  const { page } = await openDashboard(browser, stack, PEOPLE.owner, '/branding');
  const name = `"><img src=x onerror="top.hacked=1"></script><script>top.hacked=1</script>`;
  await page.getByLabel('Name').fill(name);
  await eventually(async () => {
    expect((await Promise.all(previews(page).map(lookOf))).map((each) => each.name)).toEqual([name, name]);
  });
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);

  const [frame] = previews(page) as [Frame];
  const sent: string[] = [];
  page.on('request', (request) => sent.push(`${request.method()} ${request.frame().url()}`));
  await frame
    .locator('.pay-form .pay')
    .click({ force: true, timeout: 2_000 })
    .catch(() => {});
  await frame.evaluate(() => document.querySelector('form')?.requestSubmit());
  const tried = await frame.evaluate(async () => ({
    origin,
    fetched: await fetch('/healthz').then(
      () => 'sent',
      () => 'refused',
    ),
    storage: (() => {
      try {
        return String(sessionStorage.length);
      } catch {
        return 'refused';
      }
    })(),
    around: (() => {
      try {
        return top?.document.title ?? '';
      } catch {
        return 'refused';
      }
    })(),
    inert: document.querySelector('form')?.closest('[inert]') !== null,
    foreign: await new Promise((resolve) => {
      const script = document.createElement('script');
      script.onload = () => resolve('ran');
      script.onerror = () => resolve('refused');
      script.src = 'data:text/javascript,';
      document.head.append(script);
    }),
  }));
  expect(tried).toEqual({
    origin: 'null',
    fetched: 'refused',
    storage: 'refused',
    around: 'refused',
    inert: true,
    foreign: 'refused',
  });
  expect(sent.filter((each) => each.startsWith('POST'))).toEqual([]);

  const { hostedUrl } = await stack.createCheckout(stack.products.oneTime);
  const framed = await framedElsewhere(browser, [frame.url(), hostedUrl]);
  expect(framed.filter((each) => !each.startsWith('chrome-error:'))).toEqual([]);
  await page.context().close();
}

/** @returns the addresses of the frames of a page on another origin */
async function framedElsewhere(browser: Browser, urls: readonly string[]): Promise<readonly string[]> {
  const frames = urls.map((url) => `<iframe src="${url}"></iframe>`).join('');
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(frames);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const page = await browser.newPage();
  try {
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
    return page
      .mainFrame()
      .childFrames()
      .map((each) => each.url());
  } finally {
    await page.close();
    server.close();
  }
}
