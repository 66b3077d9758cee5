/** Cancels a subscription for its merchant or an operator: immediately, or at the end of the period unless undone. */
import { z } from 'zod';
import { resumed, retryAfter } from '../../domain/subscription/dunning.ts';
import { waitsForCharge } from '../../domain/subscription/operations.ts';
import type { Pool, Transaction } from '../core/pool.ts';
import { sql } from '../core/pool.ts';
import { isPreviewOutdated, type Previewable } from './core/outdated-preview.ts';
import { wasAskedSinceFailure } from './core/stranded.ts';
import { recordSubscriptionEvent } from './core/subscription-events.ts';
import { oldestUnpaidInvoice } from './core/subscription-invoices.ts';
import {
  done,
  type Operation,
  type OperationAnswer,
  operable,
  operate,
  refused,
} from './core/subscription-operations.ts';
import { type LockedSubscription, saveSubscription, writesOff } from './core/subscription-row.ts';
import { endSubscription } from './end-subscription.ts';

export interface CancelOperation extends Operation, Previewable {
  readonly atPeriodEnd: boolean;
}

export function cancelSubscription(pool: Pool, operation: CancelOperation): Promise<OperationAnswer> {
  return operate(pool, 'cancel', operation, async (tx, subscription) => {
    if (isPreviewOutdated(subscription, operation)) return refused('preview_outdated', 0);
    if (endsWithPeriod(subscription, operation)) return atPeriodEnd(tx, subscription);
    await cancelAtOnce(tx, subscription);
    return done();
  });
}

/** False for a paused subscription, which has no period to end with. */
export function endsWithPeriod(
  { status }: Pick<LockedSubscription, 'status'>,
  { atPeriodEnd: isLater }: Pick<CancelOperation, 'atPeriodEnd'>,
): boolean {
  return isLater && status !== 'paused';
}

async function atPeriodEnd(tx: Transaction, subscription: LockedSubscription): Promise<OperationAnswer> {
  const isSet = await tx.oneFirst(sql.type(z.object({ collects: z.boolean() }))`
    select collect_after_cancellation as collects from merchants where id = ${subscription.merchant_id}
  `);
  // With the flag set, the cancellation stays in force even if an operator lets the stopped subscription continue.
  if (subscription.charging_stopped)
    await tx.query(sql.typeAlias('void')`
      update restore_findings set ends = true, collects = ${isSet}
      where owner_id = ${subscription.id} and effect is not null`);
  // Nothing is collected after a lost dispute.
  const collects = isSet && !subscription.charging_stopped;
  if (subscription.cancel_at_period_end && subscription.collects === collects) return done();
  // A scheduled pause is kept, because the cancellation can be undone; if both are set, the subscription ends.
  const ending = await saveSubscription(tx, subscription, { cancel_at_period_end: true, collects });
  await recordSubscriptionEvent(tx, ending, { type: 'subscription.updated', change: 'cancellation_set' });
  return done();
}

/** Withdraws a cancellation: the subscription continues as if the cancellation had never been requested. */
export function undoCancel(pool: Pool, operation: Operation): Promise<OperationAnswer> {
  return operate(pool, 'undoCancel', operation, async (tx, subscription) => {
    const { charge_at: chargeAt, now } = subscription;
    const resumes = writesOff(subscription) && subscription.dunning;
    const dunning = resumes && resumed(resumes, now);
    const continuing = await saveSubscription(tx, subscription, {
      cancel_at_period_end: false,
      collects: false,
      // Retries that were due while the subscription was cancelled are skipped.
      ...(dunning && {
        dunning,
        charge_at: chargeAt !== null && chargeAt < now ? retryAfter(dunning, now) : chargeAt,
      }),
    });
    await recordSubscriptionEvent(tx, continuing, {
      type: 'subscription.updated',
      change: 'cancellation_undone',
    });
    if (dunning && chargeAt === null) await askForMethod(tx, continuing);
    return done();
  });
}

/** Asks for another method now, because nobody was asked while the cancellation was in force. */
async function askForMethod(tx: Transaction, subscription: LockedSubscription): Promise<void> {
  const invoice = subscription.open_payment_id ? null : await oldestUnpaidInvoice(tx, subscription.id);
  if (!invoice || (await wasAskedSinceFailure(tx, subscription, invoice))) return;
  await recordSubscriptionEvent(tx, subscription, {
    type: 'payment_method.updated_required',
    withMethod: true,
    invoiceId: invoice.id,
  });
}

/** Cancels now or, if a charge is open, stores the request until the charge is settled (rule 25). */
export async function cancelAtOnce(tx: Transaction, subscription: LockedSubscription): Promise<void> {
  if (!waitsForCharge('cancel', operable(subscription))) await endSubscription(tx, subscription);
  else if (!subscription.cancel_requested_at) {
    await saveSubscription(tx, subscription, { cancel_requested_at: subscription.now });
  }
}
