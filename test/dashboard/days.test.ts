import { expect, test } from '@jest/globals';
import { startOfDay } from '../../dashboard/app/ui/days.ts';

test.each([
  ['UTC', '2026-11-01', '2026-11-01T00:00:00.000Z'],
  ['Europe/Berlin', '2026-11-01', '2026-10-31T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['America/Los_Angeles', '2026-11-02', '2026-11-02T08:00:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
])('in %s, %s begins at %s', (timeZone, day, instant) => {
  expect(startOfDay(day, 0, timeZone)).toBe(instant);
});

test('the day after the last of a year is the first of the next', () => {
  expect(startOfDay('2026-12-31', 1, 'Europe/Berlin')).toBe('2026-12-31T23:00:00.000Z');
});

test.each(['', '2026-11', 'tomorrow'])('%j is not a day', (typed) => {
  expect(startOfDay(typed, 0, 'UTC')).toBeUndefined();
});
