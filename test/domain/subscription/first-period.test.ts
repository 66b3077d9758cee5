/** A subscription's first period. */
import { expect, test } from '@jest/globals';
import { firstPeriod, type Recurrence } from '../../../domain/subscription/first-period.ts';

const MONTHLY: Recurrence = { interval: 'month', intervalCount: 1, trialDays: null };
const NOW = '2027-03-10T12:00:00.000Z';

test('the first period of a purchase made today begins now', () => {
  expect(firstPeriod(MONTHLY, NOW)).toEqual({
    start: NOW,
    end: '2027-04-10T12:00:00.000Z',
    anchor: NOW,
  });
  expect(firstPeriod({ ...MONTHLY, trialDays: 7 }, NOW)).toEqual({
    start: NOW,
    end: '2027-03-17T12:00:00.000Z',
    anchor: '2027-03-17T12:00:00.000Z',
  });
});
