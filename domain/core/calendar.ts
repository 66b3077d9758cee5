/**
 * Billing periods, in UTC. Months are counted from the anchor and not from the last boundary: a subscription that
 * begins on 31 January is billed on 28 February and on 31 March.
 */
export type Interval = 'day' | 'week' | 'month' | 'year';

/** The boundary `count` intervals after `anchor`; the day is clamped to the month's length. */
export function boundary(anchor: string, interval: Interval, count: number): string {
  const date = new Date(anchor);
  switch (interval) {
    case 'day':
      return addDays(anchor, count);
    case 'week':
      return addDays(anchor, 7 * count);
    case 'month':
      return addMonths(date, count);
    case 'year':
      return addMonths(date, 12 * count);
  }
}

/**
 * The period that begins at `start`, and the anchor for later periods. Periods of months or years keep the anchor while
 * `start` is one of its boundaries, so that a change from monthly to yearly keeps the day. Other periods use `start`.
 */
export function periodFrom(
  anchor: string,
  start: string,
  interval: Interval,
  count: number,
): { readonly start: string; readonly end: string; readonly anchor: string } {
  const months = interval === 'month' || interval === 'year' ? wholeMonths(anchor, start) : null;
  if (months === null) return { start, end: boundary(start, interval, count), anchor: start };
  const step = interval === 'year' ? 12 * count : count;
  return { start, end: boundary(anchor, 'month', months + step), anchor };
}

/**
 * Among consecutive periods from `start`, the one that contains `now`; the first if all are later. `number` is its
 * position, counted from 1.
 */
export function periodAt(
  anchor: string,
  start: string,
  now: string,
  interval: Interval,
  count: number,
): { readonly start: string; readonly end: string; readonly anchor: string; readonly number: number } {
  let period = periodFrom(anchor, start, interval, count);
  let number = 1;
  for (; Date.parse(period.end) <= Date.parse(now); number++)
    period = periodFrom(period.anchor, period.end, interval, count);
  return { ...period, number };
}

/** The period that ends at `end`; it begins on a boundary of the anchor if `end` is one. */
export function periodUntil(
  anchor: string,
  end: string,
  interval: Interval,
  count: number,
): { readonly start: string; readonly end: string } {
  const months = interval === 'month' || interval === 'year' ? wholeMonths(anchor, end) : null;
  if (months === null) return { start: boundary(end, interval, -count), end };
  const step = interval === 'year' ? 12 * count : count;
  return { start: boundary(anchor, 'month', months - step), end };
}

/** Returns the number of months from `anchor` to `at`; null if `at` is not one of the anchor's boundaries. */
function wholeMonths(anchor: string, at: string): number | null {
  const from = new Date(anchor);
  const to = new Date(at);
  const months = 12 * (to.getUTCFullYear() - from.getUTCFullYear()) + to.getUTCMonth() - from.getUTCMonth();
  return months >= 0 && boundary(anchor, 'month', months) === at ? months : null;
}

/** Number of boundaries from `first` up to and including `to`; stops counting at `atMost`. */
export function boundariesUntil(
  first: string,
  to: string,
  interval: Interval,
  count: number,
  atMost: number,
): number {
  let crossed = 0;
  while (crossed < atMost && Date.parse(boundary(first, interval, crossed * count)) <= Date.parse(to)) {
    crossed += 1;
  }
  return crossed;
}

export function addDays(instant: string, days: number): string {
  return new Date(Date.parse(instant) + days * 86_400_000).toISOString();
}

function addMonths(from: Date, months: number): string {
  const target = new Date(from);
  target.setUTCDate(1);
  target.setUTCMonth(target.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(from.getUTCDate(), lastDay));
  return target.toISOString();
}
