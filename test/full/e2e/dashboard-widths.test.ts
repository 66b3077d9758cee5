/**
 * Every page and dialog at the widths of phones, tablets and desktops, in both languages, with text of
 * realistic length: nothing is cut off, nothing scrolls sideways. `GALLERY=<folder>` writes each as a
 * picture.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { asOwner, cutTexts, openDashboard, overflowPx, PEOPLE } from '../../e2e/dashboard.ts';
import { REAL_TEXTS } from '../../support/core/real-texts.ts';
import { launchBrowser } from '../../support/stack/browser.ts';
import { buy } from '../../support/stack/purchases.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';
import { call } from '../../support/stack/stack-subscriptions.ts';
import { closeDialog, OF_OWNER, OF_PLATFORM, replacePrice } from './dashboard-dialogs.ts';
import { germanOf } from './dashboard-german.ts';
import { creditNoteOf, fillDashboard, goTo, PAGES, type PageIds, pathOf } from './dashboard-pages.ts';

const WIDTHS = [320, 360, 390, 768, 1024, 1280, 1440];
const LOOKS = [
  { locale: 'en-IE', colorScheme: 'light' },
  { locale: 'de-DE', colorScheme: 'dark' },
] as const;

let stack: TestStack;
let browser: Browser;
let ids: PageIds;

beforeAll(async () => {
  stack = await startStack({ parts: ['rail', 'shop', 'api', 'worker', 'identity'], refunds: true });
  browser = await launchBrowser();
  ids = await fillDashboard(stack);
  const key = { environment: 'sandbox', name: REAL_TEXTS[0][0], expires_at: '2035-12-31T22:59:59Z' };
  expect((await asOwner(stack, 'POST', '/api-keys', key)).status).toBe(201);
  for (const [name, email] of REAL_TEXTS) {
    const { body: product } = await asOwner(stack, 'POST', '/products', { name, description: name });
    const price = { amount: 98_765, tax_rate: 19, billing_mode: 'one_time' };
    await asOwner(stack, 'POST', `/products/${product.id}/prices`, price);
    const request = { externalCustomerId: `kundennummer-${email}`, customer: { email, name } };
    const { id } = await buy(stack, { productId: product.id, email, request });
    if (name !== REAL_TEXTS[0][0]) continue;
    const checkout = (await asOwner(stack, 'GET', `/checkouts/${id}`)).body;
    const { payment_id: payment, customer_id: customer } = checkout;
    const refund = { paymentId: payment, amount: 1, reason: name };
    expect((await call(stack, 'POST', '/v1/refunds', refund)).status).toBe(201);
    const creditNote = await creditNoteOf(stack, payment);
    const { body: invoices } = await asOwner(stack, 'GET', `/search/invoices?environment=sandbox&q=${email}`);
    const invoice = invoices.data[0].id;
    ids = { ...ids, product: product.id, checkout: id, customer, payment, creditNote, invoice };
    const plan = await offerPlans();
    await subscribeWithCoupon(plan, { product: product.id, email, request });
  }
}, 240_000);
afterAll(async () => {
  await browser?.close();
  await stack?.stop();
});

/** An offering with a plan for each real text, sold in quantities. @returns the first plan's id */
async function offerPlans(): Promise<string> {
  const recurring = { interval: 'month' };
  const monthly = { amount: 98_765, tax_rate: 19, billing_mode: 'recurring', recurring };
  const plan_ids: string[] = [];
  for (const [name] of REAL_TEXTS) {
    const { id } = (await asOwner(stack, 'POST', '/products', { name, quantity: { min: 1, max: 50 } })).body;
    await asOwner(stack, 'POST', `/products/${id}/prices`, monthly);
    plan_ids.push(id);
  }
  const { body: offering } = await asOwner(stack, 'POST', '/offerings', { name: REAL_TEXTS[0][0], plan_ids });
  ids = { ...ids, offering: offering.id };
  return plan_ids[0] ?? '';
}

