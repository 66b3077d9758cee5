/** Coupons that the merchant offers. */

/** Coupons without a redemption limit, for every product. */
export const OPEN_COUPONS = [
  { code: 'ONCE20', percent: 20, duration: 'once' },
  { code: 'TWICE3', amount: 300, duration: 'repeating', periods: 2 },
  { code: 'ALWAYS33', percent: 33, duration: 'forever' },
  { code: 'FREE', percent: 100, duration: 'once' },
] as const;

/** The name of the race for it in a run's figures. */
export const LAST_REDEMPTION = 'sells the last redemption of a coupon';

export const DURATIONS = [
  { duration: 'once' },
  { duration: 'repeating', periods: 2 },
  { duration: 'forever' },
] as const;
