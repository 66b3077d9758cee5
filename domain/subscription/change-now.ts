/** A plan change that takes effect immediately: its charge, and the period that it leads to. Pure. */
import { boundary, type Interval } from '../core/calendar.ts';
import {
  type Calculation,
  calculate,
  type InvoicedPart,
  type Period,
  type PeriodTerms,
} from './proration.ts';

interface Every {
  readonly interval: Interval;
  readonly intervalCount: number;
}

export interface ToChangeNow {
  /** The new plan's terms. */
  readonly terms: PeriodTerms;
  readonly every: Every;
  readonly before: Every;
  /** The current period. */
  readonly period: Period;
  readonly at: string;
  /** Settled invoices of the subscription, oldest first. */
  readonly paid: readonly InvoicedPart[];
}

export interface ChangedNow extends Calculation {
  /** The charged period: the rest of the current one, or a whole new one. */
  readonly period: Period;
}

export function changeNow({ terms, every, before, period: current, at, paid }: ToChangeNow): ChangedNow {
  const period = keepsPeriod(before, every)
    ? current
    : { start: at, end: boundary(at, every.interval, every.intervalCount) };
  return {
    ...calculate({ terms, period, from: at, replaces: paid }),
    period: { start: at, end: period.end },
  };
}

/**
 * A plan of the same interval is charged for the rest of the period; a plan of another interval begins a new period.
 */
export function keepsPeriod(before: Every, after: Every): boolean {
  return before.interval === after.interval && before.intervalCount === after.intervalCount;
}

const PREVIEW_LASTS_MS = 900_000;

export interface Previewed {
  readonly calculatedAt: string;
  readonly now: string;
  /** A null end means open-ended, as for a pause without a date. */
  readonly period: { readonly start: string; readonly end: string | null };
  /** When the facts behind the calculation last changed: the subscription, the price, payments. */
  readonly changedAt: readonly string[];
}

/** True unless the preview is at most 15 minutes old, from the current period, and later than the last change. */
export function isOutdated({ calculatedAt, now, period, changedAt }: Previewed): boolean {
  const isRecent = calculatedAt <= now && Date.parse(now) - Date.parse(calculatedAt) <= PREVIEW_LASTS_MS;
  const isOfPeriod = calculatedAt >= period.start && (period.end === null || calculatedAt < period.end);
  return !isRecent || !isOfPeriod || changedAt.some((at) => at > calculatedAt);
}
