/** A subscription's first period. Pure. */
import { addDays, boundary, type Interval } from '../core/calendar.ts';

/** Limit of a price's trial, and of a moved trial, counted from the move. */
export const LONGEST_TRIAL_DAYS = 730;

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

export function firstPeriod({ interval, intervalCount, trialDays }: Recurrence, start: string): FirstPeriod {
  if (trialDays) {
    const end = addDays(start, trialDays);
    return { start, end, anchor: end };
  }
  return { start, end: boundary(start, interval, intervalCount), anchor: start };
}
