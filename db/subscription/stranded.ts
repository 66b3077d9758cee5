/**
 * A subscription is stranded if its stored method exists only at a disabled account while the merchant has another
 * active account: only another method can be charged. Without an active account it is an outage, which will end.
 */
import { z } from 'zod';
import { afterFailure, type Dunning } from '../../domain/subscription/dunning.ts';
import { type Db, sql, type Transaction } from '../core/pool.ts';
import { accountToCharge } from './claim-charge.ts';
import { endSubscription } from './end-subscription.ts';
import { recordSubscriptionEvent } from './subscription-events.ts';
import type { UnpaidInvoice } from './subscription-invoices.ts';
import { type LockedSubscription, saveSubscription } from './subscription-row.ts';

/**
 * Returns whether the subscription is stranded. False after a lost dispute, and if the processor's list contains the
 * next attempt, which is then claimed and looked up (rule 28).
 */
export function isStranded(
  db: Db,
  subscription: Pick<LockedSubscription, 'id'>,
  { id }: Pick<UnpaidInvoice, 'id'>,
): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from subscriptions s
    join invoices i on i.id = ${id} and i.subscription_id = s.id
    cross join (select count(*) + 1 as no from payments where invoice_id = ${id}) attempt
    join rail_accounts a on a.id = ${accountToCharge} and a.status = 'disabled'
    join rail_accounts successor on successor.merchant_id = a.merchant_id and successor.environment = a.environment
      and successor.status = 'active'
    where s.id = ${subscription.id} and s.charging_stopped_at is null
      and account_that_charged(period_payment_id(s.id, i.period_start, attempt.no), s.merchant_id, s.environment) is null
  `);
}

/** Returns whether the customer has been asked for another method for this invoice. */
export function wasAskedForMethod(
  tx: Transaction,
  subscription: LockedSubscription,
  invoice: UnpaidInvoice,
): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from events e
    where e.aggregate_id = ${subscription.id} and e.type = 'payment_method.updated_required'
      and e.body::jsonb #>> '{invoice,id}' = ${invoice.id}
  `);
}

const attempt = z.object({ id: z.string() });

/**
 * Skips a retry that would fail: the schedule continues without an attempt, so that the account's return is noticed. An
 * invoice's first attempt is still claimed, and ends without being sent, because events name it.
 *
 * @returns false if the invoice must be charged
 */
export async function passStrandedRetry(
  tx: Transaction,
  subscription: LockedSubscription,
  invoice: UnpaidInvoice,
  dunning: Dunning,
): Promise<boolean> {
  const last = await tx.maybeOneFirst(sql.type(attempt)`
    select id from payments where invoice_id = ${invoice.id} and checkout_id is null order by attempt_no desc limit 1
  `);
  if (last === null || !(await isStranded(tx, subscription, invoice))) return false;
  const next = afterFailure(dunning, subscription.now, false);
  const passed = await saveSubscription(tx, subscription, {
    dunning,
    charge_at: next.kind === 'retry' ? next.at : null,
  });
  if (!(await wasAskedForMethod(tx, subscription, invoice))) {
    const about = { paymentId: last, invoiceId: invoice.id };
    await recordSubscriptionEvent(tx, passed, {
      type: 'payment_method.updated_required',
      withMethod: true,
      ...about,
    });
  }
  if (next.kind === 'giveUp') await endSubscription(tx, passed);
  return true;
}
