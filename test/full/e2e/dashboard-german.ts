/** Every page and every dialog as a person with a German browser sees it on a phone, with HTML in each name. */
import { expect } from '@jest/globals';
import type { Browser, Locator, Page } from 'playwright-core';
import { de } from '../../../dashboard/app/words/de.ts';
import { en } from '../../../dashboard/app/words/en.ts';
import { asOwner, openDashboard, overflowPx, PEOPLE } from '../../e2e/dashboard.ts';
import { violationsOf } from '../../support/stack/axe.ts';
import { PHONE } from '../../support/stack/browser.ts';
import { buy } from '../../support/stack/purchases.ts';
import type { TestStack } from '../../support/stack/stack.ts';
import { closeDialog, OF_OWNER, OF_PLATFORM } from './dashboard-dialogs.ts';
import { goTo, pathOf } from './dashboard-pages.ts';

function textsOf(words: unknown): readonly string[] {
  if (typeof words === 'string') return [words];
  if (typeof words !== 'object' || words === null) return [];
  return Object.values(words).flatMap(textsOf);
}

/** Texts that only the English catalogue has: a shared word such as "Status" is left out. */
function onlyEnglish(): ReadonlySet<string> {
  const german = new Set(textsOf(de));
  return new Set(textsOf(en).filter((text) => !german.has(text)));
}

/** The German translations of an English string; some, such as "Cancel", have several. */
export function germanOf(english: string): readonly string[] {
  const pairs = (one: unknown, other: unknown): readonly (readonly [unknown, unknown])[] =>
    typeof one === 'object' && one !== null
      ? Object.keys(one).flatMap((name) => pairs((one as never)[name], (other as never)[name]))
      : [[one, other]];
  return pairs(en, de).flatMap(([one, other]) => (one === english ? [String(other)] : []));
}

/** A script that would run if any page treated it as HTML. */
const HTML = '<img src=x onerror="window.hacked=1">';

/** A purchase whose product, customer and merchant are named in HTML. @returns the ids of its pages */
async function buyFromHtml(stack: TestStack): Promise<Readonly<Record<string, string>>> {
  const { body: product } = await asOwner(stack, 'POST', '/products', { name: `${HTML}Tea` });
  const price = { amount: 450, tax_rate: 19, billing_mode: 'one_time' };
  await asOwner(stack, 'POST', `/products/${product.id}/prices`, price);
  const { id } = await buy(stack, { productId: product.id, request: { externalCustomerId: `${HTML}1` } });
  const { payment_id: payment, customer_id: customer } = (await asOwner(stack, 'GET', `/checkouts/${id}`))
    .body;
  return { product: product.id, checkout: id, payment, customer };
}

/**
 * The text that a person or a screen reader reads on a page; API names, which are code, are the same in every
 * language.
 */
function textsOn(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('body :not(code, code *)')].flatMap((element) => [
      ...[...element.childNodes]
        .filter(({ nodeType }) => nodeType === 3)
        .map((node) => node.textContent ?? ''),
      ...['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name) ?? ''),
    ]),
  );
}

export async function readInGerman(
  stack: TestStack,
  browser: Browser,
  templates: readonly string[],
  ids: Readonly<Record<string, string>>,
): Promise<void> {
  const english = onlyEnglish();
  const named = { ...ids, ...(await buyFromHtml(stack)) };
  const { name } = (await asOwner(stack, 'GET', '')).body;
  await asOwner(stack, 'PATCH', '', { name: `${HTML}${name}` });
  const german = { locale: 'de-DE', viewport: PHONE } as const;
  const visit = async (page: Page, template: string, of: Readonly<Record<string, string>>) => {
    await closeDialog(page);
    await goTo(page, stack, pathOf(template, of));
  };
  const read = async (page: Page, what: string) => {
    const inEnglish = (await textsOn(page)).map((text) => text.trim()).filter((text) => english.has(text));
    const [overflow, ran] = [await overflowPx(page), await page.evaluate(() => 'hacked' in window)];
    expect({ what, inEnglish, overflow, ran }).toEqual({ what, inEnglish: [], overflow: 0, ran: false });
  };

  const { page, complaints } = await openDashboard(browser, stack, PEOPLE.owner, '/', german);
  expect(await page.locator('.page-head h1').textContent()).toBe(de.shell.pages.home);
  expect(await page.locator('.merchant .merchant-name').textContent()).toContain(HTML);
  for (const template of templates) {
    await visit(page, template, named);
    await read(page, template);
  }
  const { page: platform } = await openDashboard(browser, stack, PEOPLE.platform, '/', german);
  for (const [by, openings] of [
    [page, OF_OWNER],
    [platform, OF_PLATFORM],
  ] as const) {
    for (const [template, ...buttons] of openings) {
      await visit(by, template, ids);
      for (const button of buttons) {
        const names = new RegExp(`^(${germanOf(button).join('|')})$`);
        await by.getByRole('button', { name: names }).first().click();
      }
      await by.locator('dialog:modal').waitFor();
      await by.waitForFunction(() => !document.querySelector('dialog .loading'));
      await read(by, `${template} ${buttons}`);
      if (buttons.includes('Check now')) await by.getByText('Es nimmt Karten in EUR an.').waitFor();
    }
  }
  expect(complaints).toEqual([]);
  await asOwner(stack, 'PATCH', '', { name });
  await Promise.all([page.context().close(), platform.context().close()]);
}

