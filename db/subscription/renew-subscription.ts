/**
 * Actions that become due: the end of a period, a retry, the end of the dunning schedule. Each is one idempotent
 * transaction under the subscription's lock that does nothing before its due time.
 */
import { z } from 'zod';
import { periodAt } from '../../domain/core/calendar.ts';
import { ENVIRONMENTS } from '../../domain/core/environment.ts';
import { atBoundary } from '../../domain/subscription/subscription.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { invoiceInEvent, issueInvoice } from '../invoice/invoices.ts';
import { takeProbeSlotOrWait } from '../payment/rail-admission.ts';
import { claimCharge } from './claim-charge.ts';
import { changeAt, plannedWith } from './core/planned-period.ts';
import { arriveAt, reachTarget } from './core/sandbox-clock.ts';
import { methodIsLost } from './core/stranded.ts';
import {
  appliedUpdate,
  readContext,
  recordSubscriptionEvents,
  type SubscriptionEvent,
} from './core/subscription-events.ts';
import {
  billedPlan,
  calculatePeriod,
  draftPeriodInvoice,
  failWaitingChange,
  intervalOf,
  oldestUnpaidInvoice,
} from './core/subscription-invoices.ts';
import {
  cyclesLeftAfter,
  isLastPeriod,
  type LockedSubscription,
  lockSubscription,
  saveSubscription,
} from './core/subscription-row.ts';
import { endSubscription } from './end-subscription.ts';
import { beginPause } from './pause-subscription.ts';
import { scheduleAfter, settleStranded } from './settle-charge.ts';

/**
 * Ends the period: either the subscription ends, or the next period begins with its invoice, frozen plan and price, and
 * the claim of its charge (rule 25).
 *
 * @returns the claimed payment's id, if any
 * @throws a lock time-out after a second
 */
export function renewPeriod(pool: Pool, subscriptionId: string): Promise<string | null> {
  return inTransaction(pool, async (tx) => {
    const subscription = await arriveAt(
      tx,
      await lockSubscription(tx, subscriptionId, 'briefly'),
      'boundary',
    );
    return subscription && renew(tx, subscription);
  });
}

async function renew(tx: Transaction, locked: LockedSubscription): Promise<string | null> {
  const subscription = await failWaitingChange(tx, locked);
  const { current_period_end, billing_anchor } = subscription;
  if (!current_period_end || !billing_anchor) throw new Error(`${subscription.id} has no period`);
  const start = await startOfNext(tx, subscription, current_period_end);
  const change = await changeAt(tx, subscription.id, start);
  const planned = plannedWith(subscription, change, start);
  const plan = await billedPlan(tx, planned);
  const resumes = subscription.status === 'paused';
  const outcome = atBoundary({
    status: subscription.status,
    cancelAtPeriodEnd: subscription.cancel_at_period_end,
    pauseAtPeriodEnd: subscription.pause_at_period_end,
    isLastPeriod: isLastPeriod(subscription),
    currentPeriodEnd: start,
    billingAnchor: resumes || change?.from_days ? start : billing_anchor,
    interval: plan.interval,
    intervalCount: plan.interval_count,
    earlierUnpaid: subscription.unpaid_invoices > 0,
  });
  if (outcome.kind === 'end') {
    await endSubscription(tx, subscription);
    return null;
  }
  if (outcome.kind === 'pause') {
    await beginPause(tx, subscription);
    return null;
  }

  if (change) await markApplied(tx, change.id, subscription.now);
  const charge = calculatePeriod(planned, plan, outcome.period);
  const isFree = charge.total === 0;
  const chargeNow = outcome.chargeNow && !isFree;
  const laterAt = chargeNow ? await railBackAt(tx, subscription) : null;
  const context = await readContext(tx, planned);
  const draft = await draftPeriodInvoice(tx, planned, plan, charge);
  // From here until the commit, the merchant's other invoices wait for this number: use as few statements as possible.
  const invoice = await issueInvoice(tx, draft);
  const claims = chargeNow && laterAt === null;
  const claimed = claims
    ? await claimCharge(tx, planned, {
        ...invoice,
        order_id: draft.orderId,
        period_start: outcome.period.start,
        change_id: null,
      })
    : null;
  // A stranded subscription becomes past due immediately, without an attempt (`chargeOldest`).
  const chargeAt = claims && claimed === null ? subscription.now : laterAt;
  const renewed = await saveSubscription(tx, planned, {
    status: outcome.status,
    billing_anchor: outcome.billingAnchor,
    current_period_start: outcome.period.start,
    current_period_end: outcome.period.end,
    next_period_waits: false,
    resumes_at: null,
    billing_cycles_left: cyclesLeftAfter(subscription, { beginsPeriod: !isFree }),
    unpaid_invoices: subscription.unpaid_invoices + (isFree ? 0 : 1),
    open_payment_id: claimed ?? subscription.open_payment_id,
    ...(chargeAt !== null && { charge_at: chargeAt }),
  });
  const events: SubscriptionEvent[] = [
    { type: 'invoice.created', aggregate: invoice, invoiceId: invoice.id },
    { type: 'subscription.updated', change: change ? appliedUpdate(change) : 'renewed' },
    ...(resumes ? [{ type: 'subscription.resumed' } as const] : []),
  ];
  await recordSubscriptionEvents(tx, renewed, events, { ...context, invoice: invoiceInEvent(invoice) });
  return claimed;
}

