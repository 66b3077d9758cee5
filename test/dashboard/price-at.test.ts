/** The charges that dialogs of a subscription announce. */
import { expect, test } from '@jest/globals';
import { exampleSubscriptionDetails } from '../../contract/subscription/details.ts';
import { priceAt } from '../../dashboard/app/billing/price-at.ts';

const FROM = '2026-03-01T00:00:00.000Z';
const before = '2026-02-28T23:59:59.999Z';
const subscription = { ...exampleSubscriptionDetails, amount: 900 };
const next_renewal = { at: null, total: 720, totals_of_move: null };

test('a dialog shows the total after the coupon, not the price', () => {
  expect(priceAt({ ...subscription, next_renewal }, FROM)).toBe('€7.20');
});

test('after the announcement of a price move, the total depends on the day', () => {
  const moving = {
    ...subscription,
    price_move: { id: 'ap_mov_1', amount: 1_100, from: FROM },
    next_renewal: { ...next_renewal, totals_of_move: { before: 720, after: 880 } },
  };
  expect(priceAt(moving, before)).toBe('€7.20');
  expect(priceAt(moving, FROM)).toBe('€8.80');
});