const { limits, marked, reasons, ofApi } = de.problems;

/** Checks the messages shown when the API rejects a field of a form. */
export async function readFieldErrors(stack: TestStack, browser: Browser): Promise<void> {
  const { body: product } = await asOwner(stack, 'POST', '/products', {
    name: 'Tee',
    external_reference: 'tee',
  });
  const german = { locale: 'de-DE', viewport: PHONE };
  const { page } = await openDashboard(browser, stack, PEOPLE.owner, `/products/${product.id}`, german);
  const dialog = page.locator('dialog:modal');

  await page.getByRole('button', { name: de.products.firstPrice }).click();
  await dialog.getByLabel(de.products.amountIn.EUR).fill('9,00');
  await dialog.getByLabel(de.products.billing).selectOption('recurring');
  const interval = dialog.getByLabel(de.products.interval);
  await withoutBrowserRules(interval);
  await interval.fill('366');
  await submit(dialog);
  await expectFault(interval, limits.too_large('365'));
  await dialog.getByText(marked).waitFor();
  expect(await dialog.innerText()).not.toContain('interval_count');
  expect(await overflowPx(page)).toBe(0);
  expect(await violationsOf(page)).toEqual([]);
  await interval.fill('3');
  expect(await interval.getAttribute('aria-invalid')).toBeNull();
  await dialog.getByText(marked).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');

  await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/sandbox/products`);
  await page.getByRole('button', { name: de.products.create }).click();
  const [name, reference] = [dialog.getByLabel(de.products.name), dialog.getByLabel(de.products.reference)];
  await name.fill('தேநீர்');
  await submit(dialog);
  await expectFault(name, reasons.character);
  await name.fill('Tee');
  await reference.fill('tee');
  await submit(dialog);
  await expectFault(reference, String(ofApi.external_reference_taken));
  await page.keyboard.press('Escape');

  await asIfTheServiceRefused(page, { field: 'unknown.part', reason: 'too_long', limit: 1_000 });
  await page.getByRole('button', { name: de.products.create }).click();
  await name.fill('Tee');
  await submit(dialog);
  await dialog.getByText(limits.too_long('1.000', false)).waitFor();
  await dialog.getByText('unknown.part').waitFor();
  await page.context().close();
}

const withoutBrowserRules = (input: Locator) =>
  input.evaluate((element) => {
    for (const rule of ['min', 'max', 'required', 'pattern']) element.removeAttribute(rule);
  });

const submit = (dialog: Locator) => dialog.locator('button[type=submit]').click();

/** The sentence describes the field, which has the focus. */
async function expectFault(field: Locator, sentence: string): Promise<void> {
  const dialog = field.page().locator('dialog:modal');
  await dialog.locator('.field-error', { hasText: sentence }).waitFor();
  const described = await field.evaluate((element) => ({
    isInvalid: element.getAttribute('aria-invalid'),
    isFocused: document.activeElement === element,
    description: document.getElementById(element.getAttribute('aria-describedby') ?? '')?.textContent,
  }));
  expect(described).toEqual({ isInvalid: 'true', isFocused: true, description: sentence });
}

async function asIfTheServiceRefused(page: Page, fault: object): Promise<void> {
  const json = { code: 'invalid_request', message: 'Message', request_id: 'req_1', ...fault };
  await page.route(/\/products$/, (route) =>
    route.request().method() === 'POST' ? route.fulfill({ status: 400, json }) : route.continue(),
  );
}
