/** The text about payments on a subscription's page. */
import type { Schemas } from '../api/description.ts';
import { dayOf } from '../words/format.ts';
import { words } from '../words/words.ts';

type Details = Schemas['SubscriptionDetailsAnswer'];

/** Null in a trial, for which nothing was paid, and after the end: it may have ended unpaid. */
export function paidUntil({ status, dunning, current_period_end: end }: Details): string | null {
  const day = status === 'past_due' ? dunning?.unpaid_since : end;
  return day && ['active', 'past_due', 'paused'].includes(status) ? dayOf(day) : null;
}

/** @param isStopped true if the page's note already says why nothing is charged, which no payment method changes */
export function unpaidText(
  {
    unpaid_since: since,
    declines,
    waits_for: waitsFor,
    retry_at: retryAt,
    ends_at: endsAt,
  }: NonNullable<Details['dunning']>,
  isStopped: boolean,
): string {
  const { declines: declined, waitsFor: waiting, unpaidEnd } = words.subscriptions;
  return [
    declined(declines, dayOf(since)),
    ...(isStopped && waitsFor !== 'charge' ? [] : [waiting[waitsFor](dayOf(retryAt ?? endsAt))]),
    unpaidEnd(dayOf(endsAt)),
  ].join(' ');
}
