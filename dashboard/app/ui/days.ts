export const DAY_MS = 86_400_000;
/** The API's limit. */
export const LONGEST_TRIAL_DAYS = 730;

/** Noon of a day from an input of type `date`, in the person's time zone. */
export const noonOf = (day: string) => new Date(`${day}T12:00`);

/** The user's day of an instant, in the format of an input of type `date`. */
export function localDay(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
