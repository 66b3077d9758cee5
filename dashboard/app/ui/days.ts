export const DAY_MS = 86_400_000;
/** The API's limit for a trial. */
export const LONGEST_TRIAL_DAYS = 730;

/** Noon of a day from an input of type `date`, in the person's time zone. */
export const noonOf = (day: string) => new Date(`${day}T12:00`);

/** The user's day of an instant, in the format of an input of type `date`. */
export function localDay(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}

/**
 * The start of a day, shifted by some days.
 * @param day from an input of type `date`
 * @param timeZone if absent, the person's
 * @returns undefined if `day` is not a day
 */
export function startOfDay(day: string, later: number, timeZone?: string): string | undefined {
  const [year, month, date] = day.split('-').map(Number);
  if (!year || !month || !date) return undefined;
  const midnight = Date.UTC(year, month - 1, date + later);
  const aheadMs = (at: number) =>
    Date.parse(`${new Date(at).toLocaleString('sv', { timeZone }).replace(' ', 'T')}Z`) - at;
  // A second pass, because the clocks may change between the two instants.
  return new Date(midnight - aheadMs(midnight - aheadMs(midnight))).toISOString();
}
