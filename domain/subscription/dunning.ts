/**
 * Dunning after a failed charge (docs/contract.md#subscription). An invoice's first failed charge fixes the schedule of
 * retries, counted from the invoice's due instant; if the last retry fails, the subscription ends. After a decline that
 * must not be retried, or that requires the cardholder, the invoice waits for a new method until the schedule's end.
 */

import { addDays } from '../core/calendar.ts';
import type { AttemptOutcome } from '../payment/attempt.ts';

/** Days after the due instant; the gaps are 2, 5, 7 and 7 days. */
export const DUNNING_LADDER_DAYS: readonly number[] = [2, 7, 14, 21];

export interface Dunning {
  readonly startedAt: string;
  /** Instants of the retries, at least one; the last one ends the schedule. */
  readonly retries: readonly string[];
}

export function beginDunning(at: string, ladderDays: readonly number[]): Dunning {
  if (ladderDays.length === 0) throw new RangeError('the dunning schedule is empty');
  return { startedAt: at, retries: ladderDays.map((days) => addDays(at, days)) };
}

/** Shorter delays of an answer are ignored: added up, they would move the schedule past the period's end. */
const ON_TIME_MS = 3_600_000;

/** The start of an invoice's schedule: its due instant, or the instant of the first charge's answer if it was late. */
export function ladderStart(dueAt: string, now: string): string {
  return new Date(Date.parse(dueAt) + delayMs(dueAt, now)).toISOString();
}

function delayMs(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from);
  return ms < ON_TIME_MS ? 0 : ms;
}

/** True for a period shorter than the dunning schedule: the next one begins only once older invoices are paid. */
export function isShorterThanLadder(
  period: { readonly start: string; readonly end: string },
  ladderDays: readonly number[],
): boolean {
  return period.end < addDays(period.start, ladderDays.at(-1) ?? 0);
}

export function dunningEnd({ retries, startedAt }: Dunning): string {
  return retries.at(-1) ?? startedAt;
}

/** The due instant of an immediate charge: at most the schedule's end, because a collecting subscription ends then. */
export function dueAtOnce(dunning: Dunning | null, now: string): string {
  return dunning && dunningEnd(dunning) < now ? dunningEnd(dunning) : now;
}

/** Returns the number of scheduled retries that are in the past. */
export function dunningStep({ retries }: Dunning, now: string): number {
  return retries.filter((at) => at <= now).length;
}

/** Postpones the retries after `from`, because the charge due at `from` got no answer from the bank until `to`. */
export function putOff({ startedAt, retries }: Dunning, from: string, to: string): Dunning {
  return { startedAt, retries: retries.map((at) => (at > from ? postponed(at, from, to) : at)) };
}

/** The retry planned for `at`, postponed because a charge waited from `from` to `to`. */
export function postponed(at: string, from: string, to: string): string {
  return new Date(Date.parse(at) + delayMs(from, to)).toISOString();
}

/** The same schedule, restarted at `now`. */
export function begunAgain({ startedAt, retries }: Dunning, now: string): Dunning {
  return { startedAt: now, retries: retries.map((at) => postponed(at, startedAt, now)) };
}

/** The schedule after a cancellation, which stops retries, is undone: unchanged, or restarted if it is over. */
export function resumed(dunning: Dunning, now: string): Dunning {
  return dunningEnd(dunning) > now ? dunning : begunAgain(dunning, now);
}

/** The next retry; after the last one, the schedule's end. */
export function retryAfter(dunning: Dunning, now: string): string {
  return dunning.retries.find((at) => at > now) ?? dunningEnd(dunning);
}

export type AfterFailure =
  | { readonly kind: 'retry'; readonly at: string }
  | { readonly kind: 'awaitMethod' }
  | { readonly kind: 'giveUp' };

export function afterFailure(dunning: Dunning, now: string, needsNewMethod: boolean): AfterFailure {
  if (now >= dunningEnd(dunning)) return { kind: 'giveUp' };
  if (needsNewMethod) return { kind: 'awaitMethod' };
  const at = dunning.retries.find((retry) => retry > now);
  return at ? { kind: 'retry', at } : { kind: 'giveUp' };
}

type Declined = Extract<AttemptOutcome, { kind: 'declined' }>;

/** True if a retry with the same card is forbidden, or pointless without the cardholder. */
export function needsNewMethod(declined: Declined): boolean {
  return !declined.retryable || declined.code === 'authentication_required';
}

/** Hard declines of this payment only: the card may pay for others, or for this one with the cardholder present. */
const ABOUT_PAYMENT: readonly string[] = ['authentication_required', 'suspected_fraud'];

/** True if the card must not be charged again, for any payment. */
export function isMethodDeclined({ retryable, code }: Declined): boolean {
  return !retryable && !ABOUT_PAYMENT.includes(code);
}
