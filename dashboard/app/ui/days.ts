/** Days of inputs of type `date`, in the merchant's time zone. */
import { zone } from '../words/format.ts';

export const DAY_MS = 86_400_000;
/** The API's limit for a trial. */
export const LONGEST_TRIAL_DAYS = 730;

/** Twelve hours after the start of a day; an invalid date if `day` is not a day. */
export const noonOf = (day: string) => new Date(Date.parse(startOfDay(day, 0) ?? '') + DAY_MS / 2);

/** The day of an instant. */
export const localDay = (ms: number) => new Date(ms).toLocaleDateString('sv', { timeZone: zone });

/**
 * The start of a day, shifted by some days.
 * @returns undefined if `day` is not a day
 */
export function startOfDay(day: string, later: number): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  const midnight = Date.UTC(year, month - 1, date + later);
  const aheadMs = (at: number) =>
    Date.parse(`${new Date(at).toLocaleString('sv', { timeZone: zone }).replace(' ', 'T')}Z`) - at;
  // A second pass corrects the offset if daylight-saving time begins or ends between the two instants.
  return new Date(midnight - aheadMs(midnight - aheadMs(midnight))).toISOString();
}
