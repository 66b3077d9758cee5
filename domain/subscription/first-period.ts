/**
 * A subscription's first period. That of one whose purchase was lost in a restore must begin at the instant encoded in
 * the references of its charges at the rail; otherwise a period would be charged again under another reference (rule
 * 28). Pure.
 */
import { addDays, boundary, type Interval } from '../core/calendar.ts';

/** The rail's record of a purchase lost in a restore. */
export interface LostPurchase {
  /** The purchase, by the rail's clock. */
  readonly purchasedAt: string;
  /** When the second period began, if it was charged. */
  readonly renewedAt: string | null;
}

export interface Recurrence {
  readonly interval: Interval;
  readonly intervalCount: number;
  readonly trialDays: number | null;
}

export interface FirstPeriod {
  readonly start: string;
  readonly end: string;
  readonly anchor: string;
}

/**
 * @param now used if the rail shows no renewal although one would have been due: nothing is charged at once
 */
export function firstPeriod(recurrence: Recurrence, now: string, lost: LostPurchase | null): FirstPeriod {
  if (!lost) return periodOf(recurrence, now);
  const { purchasedAt, renewedAt } = lost;
  if (renewedAt === null) {
    const since = periodOf(recurrence, purchasedAt);
    return since.end > now ? since : periodOf(recurrence, now);
  }
  const found = [-1, 0, 1]
    .map((days) => periodOf(recurrence, addDays(atTimeOf(renewedAt, purchasedAt), days)))
    .filter(({ end }) => end === renewedAt)
    .sort((a, b) => distance(a.start, purchasedAt) - distance(b.start, purchasedAt));
  return found[0] ?? { start: purchasedAt, end: renewedAt, anchor: renewedAt };
}

function periodOf({ interval, intervalCount, trialDays }: Recurrence, start: string): FirstPeriod {
  if (trialDays) {
    const end = addDays(start, trialDays);
    return { start, end, anchor: end };
  }
  return { start, end: boundary(start, interval, intervalCount), anchor: start };
}

/** The day of `day` at the time of `time`: renewals keep the time of day. */
function atTimeOf(time: string, day: string): string {
  return day.slice(0, 11) + time.slice(11);
}

function distance(a: string, b: string): number {
  return Math.abs(Date.parse(a) - Date.parse(b));
}
