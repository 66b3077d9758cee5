/**
 * Names an exported file after the merchant, the list and its month or days: `harbour-coffee-invoices-2026-11.csv`.
 *
 * @param first a day such as 2026-11-01, or a month such as 2026-11; null for a list from its beginning
 * @param last the last day, or the same month
 */
export function exportName(merchant: string, list: string, first: string | null, last: string): string {
  const period = first === null ? [last] : (wholeMonth(first, last) ?? [...new Set([first, last])]);
  const parts = [merchant, list, ...period].map((part) =>
    part.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '-'),
  );
  return `${parts.filter((part) => part.replaceAll('-', '') !== '').join('-')}.csv`;
}

/** `2026-11` if the days are its first and last, otherwise null. */
function wholeMonth(from: string, to: string): readonly [string] | null {
  const [year = 0, month = 0, day] = from.split('-').map(Number);
  const last = new Date(Date.UTC(year, month)).getTime() - 86_400_000;
  return day === 1 && Date.parse(to) === last ? [from.slice(0, 'yyyy-mm'.length)] : null;
}
