/** Nothing is unfinished past its deadline, unless an operator sees it listed. */
import type { Facts, Violation } from './facts.ts';
import { isHeld, isStopped, UNPAID } from './stopped.ts';

const UNFINISHED_SESSIONS = new Set(['created', 'processing', 'requires_action', 'reconciliation_required']);
const UNFINISHED_PAYMENTS = new Set(['processing', 'requires_action']);
const BILLED = new Set(['trialing', 'active', 'past_due']);
const GRACE_MS = 5_000;

export function nothingIsUnfinished(facts: Facts): Violation[] {
  const { incidents } = facts;
  const promise = 'nothing is unfinished past its deadline' as const;
  const lost = new Set(incidents.filter(({ kind }) => kind === 'not_in_database').map(({ id }) => id));
  return [
    ...[...unfinishedPurchases(facts), ...unfinishedSubscriptions(facts)].map((each) => ({
      promise,
      ...each,
    })),
    ...incidents
      .filter(
        ({ kind, payment_id }) => !RIGHTLY_OPEN.has(kind) && !(kind === DOUBT && lost.has(payment_id ?? '')),
      )
      .map(
        ({ kind, id, reason }): Violation => ({
          promise: 'every alert clears',
          subject: `${kind} ${id}`,
          found: reason,
        }),
      ),
  ];
}

const DOUBT = 'reconciliation_required';
/** A bank's dispute waits for its decision; objects lost in a restore, and doubts about them, wait for a person. */
const RIGHTLY_OPEN = new Set(['dispute_open', 'not_in_database', 'refund_failed']);

type Unfinished = Omit<Violation, 'promise'>;

function unfinishedPurchases(facts: Facts): Unfinished[] {
  const { sessions, methodChanges, payments, refunds, invoices, endedAt, listed } = facts;
  const found: Unfinished[] = [];
  for (const { id, state, expires_at } of sessions) {
    const isDue = Date.parse(endedAt) > Date.parse(expires_at) + GRACE_MS;
    const isOpen = UNFINISHED_SESSIONS.has(state) && (isDue || state !== 'created');
    if (isOpen && !listed.has(id)) found.push({ subject: id, found: `a session that is ${state}` });
  }
  for (const { id, state } of methodChanges) {
    if (state !== null && state !== 'created' && UNFINISHED_SESSIONS.has(state) && !listed.has(id))
      found.push({ subject: id, found: `a change of method that is ${state}` });
  }
  for (const { id, status, rail } of payments) {
    if (rail !== null && UNFINISHED_PAYMENTS.has(status) && !listed.has(id))
      found.push({ subject: id, found: `a payment that is ${status}` });
  }
  for (const { id, status } of refunds) {
    if (status === 'pending' && !listed.has(id))
      found.push({ subject: id, found: 'a refund that is pending' });
  }
  for (const { id, number, status } of invoices) {
    // The void draft of an unpaid change needs no number.
    if (number === null && status !== 'void')
      found.push({ subject: id, found: 'an invoice without a number' });
  }
  return found;
}

/** Judges deadlines by the subscription's own clock. */
function unfinishedSubscriptions(facts: Facts): Unfinished[] {
  const { subscriptions, sessions, invoices, listed } = facts;
  const isSessionOpen = new Set(
    sessions.filter(({ state }) => UNFINISHED_SESSIONS.has(state)).map((each) => each.subscription_id),
  );
  const found: Unfinished[] = [];
  for (const subscription of subscriptions) {
    const { id, status, clock, clock_target, current_period_end, cancel_requested_at } = subscription;
    const { next_charge_at, change, resumes_at = null } = subscription;
    if (listed.has(id)) continue;
    const unfinished = (what: string) => found.push({ subject: id, found: what });
    const isDue = (instant: string | null) =>
      instant !== null && Date.parse(clock) > Date.parse(instant) + GRACE_MS;
    if (status === 'paused' && isDue(resumes_at)) unfinished(`paused until ${resumes_at}, now ${clock}`);
    if (status === 'incomplete' && !isSessionOpen.has(id)) unfinished('incomplete, but its session is over');
    if (!BILLED.has(status)) continue;
    if (clock_target !== null) unfinished(`its clock stopped at ${clock} on its way to ${clock_target}`);
    if (isDue(current_period_end) && !isHeld(facts, subscription))
      unfinished(`its period ended at ${current_period_end}, now ${clock}`);
    if (isDue(next_charge_at)) unfinished(`its charge was due at ${next_charge_at}, now ${clock}`);
    if (change?.status === 'pending') unfinished(`its change to ${change.target_plan_id} is pending`);
    if (change?.status === 'scheduled' && isDue(change.effective_at))
      unfinished(`its change was due at ${change.effective_at}, now ${clock}`);
    if (cancel_requested_at !== null) unfinished(`${status}, but was cancelled at ${cancel_requested_at}`);
    const open = invoices.find((each) => each.subscription_id === id && UNPAID.has(each.status));
    if (status === 'active' && open && !isStopped(facts, subscription))
      unfinished(`active, but its invoice ${open.id} is ${open.status}`);
  }
  return found;
}
