/** Settles an off-session charge and all rows that depend on it, in the caller's transaction. */
import { z } from 'zod';
import type { PaymentStatus } from '../../domain/payment/payment.ts';
import {
  type AfterFailure,
  afterFailure,
  beginDunning,
  begunAgain,
  type Dunning,
  dueAtOnce,
  isShorterThanLadder,
  ladderStart,
  postponed,
  putOff,
} from '../../domain/subscription/dunning.ts';
import { ALERT_AFTER_UNANSWERED, chargeAgainAt } from '../../domain/subscription/subscription-charge.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { type LockedPayment, transitionPayment } from '../payment/payment-row.ts';
import type { AnswerDetails } from '../payment/rail-calls.ts';
import { wasAskedForMethod } from './core/stranded.ts';
import { recordSubscriptionEvents, type SubscriptionEvent } from './core/subscription-events.ts';
import { failInvoice, settleInvoice, type UnpaidInvoice } from './core/subscription-invoices.ts';
import {
  type LockedSubscription,
  type SubscriptionChanges,
  saveSubscription,
  writesOff,
} from './core/subscription-row.ts';
import { endSubscription } from './end-subscription.ts';

/** The locked rows of the charge being settled. */
export interface ChargeBeingSettled {
  readonly tx: Transaction;
  readonly subscription: LockedSubscription;
  readonly payment: LockedPayment;
  readonly invoice: UnpaidInvoice;
  /** The answer's details; absent if they are already stored. */
  readonly details?: AnswerDetails | null;
  /** True if paid on a hosted page, which implies nothing about the stored method. */
  readonly byLink?: boolean;
}

/**
 * Settles a paid invoice. If more invoices are unpaid, the subscription stays past due, and the next one, oldest first,
 * is charged immediately.
 */
export async function settlePaid(charge: ChargeBeingSettled): Promise<void> {
  const { tx, subscription, invoice, byLink = false } = charge;
  const { charge_at: chargeAt, dunning } = subscription;
  const paid = await move(charge, 'succeeded', null);
  await showCharged(tx, paid.id, subscription.id);
  await settleInvoice(tx, invoice, subscription.now);
  const left = subscription.unpaid_invoices - 1;
  // The next invoice waits for another method too.
  const waits = byLink && chargeAt === null;
  const now = await saveSubscription(tx, subscription, {
    status: left === 0 ? 'active' : subscription.status,
    charge_at: left === 0 || (waits && dunning) ? null : subscription.now,
    method_declined: byLink && subscription.method_declined,
    // If the next invoice fails, it begins a new schedule; without one, it would be charged immediately.
    dunning:
      left > 0 && dunning && (waits || writesOff(subscription))
        ? begunAgain(dunning, subscription.now)
        : null,
    // The payment came before the period's end, so no period is skipped.
    next_period_waits: subscription.next_period_waits && (left > 0 || isOver(subscription)),
    ...settled(left),
  });
  await recordSubscriptionEvents(tx, now, [
    { type: 'payment.succeeded', aggregate: paid, paymentId: paid.id, invoiceId: invoice.id },
    ...updatedIfMoved(subscription, now),
  ]);
}

function isOver({ current_period_end: end, now }: LockedSubscription): boolean {
  return end !== null && end <= now;
}

/**
 * Returns the retry schedule after a charge due at `dueAt` that was not made until `until`: later retries keep their
 * distance from it. A cancelled subscription whose period is over only collects what is unpaid: it ends with its
 * schedule, which an outage does not postpone.
 */
export function scheduleAfter(
  subscription: LockedSubscription,
  dueAt: string,
  until: string,
  ladderDays: readonly number[],
): Dunning | null {
  const { cancel_at_period_end, collects, dunning, now } = subscription;
  if (cancel_at_period_end && collects && isOver(subscription))
    return dunning ?? beginDunning(now, ladderDays);
  return dunning && putOff(dunning, dueAt, until);
}

function updatedIfMoved(before: LockedSubscription, now: LockedSubscription): SubscriptionEvent[] {
  return now.status === before.status ? [] : [{ type: 'subscription.updated' }];
}

