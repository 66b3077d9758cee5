/** The shop in a real browser: the live list, the return page's proof, and accessibility. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';
import { DESKTOP, launchBrowser, newBuyer, PHONE } from '../../support/stack/browser.ts';
import { event, type OpenShop, openShop } from './open-shop.ts';

let api: TestApi;
let merchant: Shop;
let shop: OpenShop;
let browser: Browser;

beforeAll(async () => {
  api = await startTestApi();
  merchant = await insertShop(api.pool);
  shop = await openShop({ apiUrl: api.url, apiKey: merchant.apiKey, products: merchant.products });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  await shop?.close();
  await api?.stop();
});

async function open(path: string, viewport = DESKTOP) {
  const buyer = await newBuyer(browser, viewport);
  await buyer.page.goto(shop.url + path);
  await buyer.page.locator('.live.on').waitFor();
  return buyer;
}

async function complaintsOfAxe(page: Page): Promise<unknown[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (window as unknown as { axe: typeof axe }).axe.run(document),
  );
  return violations;
}

describe.each([
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
])('on %s', (_name, viewport) => {
  test('the storefront fits the screen and axe finds no violation', async () => {
    await shop.deliver(event('payment.failed'));
    const { page, complaints, context } = await open('/', viewport);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
    expect(await complaintsOfAxe(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await context.close();
  });
});

test('a verified webhook appears in the list without a reload, newest first', async () => {
  const { page, context } = await open('/');
  await shop.deliver(event('invoice.created'));
  const sent = event('payment.succeeded', {
    payment: { id: 'ap_pay_newest', rail: 'sandbox', status: 'succeeded' },
  });
  await shop.deliver(sent);
  const newest = page.locator('[data-events] > li').first();
  await newest.getByText('ap_pay_newest', { exact: true }).waitFor();
  expect(await newest.locator('.type').textContent()).toBe('payment.succeeded');
  await newest.locator('summary').click();
  expect(JSON.parse((await newest.locator('pre').textContent()) ?? '')).toEqual(sent);
  await context.close();
});

describe('the return page', () => {
  const since = () => encodeURIComponent(new Date().toISOString());

  async function comeBack(path: string) {
    const opened = await open(path);
    const purchase = opened.page.locator('[data-awaits]');
    const about = {
      customer: {
        id: 'ap_cus_1',
        external_customer_id: await purchase.getAttribute('data-customer'),
        email: null,
      },
      product: { id: await purchase.getAttribute('data-product'), external_reference: null },
    };
    return { ...opened, about, proof: opened.page.locator('[data-proof]') };
  }

  test('shows "paid" once the webhook of this purchase has arrived', async () => {
    const { page, proof, about, context } = await comeBack(`/thanks?product=oneTime&since=${since()}`);
    const others = { ...about.customer, external_customer_id: 'visitor-of-another' };
    await shop.deliver(event('payment.succeeded', { ...about, customer: others }));
    await shop.deliver(event('payment.succeeded', { ...about, product: { id: 'ap_prod_other' } }));
    await page.waitForFunction(() => document.querySelectorAll('[data-events] .good').length >= 2);
    expect(await proof.getAttribute('data-proof')).toBe('waiting');
    await shop.deliver(event('payment.succeeded', about));
    await page.locator('[data-proof="good"]').waitFor();
    expect(await proof.textContent()).toContain('Paid: verified webhook received.');
    expect(await complaintsOfAxe(page)).toEqual([]);
    await context.close();
  });

  test('ignores a repeated delivery of an earlier purchase', async () => {
    const first = await comeBack(`/thanks?product=oneTime&since=${since()}`);
    const earlier = event('payment.succeeded', first.about);
    await shop.deliver(earlier);
    await first.page.locator('[data-proof="good"]').waitFor();
    // The same visitor buys again, and the earlier event is redelivered.
    await first.page.goto(`${shop.url}/thanks?product=oneTime&since=${since()}`);
    await first.page.locator('.live.on').waitFor();
    await shop.deliver(earlier, { attempt: 2 });
    await first.page.getByText('signature verified, attempt 2').first().waitFor();
    expect(await first.proof.getAttribute('data-proof')).toBe('waiting');
    await first.context.close();
  });

  test('recognises a trial by subscription.created and a failure by payment.failed', async () => {
    const trial = await comeBack(`/thanks?product=trial&since=${since()}`);
    await shop.deliver(event('subscription.created', trial.about));
    await trial.page.locator('[data-proof="good"]').waitFor();
    await trial.context.close();
    const failed = await comeBack(`/sorry?product=oneTime&since=${since()}`);
    await shop.deliver(event('payment.failed', failed.about));
    await failed.page.locator('[data-proof="bad"]').waitFor();
    await failed.context.close();
  });
});
