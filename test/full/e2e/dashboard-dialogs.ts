/**
 * Every dialog of the merchant's pages, opened as a person opens it, in both themes, and compared with its picture on a
 * phone and on a desktop.
 */
import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { asOwner, openDashboard, overflowPx, PEOPLE } from '../../e2e/dashboard.ts';
import { comparePicture } from '../../e2e/pictures.ts';
import { violationsOf } from '../../support/stack/axe.ts';
import { DESKTOP, PHONE } from '../../support/stack/browser.ts';
import { buy } from '../../support/stack/purchases.ts';
import type { TestStack } from '../../support/stack/stack.ts';
import {
  advanceTo,
  buySubscription,
  inDays,
  post,
  subscriptionOf,
} from '../../support/stack/stack-subscriptions.ts';
import { goTo, pathOf } from './dashboard-pages.ts';

/** Page, and the buttons that lead to the dialog. */
export type Opening = readonly [path: string, ...buttons: string[]];

export const OF_OWNER: readonly Opening[] = [
  ['/payments/:payment', 'Refund'],
  ['/customers/:customer', 'Edit'],
  ['/subscriptions/:subscription', 'Cancel subscription'],
  ['/subscriptions/:subscription', 'Change plan'],
  ['/subscriptions/:subscription', 'Change quantity'],
  ['/subscriptions/:subscription', 'Pause'],
  ['/subscriptions/:subscription', 'Move clock'],
  ['/subscriptions/:subscription', 'Payment method link'],
  ['/products', 'Create product'],
  ['/products/:product', 'Replace price'],
  ['/products/:product', 'Edit product'],
  ['/products/:product', 'Deactivate'],
  ['/offerings', 'Create offering'],
  ['/offerings/:offering', 'Rename'],
  ['/offerings/:offering', 'Add plan'],
  ['/offerings/:offering', 'Deactivate'],
  ['/coupons', 'Create coupon'],
  ['/coupons', 'Stop'],
  ['/webhooks', 'Add endpoint'],
  ['/webhooks/endpoints/:endpoint', 'Edit'],
  ['/webhooks/endpoints/:endpoint', 'Rotate secret'],
  ['/webhooks/endpoints/:endpoint', 'Resend missed events'],
  ['/webhooks/endpoints/:endpoint', 'Delete'],
  ['/api-keys', 'Create key'],
  ['/api-keys', 'Rotate'],
  ['/api-keys', 'Revoke'],
  ['/storefront-clients', 'Create client'],
];
export const OF_PLATFORM: readonly Opening[] = [
  ['/rail-accounts', 'Check now'],
  ['/rail-accounts', 'Set account'],
  ['/business', 'Deactivate merchant'],
];

export async function openEveryDialog(
  stack: TestStack,
  browser: Browser,
  ids: Readonly<Record<string, string>>,
): Promise<void> {
  const differing: (string | null)[] = [];
  for (const [person, openings] of [
    [PEOPLE.owner, OF_OWNER],
    [PEOPLE.platform, OF_PLATFORM],
  ] as const) {
    const { page } = await openDashboard(browser, stack, person, '/');
    const open = async ([template, ...buttons]: Opening, of: Readonly<Record<string, string>>) => {
      await closeDialog(page);
      await goTo(page, stack, pathOf(template, of));
      for (const name of buttons) await page.getByRole('button', { name, exact: true }).first().click();
      differing.push(...(await look(browser, page, `${template} ${buttons}`)));
    };
    for (const opening of openings) await open(opening, ids);
    if (person === PEOPLE.owner) {
      // Last, because other dialogs list the products.
      await open(['/subscriptions/:subscription', 'Undo cancellation'], {
        subscription: await buyAndCancel(stack),
      });
      await open(['/subscriptions/:subscription', 'Resume'], { subscription: await buyAndPause(stack) });
      const trial = await buySubscription(stack, { productId: stack.products.trial });
      await open(['/subscriptions/:subscription', 'Move trial end'], { subscription: trial.id });
      await open(['/products/:product', 'Move subscribers'], { product: await replacePrice(stack) });
      await closeDialog(page);
      await page.keyboard.press('Shift+?');
      differing.push(...(await look(browser, page, 'shortcuts')));
    }
    await page.context().close();
  }
  expect(differing.filter((each) => each !== null)).toEqual([]);
}

/** Closes the open dialog, if there is one, with Escape. */
export async function closeDialog(page: Page): Promise<void> {
  const dialog = page.locator('dialog:modal');
  if (await dialog.isVisible()) await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
}

async function buyAndCancel(stack: TestStack): Promise<string> {
  const { id } = await buySubscription(stack);
  await post(stack, `/v1/subscriptions/${id}/cancel`, { at_period_end: true });
  return id;
}

/** A subscription in a pause that has begun. */
async function buyAndPause(stack: TestStack): Promise<string> {
  const { id } = await buySubscription(stack);
  await post(stack, `/v1/subscriptions/${id}/pause`, {});
  const { current_period_end: end } = await subscriptionOf(stack, id);
  await advanceTo(stack, id, inDays(end, 1));
  return id;
}

/** A subscription at a price that is then replaced. @returns its product's id */
export async function replacePrice(stack: TestStack, name = 'Tea club'): Promise<string> {
  const { body: product } = await asOwner(stack, 'POST', '/products', { name });
  const setPrice = (amount: number) =>
    asOwner(stack, 'POST', `/products/${product.id}/prices`, {
      amount,
      tax_rate: 19,
      billing_mode: 'recurring',
      recurring: { interval: 'month' },
    });
  await setPrice(1_400);
  await buy(stack, {
    productId: product.id,
    email: 'maximiliane.von-und-zu-hohenlohe@buchhaltung.beispiel.example',
  });
  await setPrice(1_600);
  return product.id;
}

async function look(browser: Browser, page: Page, opened: string): Promise<readonly (string | null)[]> {
  const dialog = page.locator('dialog:modal');
  await dialog.waitFor();
  await page.waitForFunction(() => !document.querySelector('dialog .loading'));
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await violationsOf(page, colorScheme === 'dark' ? 'all' : 'colours');
    expect({ opened, colorScheme, violations }).toEqual({ opened, colorScheme, violations: [] });
  }
  const differing: (string | null)[] = [];
  for (const viewport of [PHONE, DESKTOP]) {
    await page.setViewportSize(viewport);
    expect({ opened, overflow: await overflowPx(page) }).toEqual({ opened, overflow: 0 });
    differing.push(await comparePicture(browser, page, `${nameOf(opened)}-${viewport.width}`, dialog));
  }
  // The text of the action must stay readable under the pointer.
  await dialog.locator('.dialog-actions .button').last().hover();
  const violations = await violationsOf(page, 'colours');
  expect({ opened, hovered: true, violations }).toEqual({ opened, hovered: true, violations: [] });
  await page.mouse.move(0, 0);
  return differing;
}

/** As part of a file's name: `/api-keys Rotate` is `dialog-api-keys-rotate`. */
function nameOf(opened: string): string {
  return `dialog-${opened.replace(/\/:\w+/, '')}`.toLowerCase().replace(/[^a-z]+/g, '-');
}
