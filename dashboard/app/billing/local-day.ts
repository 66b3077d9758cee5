/** The user's day of an instant, in the format of an input of type `date`. */
export function localDay(ms: number): string {
  const date = new Date(ms);
  return new Date(ms - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
