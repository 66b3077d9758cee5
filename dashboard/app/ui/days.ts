/** Values of inputs of type `date` and `datetime-local`, in the merchant's time zone. */
import { zone } from '../words/format.ts';

export const DAY_MS = 86_400_000;
/** The API's limit for a trial. */
export const LONGEST_TRIAL_DAYS = 730;

/** Twelve hours after the start of a day; an invalid date if `day` is not a day. */
export const noonOf = (day: string) => new Date(Date.parse(startOfDay(day, 0) ?? '') + DAY_MS / 2);

const localTime = (ms: number) => new Date(ms).toLocaleString('sv', { timeZone: zone });

/** The day of an instant. */
export const localDay = (ms: number) => localTime(ms).slice(0, 10);

/** The minute of an instant: `2026-11-28T23:30`. */
export const localMinute = (ms: number) => localTime(ms).slice(0, 16).replace(' ', 'T');

/** The instant at which clocks show a minute. */
export const instantOf = (minute: string) => whenClocksShow(Date.parse(`${minute}Z`));

/**
 * The start of a day, shifted by some days.
 * @returns undefined if `day` is not a day
 */
export function startOfDay(day: string, later: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  return whenClocksShow(Date.UTC(year, month - 1, date + later));
}

/** @param shown what clocks show, as if it were UTC */
function whenClocksShow(shown: number): string {
  const aheadMs = (at: number) => Date.parse(`${localTime(at).replace(' ', 'T')}Z`) - at;
  // A second pass corrects the offset if daylight-saving time begins or ends between the two instants.
  return new Date(shown - aheadMs(shown - aheadMs(shown))).toISOString();
}
