/**
 * Parses `Retry-After` in both forms, seconds or an HTTP date (RFC 9110, section 10.2.3).
 *
 * @returns seconds from `nowMs`, never negative; null if absent or unreadable
 */
export function retryAfterSeconds(header: string | undefined, nowMs: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,10}$/.test(text)) return Number(text);
  // Every form of an HTTP date begins with a weekday; Date.parse alone accepts almost anything.
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, (at - nowMs) / 1_000);
}
