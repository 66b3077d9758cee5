/**
 * Subscriptions whose cancellation or pause was lost in a restore: nothing is charged until their merchant, or an
 * operator, lets them continue.
 */
import type { Facts, Violation } from './facts.ts';
import type { Exchange, Subscription } from './records.ts';

const CONTINUES = /\/(resume|cancel\/undo|plan-change|offering-change|quantity|trial)$/;
export const UNPAID = new Set(['open', 'payment_failed']);
const CANNOT_PAUSE = new Set(['trialing', 'past_due']);

export function stoppedIsNotCharged(facts: Facts): Violation[] {
  const { subscriptions, invoices, ledger, paymentById, exchanges } = facts;
  return subscriptions.flatMap(({ id }) => {
    const lost = lastLost(facts, id);
    const since = lost && isStop(lost) && isListed(facts, id) && restoredAt(facts, lost);
    if (!since) return [];
    const continues = exchanges.some(
      ({ path, answeredAt, status }) =>
        CONTINUES.test(path) &&
        path.startsWith(`/v1/subscriptions/${id}/`) &&
        answeredAt > since &&
        status >= 200 &&
        status < 300,
    );
    if (continues) return [];
    const orders = new Set(
      invoices.filter((each) => each.subscription_id === id).map(({ order_id }) => order_id),
    );
    return ledger
      .filter(({ operation, amount, at }) => operation === 'chargeStored' && amount > 0 && at > since)
      .filter(({ reference }) => orders.has(paymentById.get(reference)?.order_id ?? null))
      .map(({ reference, at }) => ({
        promise: 'a stopped subscription is not charged',
        subject: id,
        found: `${lost.path} was lost in the restore of ${since}, but ${reference} was charged at ${at}`,
      }));
  });
}

/** True if a lost pause can take effect neither in the trial nor while an invoice is unpaid, and holds the subscription. */
export function isHeld(facts: Facts, { id, status }: Subscription): boolean {
  const lost = lastLost(facts, id);
  const cannotPause = CANNOT_PAUSE.has(status) || isUnpaid(facts, id);
  return cannotPause && lost?.path.endsWith('/pause') === true && isListed(facts, id);
}

/** True if charging was stopped by a lost dispute or a listed request: unpaid invoices wait for the end or a decision. */
export function isStopped(
  facts: Facts,
  { id, charging_stopped_at: stoppedAt = null }: Subscription,
): boolean {
  return stoppedAt !== null && (facts.stoppedByDispute.has(id) || isListed(facts, id));
}

function isUnpaid({ invoices }: Facts, id: string): boolean {
  return invoices.some(({ subscription_id, status }) => subscription_id === id && UNPAID.has(status));
}

function lastLost({ exchanges, isAnswerLost }: Facts, id: string): Exchange | undefined {
  const asks = new RegExp(`^/v1/subscriptions/${id}/(cancel(/undo)?|pause|resume|trial)$`);
  return exchanges
    .filter((each) => asks.test(each.path) && each.status >= 200 && each.status < 300 && isAnswerLost(each))
    .toSorted((one, other) => one.answeredAt.localeCompare(other.answeredAt))
    .at(-1);
}

function isStop({ path, body }: Exchange): boolean {
  return path.endsWith('/cancel') || (path.endsWith('/pause') && !body?.includes('resumes_at'));
}

/** True if an operator sees the lost request listed: it was not stored again. */
function isListed({ incidents }: Facts, id: string): boolean {
  return incidents.some((each) => each.kind === 'not_in_database' && each.id.startsWith(`${id}:`));
}

function restoredAt({ restores }: Facts, { sentAt, answeredAt }: Exchange): string | undefined {
  return restores.findLast(({ target, at, stoppedAt = at }) => answeredAt >= target && sentAt <= stoppedAt)
    ?.at;
}