export interface Decline {
  readonly code: string;
  /** True if the schedule waits for another method. */
  readonly needsMethod: boolean;
  /** True if the issuer has declined the method permanently. */
  readonly methodDeclined: boolean;
}

/** Starts or continues dunning; ends the subscription when no retries are left. */
export async function settleDeclined(
  charge: ChargeBeingSettled,
  { code, needsMethod, methodDeclined }: Decline,
  ladderDays: readonly number[],
): Promise<void> {
  const { tx, subscription, payment } = charge;
  const failed = await move(charge, 'failed', code);
  const dunning = await ladderOf(charge, ladderDays);
  // If the method was replaced while this charge was open, try the new one immediately.
  const replaced = await methodWasReplaced(tx, payment.id, subscription.id);
  const next = replaced
    ? ({ kind: 'retry', at: dueAtOnce(dunning, subscription.now) } as const)
    : afterFailure(dunning, subscription.now, needsMethod);
  const declined = {
    ...charge,
    subscription: {
      ...subscription,
      method_declined: subscription.method_declined || (methodDeclined && !replaced),
    },
  };
  await fallBehind(declined, { ended: failed, dunning, next, asks: next.kind === 'awaitMethod', ladderDays });
}

type Unpaid = Pick<ChargeBeingSettled, 'tx' | 'subscription' | 'invoice'>;

interface Behind {
  /** The attempt; null if none was made. */
  readonly ended: { readonly id: string; readonly version: number } | null;
  readonly dunning: Dunning;
  readonly next: AfterFailure;
  /** True if the customer is asked for another method. */
  readonly asks: boolean;
  readonly ladderDays: readonly number[];
}

async function fallBehind(
  { tx, subscription, invoice }: Unpaid,
  { ended, dunning, next, asks, ladderDays }: Behind,
): Promise<void> {
  const failedAs = await failInvoice(tx, invoice, subscription.now, { again: ended !== null });
  const now = await saveSubscription(tx, subscription, {
    status: 'past_due',
    dunning,
    charge_at: next.kind === 'retry' ? next.at : null,
    next_period_waits: isShorter(subscription, ladderDays),
    ...settled(subscription.unpaid_invoices),
  });
  const about = { ...(ended && { paymentId: ended.id }), invoiceId: invoice.id };
  const events: SubscriptionEvent[] = updatedIfMoved(subscription, now);
  if (failedAs !== null) {
    const aggregate = { id: invoice.id, version: failedAs };
    events.unshift({ type: 'invoice.payment_failed', aggregate, ...about });
    if (!ended && !(await wasAttempted(tx, invoice)))
      events.unshift({ type: 'payment.failed', aggregate, ...about });
  }
  if (ended) events.unshift({ type: 'payment.failed', aggregate: ended, ...about });
  if (asks && !now.charging_stopped && !writesOff(now)) {
    events.push({ type: 'payment_method.updated_required', withMethod: true, ...about });
  }
  await recordSubscriptionEvents(tx, now, events);
  if (next.kind === 'giveUp') await endSubscription(tx, now);
}

/** Returns whether an unpaid invoice of the current period may be retried beyond it. */
export function isShorter(
  { current_period_start: start, current_period_end: end }: LockedSubscription,
  ladderDays: readonly number[],
): boolean {
  return start !== null && end !== null && isShorterThanLadder({ start, end }, ladderDays);
}

/** Returns the current retry schedule, or one that begins now. */
async function ladderOf(
  { tx, subscription, payment, invoice }: ChargeBeingSettled,
  ladderDays: readonly number[],
): Promise<Dunning> {
  const running = await putOffUntilNow(tx, subscription, payment.id);
  return running ?? beginDunning(ladderStart(invoice.period_start, subscription.now), ladderDays);
}

/** Postpones later retries to keep their distance from this answer, which may be days late. */
async function putOffUntilNow(
  tx: Transaction,
  { dunning, now }: LockedSubscription,
  paymentId: string,
): Promise<Dunning | null> {
  if (!dunning) return null;
  const claimedAt = await tx.oneFirst(sql.type(z.object({ at: z.string() }))`
    select created_at as at from payments where id = ${paymentId}
  `);
  return putOff(dunning, claimedAt, now);
}

