/** A subscription's first period. Pure. */
import { addDays, boundary, type Interval } from '../core/calendar.ts';

/** Of a price, and from the instant at which a trial's end is moved. */
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
