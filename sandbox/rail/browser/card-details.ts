/** Expiry dates and security codes: pure rules that the rail and its card-field document share. */

export interface Expiry {
  readonly month: number;
  /** Four digits. */
  readonly year: number;
}

/** Reads `4/30`, `04 / 30`, `0430` and the browsers' autofill format (`04/2030`). Returns null if it is not a date. */
export function parseExpiry(text: string): Expiry | null {
  const trimmed = text.trim();
  const match = /^(\d{1,2})\s*[/.-]\s*(\d{2}|\d{4})$/.exec(trimmed) ?? /^(\d{2})(\d{2}|\d{4})$/.exec(trimmed);
  if (!match) return null;
  const month = Number(match[1]);
  const year = match[2]?.length === 2 ? 2_000 + Number(match[2]) : Number(match[2]);
  return month >= 1 && month <= 12 && year < 2_100 ? { month, year } : null;
}

/** A card is valid until the end of its month in the last time zone (UTC-12). */
export function validUntil(month: number, year: number): Date {
  return new Date(Date.UTC(year, month, 1, 12));
}

export function isPast(month: number, year: number, now: Date): boolean {
  return now >= validUntil(month, year);
}

export function isCvc(text: string): boolean {
  return /^\d{3,4}$/.test(text);
}