/** Returns whether a charge of the invoice was attempted, so that its `payment.failed` was sent. */
function wasAttempted(tx: Transaction, { id }: UnpaidInvoice): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`select from payments where invoice_id = ${id}`);
}

const unanswered = z.object({ attempts: z.number(), claimed_at: z.string() });

/**
 * Settles an attempt that ended without an answer from the bank: no dunning begins, and the invoice is charged again. A
 * current schedule is postponed from the claim on, so that days in doubt count too. A collecting subscription needs a
 * schedule with which it ends.
 */
export async function settleNotCharged(
  charge: ChargeBeingSettled,
  ladderDays: readonly number[],
): Promise<void> {
  const { tx, subscription, payment, invoice } = charge;
  const ended = await move(charge, 'cancelled', null);
  const { attempts, claimed_at: claimedAt } = await tx.one(sql.type(unanswered)`
    select count(*) as attempts, max(created_at) filter (where id = ${payment.id}) as claimed_at
    from payments where invoice_id = ${invoice.id} and checkout_id is null and status = 'cancelled'
  `);
  // After a requested attempt, the next retry keeps its date.
  const retryAt = subscription.charge_at;
  const endedAt = retryAt
    ? subscription.now
    : chargeAgainAt(subscription.now, attempts, subscription.clock_target);
  const now = await saveSubscription(tx, subscription, {
    charge_at: retryAt ? postponed(retryAt, claimedAt, endedAt) : endedAt,
    dunning: scheduleAfter(subscription, claimedAt, endedAt, ladderDays),
    ...settled(subscription.unpaid_invoices),
  });
  const about = { paymentId: ended.id, invoiceId: invoice.id };
  const events: SubscriptionEvent[] = [{ type: 'payment.failed', aggregate: ended, ...about }];
  if (attempts === ALERT_AFTER_UNANSWERED) {
    events.push({ type: 'billing.operational_alert', alertCode: 'charge_unanswered', ...about });
  }
  await recordSubscriptionEvents(tx, now, events);
}

/**
 * Skips a due charge of a stranded subscription: its schedule begins or continues, so that a retry notices when the
 * account is usable again. The merchant is notified once per invoice.
 * @param running the subscription's schedule; null if it has none
 */
export async function settleStranded(
  due: Unpaid,
  running: Dunning | null,
  ladderDays: readonly number[],
): Promise<void> {
  const { tx, subscription, invoice } = due;
  const { now } = subscription;
  const dunning = running ?? beginDunning(ladderStart(invoice.period_start, now), ladderDays);
  const next = afterFailure(dunning, now, false);
  const asks = !(await wasAskedForMethod(tx, subscription, invoice));
  await fallBehind(due, { ended: null, dunning, next, asks, ladderDays });
}

export function methodWasReplaced(
  tx: Transaction,
  paymentId: string,
  subscriptionId: string,
): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from payments p, subscriptions s
    where p.id = ${paymentId} and s.id = ${subscriptionId}
      and p.credential_secret_ref is distinct from s.credential_secret_ref
  `);
}

export function settled(unpaidInvoices: number): SubscriptionChanges {
  return {
    open_payment_id: null,
    reconciling: false,
    unpaid_invoices: unpaidInvoices,
  };
}

/** Moves the payment to a status, dated by the subscription's clock. */
export function move(
  { tx, payment, subscription, details }: ChargeBeingSettled,
  to: PaymentStatus,
  code: string | null,
) {
  return transitionPayment(tx, payment, to, code, { at: subscription.now, details });
}

/**
 * Shows the last digits of the card that was charged: the network may have replaced the card under the same mandate.
 */
export async function showCharged(tx: Transaction, paymentId: string, subscriptionId: string): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    update subscriptions s set payment_method = p.payment_method from payments p
    where s.id = ${subscriptionId} and p.id = ${paymentId} and s.credential_secret_ref = p.credential_secret_ref
      and p.payment_method ->> 'last4' is not null and s.payment_method is distinct from p.payment_method
  `);
}
