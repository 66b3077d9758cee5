/**
 * Formats amounts, times and counts in the person's language; days and times follow the merchant's time zone, or UTC
 * for operators.
 */
import { LANGUAGE } from './language.ts';

const BROWSER_ZONE = new Intl.DateTimeFormat().resolvedOptions().timeZone;
let exact = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeStyle: 'medium' });
let day = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium' });
const relative = new Intl.RelativeTimeFormat(LANGUAGE, { numeric: 'auto', style: 'long' });

export const exactTime = (at: string) => exact.format(new Date(at));
export const dayOf = (at: string) => day.format(new Date(at));
/** The time zone of all that is shown and entered; undefined (the browser's own) until a merchant is opened. */
export let zone: string | undefined;
export function setZone(timeZone: string | undefined, hourCycle?: 'h23'): void {
  zone = timeZone;
  exact = new Intl.DateTimeFormat(LANGUAGE, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone,
    hourCycle,
  });
  day = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeZone });
}
/** The zone, unless it is the browser's own. */
export const foreignZone = () => (exact.resolvedOptions().timeZone === BROWSER_ZONE ? undefined : zone);
const date = new Intl.DateTimeFormat(LANGUAGE, { dateStyle: 'medium', timeZone: 'UTC' });
/** A day without a time, the same in every zone. */
export const dateOf = (isoDate: string) => date.format(new Date(isoDate));
export const count = (value: number) => value.toLocaleString(LANGUAGE);

/** Isolates Arabic or Hebrew within a sentence: otherwise the text beside it would change places. */
export function isolated(text: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(text) ? `\u2068${text}\u2069` : text;
}

export function money(cents: number, currency: string): string {
  return (cents / 100).toLocaleString(LANGUAGE, { style: 'currency', currency });
}

/** An amount on an axis: without decimals if it is whole. */
export function wholeMoney(cents: number, currency: string): string {
  const style = { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' } as const;
  return (cents / 100).toLocaleString(LANGUAGE, style);
}

export function percent(share: number): string {
  return share.toLocaleString(LANGUAGE, { style: 'percent', maximumFractionDigits: 1 });
}

const STEPS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

export function timeAgo(at: string, now: number): string {
  const seconds = Math.round((Date.parse(at) - now) / 1_000);
  const [unit, size] = STEPS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return relative.format(Math.trunc(seconds / size), unit);
}

/** "19", "19.5" or "19,50" in cents; null unless it is an amount. */
export function readAmount(typed: string): number | null {
  const [, whole, part = ''] = /^\s*(\d{1,7})(?:[.,](\d{1,2}))?\s*$/.exec(typed) ?? [];
  return whole === undefined ? null : Number(whole) * 100 + Number(part.padEnd(2, '0'));
}

export const amountText = (cents: number) =>
  (cents / 100).toLocaleString(LANGUAGE, { minimumFractionDigits: 2, useGrouping: false });
