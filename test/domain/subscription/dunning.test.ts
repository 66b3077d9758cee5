import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  afterFailure,
  beginDunning,
  DUNNING_LADDER_DAYS,
  dunningEnd,
  dunningStep,
  isShorterThanLadder,
  ladderStart,
  needsNewMethod,
  putOff,
} from '../../../domain/subscription/dunning.ts';

const FAILED_AT = '2027-03-01T08:00:00.000Z';
const day = (n: number) => new Date(Date.parse(FAILED_AT) + n * 86_400_000).toISOString();
const ladder = beginDunning(FAILED_AT, DUNNING_LADDER_DAYS);

describe('the dunning schedule', () => {
  test('retries on days 2, 7, 14 and 21 after the first failure, and ends with the last', () => {
    expect(ladder.retries).toEqual([2, 7, 14, 21].map(day));
    expect(dunningEnd(ladder)).toBe(day(21));
  });

  test('advances a step after each soft decline, and gives up after the last step', () => {
    const walk: string[] = [];
    let now = FAILED_AT;
    for (let failures = 0; failures < 10; failures++) {
      const next = afterFailure(ladder, now, false);
      walk.push(next.kind === 'retry' ? next.at : next.kind);
      if (next.kind !== 'retry') break;
      now = next.at;
    }
    expect(walk).toEqual([...ladder.retries, 'giveUp']);
  });

  test('waits for a new method after a hard decline, at most until the schedule ends', () => {
    expect(afterFailure(ladder, day(3), true)).toEqual({ kind: 'awaitMethod' });
    expect(afterFailure(ladder, day(21), true)).toEqual({ kind: 'giveUp' });
  });

  test('advances one step at each scheduled time', () => {
    expect([0, 1.9, 2, 13.9, 14, 40].map((n) => dunningStep(ladder, day(n)))).toEqual([0, 0, 1, 2, 3, 4]);
  });

  test('always retries at a later instant of the schedule, whatever the schedule and the time', () => {
    const days = fc
      .uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 8 })
      .map((all) => all.sort((a, b) => a - b));
    fc.assert(
      fc.property(days, fc.double({ min: 0, max: 90, noNaN: true }), fc.boolean(), (steps, offset, hard) => {
        const dunning = beginDunning(FAILED_AT, steps);
        const now = day(offset);
        const next = afterFailure(dunning, now, hard);
        expect(next.kind === 'giveUp').toBe(now >= dunningEnd(dunning));
        if (next.kind !== 'retry') return;
        expect(hard).toBe(false);
        expect(dunning.retries).toContain(next.at);
        expect(next.at > now).toBe(true);
      }),
    );
  });

  test('keeps the spacing of later retries when postponed', () => {
    const waited = putOff(ladder, day(2), day(9));
    expect(waited).toEqual({ startedAt: FAILED_AT, retries: [2, 14, 21, 28].map(day) });
    expect(putOff(waited, day(9), day(10)).retries).toEqual([2, 15, 22, 29].map(day));
  });

  test('keeps its order when postponed, and never moves a retry earlier', () => {
    const instant = fc.double({ min: 0, max: 40, noNaN: true }).map(day);
    const isLate = (from: string, to: string) => Date.parse(to) - Date.parse(from) >= 3_600_000;
    fc.assert(
      fc.property(instant, instant, (from, to) => {
        const { retries } = putOff(ladder, from, to);
        expect([...retries].sort()).toEqual(retries);
        for (const [n, at] of retries.entries()) {
          const was = ladder.retries[n] ?? '';
          if (was <= from) expect(at).toBe(was);
          else expect(at >= was && (!isLate(from, to) || at > to)).toBe(true);
        }
      }),
    );
  });

  test('starts at the due instant, or later if the first charge was answered late', () => {
    const later = (ms: number) => new Date(Date.parse(FAILED_AT) + ms).toISOString();
    expect([0, 40, 3_599_999].map((ms) => ladderStart(FAILED_AT, later(ms)))).toEqual(
      Array(3).fill(FAILED_AT),
    );
    expect(ladderStart(FAILED_AT, later(3_600_000))).toBe(later(3_600_000));
    expect(putOff(ladder, day(2), later(2 * 86_400_000 + 3_599_999))).toEqual(ladder);
  });

  test.each([
    { days: 20, isShorter: true },
    { days: 21, isShorter: false },
    { days: 28, isShorter: false },
  ])('of 21 days outlasts a $days-day period: $isShorter', ({ days, isShorter }) => {
    expect(isShorterThanLadder({ start: FAILED_AT, end: day(days) }, DUNNING_LADDER_DAYS)).toBe(isShorter);
  });

  test('rejects a schedule without steps', () => {
    expect(() => beginDunning(FAILED_AT, [])).toThrow(RangeError);
  });
});

test('a subscription needs a new method after a hard decline, and when the bank requires authentication', () => {
  const declined = (code: 'card_declined' | 'authentication_required', retryable: boolean) =>
    needsNewMethod({ kind: 'declined', code, retryable });
  expect(declined('card_declined', true)).toBe(false);
  expect(declined('card_declined', false)).toBe(true);
  expect(declined('authentication_required', true)).toBe(true);
});