/** A coupon with a code as long as codes may be, for many products, and a subscription that has it. */
async function subscribeWithCoupon(
  plan: string,
  { product, email, request }: { readonly product: string; readonly email: string; readonly request: object },
): Promise<void> {
  const code = 'RINDFLEISCHETIKETTIERUNGSÜBERWACHUNGSAUFGABENÜBERTRAGUNG-2026'.slice(0, 60);
  const { oneTime, recurring, trial } = stack.products;
  const terms = { percent: 100, duration: 'repeating', periods: 1_000, max_redemptions: 1_000_000_000 };
  const whom = { product_ids: [plan, product, oneTime, recurring, trial], max_per_customer: 1_000_000 };
  await asOwner(stack, 'POST', '/coupons', { environment: 'sandbox', code, ...terms, ...whom });
  const { id } = await buy(stack, { productId: plan, email, request: { ...request, couponCode: code } });
  ids = { ...ids, subscription: (await asOwner(stack, 'GET', `/checkouts/${id}`)).body.subscription_id };
}

async function lookAtWidths(page: Page, what: string): Promise<readonly object[]> {
  const faults: object[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    const seen = { what, width, overflow: await overflowPx(page), cut: await cutTexts(page) };
    if (process.env.GALLERY) await takePicture(page, process.env.GALLERY, `${what}-${width}`);
    if (seen.overflow > 0 || seen.cut.length > 0) faults.push(seen);
  }
  return faults;
}

async function takePicture(page: Page, folder: string, what: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, `${what.replaceAll(/[^\w-]+/g, '-')}.png`);
  await page.screenshot({ path, fullPage: !(await page.locator('dialog').isVisible()) });
}

/** Types text of realistic length into each field of the dialog, as far as it fits. */
async function typeRealTexts(page: Page): Promise<void> {
  const text = REAL_TEXTS.map(([name]) => name).join(' ');
  const fields = page.locator(
    'dialog:modal :is(textarea, input:is([type=text], [type=tel], :not([type]))):enabled',
  );
  for (const field of await fields.all()) {
    const most = await field.evaluate((element) => (element as HTMLInputElement).maxLength);
    await field.fill(most > 0 ? text.slice(0, most) : text);
  }
}

async function visit(page: Page, template: string): Promise<void> {
  await closeDialog(page);
  await goTo(page, stack, pathOf(template, ids));
}

test.each(LOOKS)(
  'no page cuts off text: $locale',
  async (look) => {
    const { page } = await openDashboard(browser, stack, PEOPLE.owner, '/', look);
    const faults: object[] = [];
    for (const [name, template] of Object.entries(PAGES)) {
      await visit(page, template);
      faults.push(...(await lookAtWidths(page, `${look.locale}-${name}`)));
    }
    expect(faults).toEqual([]);
    await page.context().close();
  },
  300_000,
);

test.each(LOOKS)(
  'no dialog cuts off text: $locale',
  async (look) => {
    const faults: object[] = [];
    for (const [person, openings] of [
      [PEOPLE.owner, OF_OWNER],
      [PEOPLE.platform, OF_PLATFORM],
    ] as const) {
      const { page } = await openDashboard(browser, stack, person, '/', look);
      for (const [template, ...buttons] of openings) {
        await visit(page, template);
        for (const button of buttons) {
          const names = look.locale === 'de-DE' ? germanOf(button) : [button];
          await page
            .getByRole('button', { name: new RegExp(`^(${names.join('|')})$`) })
            .first()
            .click();
        }
        await page.locator('dialog:modal').waitFor();
        await page.waitForFunction(() => !document.querySelector('dialog .loading'));
        await typeRealTexts(page);
        faults.push(...(await lookAtWidths(page, `${look.locale}-dialog${template} ${buttons}`)));
      }
      await page.context().close();
    }
    expect(faults).toEqual([]);
  },
  300_000,
);

