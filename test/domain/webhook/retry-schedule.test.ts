import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { nextAttemptInSeconds } from '../../../domain/webhook/retry-schedule.ts';

const SECONDS = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const exact = { seconds: SECONDS, jitter: 0 };
const jittered = { seconds: SECONDS, jitter: 0.1 };

describe('the next attempt', () => {
  test('follows the schedule, which ends after the tenth attempt', () => {
    const waits = SECONDS.map((_, index) => nextAttemptInSeconds(exact, index + 1, null, 0.5));
    expect(waits).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
  });

  test('is delayed by at most the jitter, and never brought forward', () => {
    const attempt = fc.integer({ min: 1, max: SECONDS.length - 1 });
    const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(attempt, random, (made, roll) => {
        const wait = nextAttemptInSeconds(jittered, made, null, roll) ?? Number.NaN;
        const scheduled = SECONDS[made] ?? Number.NaN;
        return wait >= scheduled && wait <= scheduled * 1.1;
      }),
    );
  });

  test("honours the receiver's Retry-After, up to a day, and is never earlier than scheduled", () => {
    expect(nextAttemptInSeconds(exact, 1, 60, 0)).toBe(60);
    expect(nextAttemptInSeconds(exact, 3, 60, 0)).toBe(1_800);
    expect(nextAttemptInSeconds(exact, 1, 1_000_000, 0)).toBe(86_400);
    expect(nextAttemptInSeconds(exact, 1, -5, 0)).toBe(5);
  });

  test('does not exist once the attempts are used up, whatever Retry-After says', () => {
    expect(nextAttemptInSeconds(exact, 10, 60, 0)).toBeNull();
  });
});
