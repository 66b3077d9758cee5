/** The hosted page as a buyer uses it: found by labels and text, the card fields in their frame. */
import type { FrameLocator, Page } from 'playwright-core';

export const CARDS = {
  approved: '4242424242424242',
  declined: '4000000000000002',
  insufficientFunds: '4000000000009995',
  challenge: '4000002760003184',
  challengeThenDeclined: '4000008400001629',
  chargedThenDropped: '4000009000000110',
  pendingThenApproved: '4000009000000219',
} as const;

export const payButton = (page: Page) => page.locator('button.pay');
export const statusTitle = (page: Page) => page.locator('#status-title');
export const notice = (page: Page) => page.locator('.notice');
export const cardFields = (page: Page): FrameLocator => page.frameLocator('iframe[title*="Card details"]');
export const bank = (page: Page): FrameLocator =>
  page.frameLocator('dialog.challenge iframe').frameLocator('iframe');

export async function fillCard(page: Page, number: string): Promise<void> {
  const fields = cardFields(page);
  await fields.getByLabel('Card number').fill(number);
  await fields.getByLabel('Expiry date').fill('12 / 34');
  await fields.getByLabel('Security code').fill('123');
}

export async function fillForm(page: Page, number: string, email = 'ada@example.com'): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await fillCard(page, number);
}

export async function enterCode(page: Page, code: string): Promise<void> {
  await page.getByText('Add a code').click();
  await page.getByLabel('Code').fill(code);
  await page.getByRole('button', { name: 'Apply' }).click();
}