test.each(LOOKS)(
  'no text about a change of plan or quantity is cut off: $locale',
  async (look) => {
    const { page } = await openDashboard(browser, stack, PEOPLE.owner, '/', look);
    const dialog = page.locator('dialog:modal');
    const open = async (name: 'Change plan' | 'Change quantity') => {
      await visit(page, '/subscriptions/:subscription');
      await page.getByRole('button', { name: new RegExp(`^(${name}|${germanOf(name).join('|')})$`) }).click();
      await dialog.waitFor();
    };
    const faults: object[] = [];
    const lookAt = async (what: string) => {
      await dialog.locator('.note').last().getByText(/€/).waitFor();
      faults.push(...(await lookAtWidths(page, `${look.locale}-${what}`)));
    };
    await open('Change plan');
    for (const [name] of REAL_TEXTS.slice(1)) {
      const plans = dialog.locator('select').nth(1);
      const plan = plans.locator('option', { hasText: name }).first();
      await plan.waitFor({ state: 'attached' });
      await plans.selectOption(await plan.getAttribute('value'));
      await lookAt(`change-plan-${REAL_TEXTS.findIndex(([text]) => text === name)}`);
    }
    await open('Change quantity');
    await dialog.locator('input').fill('50');
    await lookAt('change-quantity');
    expect(faults).toEqual([]);
    await page.context().close();
  },
  300_000,
);

test.each(LOOKS)(
  'no text about a price move is cut off: $locale',
  async (look) => {
    const name = REAL_TEXTS.map(([text]) => text).join(' ');
    const product = await replacePrice(stack, name.slice(0, 200));
    const { page } = await openDashboard(browser, stack, PEOPLE.owner, `/products/${product}`, look);
    const button = () =>
      page
        .getByRole('button', {
          name: new RegExp(`^(Move subscribers|${germanOf('Move subscribers').join('|')})$`),
        })
        .last();
    await button().click();
    const dialog = page.locator('dialog:modal');
    await dialog.waitFor();
    await dialog.getByText('maximiliane').waitFor();
    const faults = [...(await lookAtWidths(page, `${look.locale}-dialog-move`))];
    await button().click();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForFunction(() => !document.querySelector('.loading'));
    faults.push(...(await lookAtWidths(page, `${look.locale}-product-moves`)));
    expect(faults).toEqual([]);
    await page.context().close();
  },
  300_000,
);

test('a description keeps its lines, and mixed Arabic and Latin text its order', async () => {
  const name = 'اشتراك (Coffee) مجاني';
  const description = `${name}\n\nSecond paragraph`;
  const { body: product } = await asOwner(stack, 'POST', '/products', { name, description });
  const { page } = await openDashboard(browser, stack, PEOPLE.owner, `/products/${product.id}`);
  const texts = page.locator('h1, dd').filter({ hasText: name });
  await expect(texts.evaluateAll(readFromTheRight)).resolves.toEqual([true, true]);
  expect(await page.locator('dd').filter({ hasText: name }).innerText()).toBe(description);
  await page.getByRole('button', { name: 'Edit product' }).click();
  await page.getByLabel('Name').fill('Renamed');
  await page.getByLabel('Description').press('Control+End');
  await page.keyboard.type('!');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'Renamed' }).waitFor();
  expect((await asOwner(stack, 'GET', `/products/${product.id}`)).body).toMatchObject({
    description: `${description}!`,
  });
  await page.context().close();
});

/** Whether the first letter is drawn to the right of the Latin word after it. */
function readFromTheRight(elements: readonly Element[]): readonly boolean[] {
  return elements.map((element) => {
    const letters = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode() as Text;
    const leftOf = (at: number) => {
      const range = document.createRange();
      range.setStart(letters, at);
      range.setEnd(letters, at + 1);
      return range.getBoundingClientRect().left;
    };
    return leftOf(0) > leftOf(letters.data.indexOf('C'));
  });
}
