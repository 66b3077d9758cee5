import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  countLookup,
  type LookupCause,
  lookupDelaySeconds,
  noLookups,
  quickLookupsOver,
} from '../../../domain/core/lookup-schedule.ts';

const QUICK = [2, 5, 15, 30, 60, 120];
const LONG = [300, 900, 3_600, 21_600, 86_400];

describe('look-ups of an unknown outcome', () => {
  test('follow the quick delays, then the long delays, then repeat daily', () => {
    const delays = Array.from({ length: 14 }, (_, done) => lookupDelaySeconds(done, QUICK, LONG));
    expect(delays).toEqual([...QUICK, ...LONG, 86_400, 86_400, 86_400]);
  });

  describe('requested by an operator or a webhook', () => {
    const causes: readonly LookupCause[] = ['schedule', 'asked', 'webhook', 'schedule', 'asked', 'webhook'];
    test('do not advance the schedule; those requested by a webhook do not use up the quick look-ups', () => {
      const counts = noLookups();
      for (const cause of causes) countLookup(counts, cause);
      expect(counts).toEqual({ lookups: 4, scheduledLookups: 2 });
    });
  });

  test('never stop', () => {
    fc.assert(
      fc.property(fc.nat(1_000_000), (done) => {
        expect(lookupDelaySeconds(done, QUICK, LONG)).toBeGreaterThan(0);
      }),
    );
  });

  test('require an operator once the quick look-ups are used up, not before', () => {
    expect(quickLookupsOver(QUICK.length - 1, QUICK)).toBe(false);
    expect(quickLookupsOver(QUICK.length, QUICK)).toBe(true);
    expect(quickLookupsOver(QUICK.length + 1, QUICK)).toBe(true);
  });

  test('throw on an empty schedule, which would mean polling without a pause', () => {
    expect(() => lookupDelaySeconds(0, [], [])).toThrow(RangeError);
  });
});