async function startOfNext(tx: Transaction, subscription: LockedSubscription, end: string): Promise<string> {
  const { status, resumes_at: resumesAt, next_period_waits: waits } = subscription;
  if (status === 'paused' && resumesAt !== null) return resumesAt;
  return waits ? periodOfPayment(tx, subscription) : end;
}

/** Finds the period in which an older invoice was paid; the skipped periods before it are never billed. */
async function periodOfPayment(
  tx: Transaction,
  { now, price_id, current_period_end: end, billing_anchor: anchor }: LockedSubscription,
): Promise<string> {
  const { interval, interval_count: count } = await intervalOf(tx, price_id);
  return periodAt(anchor ?? '', end ?? '', now, interval, count).start;
}

/**
 * Charges the oldest unpaid invoice: a retry, or the next invoice in the queue.
 * @param ladderDays retry days for a collecting subscription that has no schedule yet, and ends with the schedule
 * @returns the claimed payment's id, if any
 * @throws a lock time-out after a second
 */
export function chargeOldest(
  pool: Pool,
  subscriptionId: string,
  ladderDays: readonly number[],
): Promise<string | null> {
  return inTransaction(pool, async (tx) => {
    const subscription = await arriveAt(tx, await lockSubscription(tx, subscriptionId, 'briefly'), 'charge');
    const invoice = subscription && (await oldestUnpaidInvoice(tx, subscriptionId));
    if (!subscription || !invoice) return null;
    const { charge_at: dueAt, now } = subscription;
    const laterAt = await railBackAt(tx, subscription);
    const dunning = scheduleAfter(subscription, dueAt ?? now, laterAt ?? now, ladderDays);
    if (laterAt !== null) {
      await saveSubscription(tx, subscription, { charge_at: laterAt, dunning });
      return null;
    }
    const claimed = await claimCharge(tx, subscription, invoice);
    if (claimed === null) {
      await settleStranded({ tx, subscription, invoice }, dunning, ladderDays);
      return null;
    }
    await saveSubscription(tx, subscription, { charge_at: null, open_payment_id: claimed, dunning });
    return claimed;
  });
}

const accountAtRail = z.object({
  id: z.string(),
  rail: z.string(),
  environment: z.enum(ENVIRONMENTS),
  status: z.enum(['activating', 'active', 'disabled']),
});
/** Charges that waited for the rail are spread over this time. */
const SPREAD_SECONDS = 300;

/**
 * Returns until when a charge is postponed while the rail fails entirely; null to charge now. A moving clock does not
 * wait, and neither does a stranded subscription, for which nothing is sent.
 */
export async function railBackAt(tx: Transaction, subscription: LockedSubscription): Promise<string | null> {
  if (subscription.clock_target !== null) return null;
  const account = await tx.maybeOne(sql.type(accountAtRail)`
    select a.id, a.rail, a.environment, a.status from subscriptions s join rail_accounts a on a.id = s.rail_account_id
    where s.id = ${subscription.id} and not ${methodIsLost}
  `);
  if (!account) return null;
  const seconds = await takeProbeSlotOrWait(tx, account);
  if (seconds === null) return null;
  const waitMs = 1_000 * (seconds + Math.random() * SPREAD_SECONDS);
  return new Date(Date.parse(subscription.now) + waitMs).toISOString();
}

/** Ends the subscription once the retry schedule is over. */
export function giveUp(pool: Pool, subscriptionId: string): Promise<void> {
  return endWhenDue(pool, subscriptionId, 'giveUp');
}

/** Executes a cancellation that was requested while a charge was open, once the charge is settled. */
export function cancelAsRequested(pool: Pool, subscriptionId: string): Promise<void> {
  return endWhenDue(pool, subscriptionId, 'cancel');
}

function endWhenDue(pool: Pool, subscriptionId: string, action: 'giveUp' | 'cancel'): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const subscription = await arriveAt(tx, await lockSubscription(tx, subscriptionId), action);
    if (subscription) await endSubscription(tx, subscription);
  });
}

/** Sets a moving sandbox clock to its target if nothing is due before. */
export function reachClockTarget(pool: Pool, subscriptionId: string): Promise<void> {
  return inTransaction(pool, async (tx) => {
    const subscription = await lockSubscription(tx, subscriptionId);
    await reachTarget(tx, subscription);
  });
}

async function markApplied(tx: Transaction, changeId: string, now: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update subscription_changes set status = 'applied', updated_at = ${now} where id = ${changeId}
  `);
}
