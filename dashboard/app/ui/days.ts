/** Values of inputs of type `date` and `datetime-local`, in the merchant's time zone. */
import { zone } from '../words/format.ts';

export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;
/** The API's limit for a trial. */
export const LONGEST_TRIAL_DAYS = 730;

/** Twelve hours after the start of a day; an invalid date if `day` is not a day. */
export const noonOf = (day: string) => new Date(Date.parse(startOfDay(day, 0) ?? '') + DAY_MS / 2);

/** A browser reports a year while it is being typed, and then accepts six digits: `0202`, `20266`. */
function localTime(ms: number): string {
  const [year = '', ...rest] = new Date(ms).toLocaleString('sv', { timeZone: zone }).split('-');
  return [year.length > 4 ? `+${year.padStart(6, '0')}` : year.padStart(4, '0'), ...rest].join('-');
}

/** The day of an instant. */
export const localDay = (ms: number) => localTime(ms).split(' ')[0] ?? '';

/** The minute of an instant: `2026-11-28T23:30`. */
export const localMinute = (ms: number) => localTime(ms).slice(0, -':00'.length).replace(' ', 'T');

/** The instant at which clocks show a minute; empty if `minute` is not a minute. */
export function instantOf(minute: string): string {
  const [day = '', time] = minute.split('T');
  const [hour = 0, part = 0] = time?.split(':').map(Number) ?? [];
  return whenClocksShow(utcOf(day, 0) + (hour * 60 + part) * MINUTE_MS) ?? '';
}

/**
 * The start of a day, shifted by some days.
 * @returns undefined if `day` is not a day
 */
export const startOfDay = (day: string, later: number) => whenClocksShow(utcOf(day, later));

/** NaN if `day` is not a day. `Date.UTC` would take the year 20 for 1920, and `Date.parse` refuses five digits. */
function utcOf(day: string, later: number): number {
  const [year, month, date] = day.split('-').map(Number);
  return year && month && date ? new Date(0).setUTCFullYear(year, month - 1, date + later) : Number.NaN;
}

/** @param shown what clocks show, as if it were UTC */
function whenClocksShow(shown: number): string | undefined {
  const aheadMs = (at: number) => Date.parse(`${localTime(at).replace(' ', 'T')}Z`) - at;
  // A second pass corrects the offset if daylight-saving time begins or ends between the two instants.
  const at = new Date(shown - aheadMs(shown - aheadMs(shown)));
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}
