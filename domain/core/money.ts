/** Amounts are integer cents. Prices include tax; `taxRatePercent` is a plain percentage (19 means 19 %). */

/**
 * ISO 4217 codes of the currencies in which the service sells. All have two decimals: `amount` is in hundredths
 * everywhere.
 */
export const CURRENCIES = ['EUR'] as const;
export type Currency = (typeof CURRENCIES)[number];
export const DEFAULT_CURRENCY: Currency = 'EUR';

/** For operators and logs, `19.00 EUR`; buyers see amounts in their own locale. */
export function plainAmount(cents: number, currency: string): string {
  return `${(cents / 100).toFixed(2)} ${currency}`;
}

/** The largest amount that an `integer` column holds; the API accepts no larger price. */
export const MAX_CENTS = 2_147_483_647;

/** The largest quantity of a product. */
export const MOST_QUANTITY = 10_000;

export function assertCents(amount: number): void {
  if (!Number.isSafeInteger(amount) || amount < 0) {
    throw new RangeError(`invalid amount in cents: ${amount}`);
  }
}
