/** Days and times are entered and shown in the merchant's time zone, wherever the person is. */
import { afterEach, expect, test } from '@jest/globals';
import { validityText } from '../../dashboard/app/catalogue/coupon-text.ts';
import { DAY_MS, instantOf, localDay, localMinute, noonOf, startOfDay } from '../../dashboard/app/ui/days.ts';
import { exactTime, foreignZone, setZone } from '../../dashboard/app/words/format.ts';

afterEach(() => setZone(undefined));

test.each([
  ['UTC', '2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['Europe/Berlin', '2026-11-01', '2026-10-31T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-02', '2026-11-02T08:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
])('in %s, %s begins at %s', (timeZone, day, instant) => {
  setZone(timeZone);
  expect(startOfDay(day, 0)).toBe(instant);
  expect(localDay(Date.parse(instant))).toBe(day);
  expect(localDay(Date.parse(instant) - 1)).not.toBe(day);
  expect(localDay(noonOf(day).getTime())).toBe(day);
});

test.each([
  ['Pacific/Kiritimati', 'Nov 2, 2026, 1:30:00 AM', '2026-11-02T01:30'],
  ['America/Los_Angeles', 'Nov 1, 2026, 3:30:00 AM', '2026-11-01T03:30'],
])('in %s, times are shown and entered in local time', (timeZone, shown, minute) => {
  setZone(timeZone);
  const at = '2026-11-01T11:30:00.000Z';
  expect(exactTime(at).replaceAll('\u202f', ' ')).toBe(shown);
  expect(localMinute(Date.parse(at))).toBe(minute);
  expect(instantOf(minute)).toBe(at);
});

test('the time zone is named unless it is the browser’s', () => {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  setZone(timeZone);
  expect(foreignZone()).toBeUndefined();
  setZone('Pacific/Kiritimati');
  expect(foreignZone()).toBe('Pacific/Kiritimati');
});

test('operators see times on a 24-hour clock', () => {
  setZone('UTC', 'h23');
  expect(exactTime('2026-11-01T15:30:00Z')).toBe('Nov 1, 2026, 15:30:00');
});

test('the day after the last day of a year is the first day of the next', () => {
  setZone('Europe/Berlin');
  expect(startOfDay('2026-12-31', 1)).toBe('2026-12-31T23:00:00.000Z');
});

// A browser reports the year after each digit that is typed.
test.each([
  ['0002-11-05', '0002-11-04T23:06:32.000Z'],
  ['0202-11-05', '0202-11-04T23:06:32.000Z'],
  ['20266-11-05', '+020266-11-04T23:00:00.000Z'],
])('a date whose year is still being typed, such as %s, is accepted as a day', (day, instant) => {
  setZone('Europe/Berlin');
  expect(startOfDay(day, 0)).toBe(instant);
  expect(noonOf(day).getTime() - Date.parse(instant)).toBe(DAY_MS / 2);
  expect(localDay(Date.parse(instant))).toBe(day.length > 10 ? `+0${day}` : day);
  expect(instantOf(`${day}T00:00`)).toBe(instant);
});

test.each(['', '2026-11', 'tomorrow', '275760-09-14'])('%j is rejected as a day', (typed) => {
  expect(startOfDay(typed, 0)).toBeUndefined();
  expect(noonOf(typed).getTime()).toBeNaN();
});

test.each(['Pacific/Kiritimati', 'America/Los_Angeles'])(
  'in %s a coupon shows the days that were entered',
  (zone) => {
    setZone(zone);
    const days = {
      valid_from: startOfDay('2026-11-01', 0) ?? null,
      valid_until: startOfDay('2026-11-30', 1) ?? null,
    };
    expect(validityText(days)).toBe('Nov 1, 2026 to Nov 30, 2026');
  },
);
