/** Every dialog of the merchant's pages, opened as a person opens it, in both themes. */
import { expect } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { violationsOf } from '../../e2e/axe.ts';
import { openDashboard, PEOPLE } from '../../e2e/dashboard.ts';
import type { TestStack } from '../../support/stack/stack.ts';

/** Page, and the buttons that lead to the dialog. */
type Opening = readonly [path: string, ...buttons: string[]];

const OF_OWNER: readonly Opening[] = [
  ['/payments/:payment', 'Refund'],
  ['/subscriptions/:subscription', 'Cancel'],
  ['/subscriptions/:subscription', 'Change plan'],
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
  ['/webhooks', 'Add endpoint'],
  ['/webhooks/endpoints/:endpoint', 'Rotate secret'],
  ['/webhooks/endpoints/:endpoint', 'Resend missed events'],
  ['/webhooks/endpoints/:endpoint', 'Delete'],
  ['/api-keys', 'Create key'],
  ['/api-keys', 'Rotate'],
  ['/api-keys', 'Revoke'],
  ['/storefront-clients', 'Create client'],
];
const OF_PLATFORM: readonly Opening[] = [
  ['/rail-accounts', 'Check now'],
  ['/rail-accounts', 'Set account'],
];

export async function openEveryDialog(
  stack: TestStack,
  browser: Browser,
  ids: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [person, openings] of [
    [PEOPLE.owner, OF_OWNER],
    [PEOPLE.platform, OF_PLATFORM],
  ] as const) {
    const { page } = await openDashboard(browser, stack, person, '/');
    for (const [template, ...buttons] of openings) {
      const path = template.replace(/:(\w+)/, (_all, name: string) => ids[name] ?? '');
      await page.goto(`${stack.dashboardUrl}/${stack.merchant.id}/sandbox${path}`);
      for (const name of buttons) await page.getByRole('button', { name, exact: true }).first().click();
      await expectAccessible(page, `${template} ${buttons}`);
    }
    if (person === PEOPLE.owner) {
      await page.keyboard.press('Escape');
      await page.locator('dialog').waitFor({ state: 'detached' });
      await page.keyboard.press('Shift+?');
      await expectAccessible(page, 'shortcuts');
    }
    await page.context().close();
  }
}

async function expectAccessible(page: Page, opened: string): Promise<void> {
  await page.locator('dialog:modal').waitFor();
  await page.waitForFunction(() => !document.querySelector('dialog .loading'));
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    const violations = await violationsOf(page);
    expect({ opened, colorScheme, violations }).toEqual({ opened, colorScheme, violations: [] });
  }
}
