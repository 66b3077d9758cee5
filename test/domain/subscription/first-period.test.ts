/** A subscription recreated in the database gets the same periods as its charges at the rail are named by. */
import { describe, expect, test } from '@jest/globals';
import { periodFrom } from '../../../domain/core/calendar.ts';
import { firstPeriod, type Recurrence } from '../../../domain/subscription/first-period.ts';

const MONTHLY: Recurrence = { interval: 'month', intervalCount: 1, trialDays: null };
const NOW = '2027-03-10T12:00:00.000Z';

test('a purchase made today begins now', () => {
  expect(firstPeriod(MONTHLY, NOW, null)).toEqual({
    start: NOW,
    end: '2027-04-10T12:00:00.000Z',
    anchor: NOW,
  });
  expect(firstPeriod({ ...MONTHLY, trialDays: 7 }, NOW, null)).toEqual({
    start: NOW,
    end: '2027-03-17T12:00:00.000Z',
    anchor: '2027-03-17T12:00:00.000Z',
  });
});

describe('with a renewal at the rail', () => {
  test.each([
    ['2027-01-31T23:59:59.000Z', '2027-02-28T23:59:59.500Z', '2027-01-31T23:59:59.500Z'],
    ['2027-01-30T10:00:00.000Z', '2027-02-28T10:00:00.700Z', '2027-01-30T10:00:00.700Z'],
    // Recorded a second after midnight.
    ['2027-01-14T23:59:59.000Z', '2027-02-15T00:00:00.200Z', '2027-01-15T00:00:00.200Z'],
    // A second before it, by a clock that is behind the rail's.
    ['2027-01-15T00:00:00.100Z', '2027-02-14T23:59:59.900Z', '2027-01-14T23:59:59.900Z'],
  ])('a purchase of %s that renewed at %s began at %s', (purchasedAt, renewedAt, start) => {
    const found = firstPeriod(MONTHLY, NOW, { purchasedAt, renewedAt });
    expect(found).toEqual({ start, end: renewedAt, anchor: start });
  });

  test('the third period begins on the day of the purchase, not of the clamped renewal', () => {
    const lost = { purchasedAt: '2027-01-31T08:00:00.000Z', renewedAt: '2027-02-28T08:00:00.300Z' };
    const { anchor, end } = firstPeriod(MONTHLY, NOW, lost);
    expect(periodFrom(anchor, end, 'month', 1).end).toBe('2027-03-31T08:00:00.300Z');
  });

  test('a trial ended when its first charge was due', () => {
    const lost = { purchasedAt: '2027-02-01T08:00:00.000Z', renewedAt: '2027-02-08T08:00:00.300Z' };
    const { end, anchor } = firstPeriod({ ...MONTHLY, trialDays: 7 }, NOW, lost);
    expect({ end, anchor }).toEqual({ end: lost.renewedAt, anchor: lost.renewedAt });
  });

  test('periods that match no purchase follow the renewal', () => {
    const lost = { purchasedAt: '2027-03-10T11:00:00.000Z', renewedAt: '2027-03-10T11:30:00.000Z' };
    const { purchasedAt: start, renewedAt: end } = lost;
    expect(firstPeriod(MONTHLY, NOW, lost)).toEqual({ start, end, anchor: end });
  });
});

describe('without a renewal at the rail', () => {
  test('the paid period continues', () => {
    const lost = { purchasedAt: '2027-03-01T08:00:00.000Z', renewedAt: null };
    expect(firstPeriod(MONTHLY, NOW, lost)).toMatchObject({ start: lost.purchasedAt });
  });

  test('nothing is charged at once for a period that may have been cancelled', () => {
    const lost = { purchasedAt: '2027-01-01T08:00:00.000Z', renewedAt: null };
    expect(firstPeriod(MONTHLY, NOW, lost)).toMatchObject({ start: NOW });
    const overNow = { purchasedAt: '2027-02-10T12:00:00.000Z', renewedAt: null };
    expect(firstPeriod(MONTHLY, NOW, overNow)).toMatchObject({ start: NOW });
  });
});
