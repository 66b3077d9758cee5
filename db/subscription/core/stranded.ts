/**
 * A subscription is stranded if its stored method exists only at a disabled account while the merchant has another
 * active account: only another method can be charged. Without an active account, it is an outage, which will end.
 */
import { type Db, sql, type Transaction } from '../../core/pool.ts';
import type { UnpaidInvoice } from './subscription-invoices.ts';
import type { LockedSubscription } from './subscription-row.ts';

/** True if the method of subscription `s` exists only in an account that another one has replaced. */
export const methodIsLost = sql.fragment`exists (
  select from rail_accounts a
  join rail_accounts successor on successor.merchant_id = a.merchant_id and successor.environment = a.environment
    and successor.status = 'active'
  where a.id = s.rail_account_id and a.status = 'disabled')`;

/** Selects the account whose list has attempt `attempt.no` of invoice `i` of subscription `s`; null for none. */
export const accountThatCharged = sql.fragment`
  account_that_charged(period_payment_id(s.id, i.period_start, attempt.no), s.merchant_id, s.environment)`;

/**
 * True if attempt `attempt.no` of invoice `i` of subscription `s` cannot be charged. False after a lost dispute, and if
 * the processor's list contains the attempt, which is then claimed and looked up (rule 28).
 */
export const strandedAttempt = sql.fragment`
  (s.charging_stopped_at is null and ${accountThatCharged} is null and ${methodIsLost})`;

/** Returns whether the next attempt to charge the invoice would be stranded. */
export function isStranded(
  db: Db,
  subscription: Pick<LockedSubscription, 'id'>,
  { id }: Pick<UnpaidInvoice, 'id'>,
): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from subscriptions s
    join invoices i on i.id = ${id} and i.subscription_id = s.id
    cross join (select count(*) + 1 as no from payments where invoice_id = ${id}) attempt
    where s.id = ${subscription.id} and ${strandedAttempt}
  `);
}

/** Returns whether only another method can be charged. */
export function hasLostMethod(tx: Transaction, { id }: LockedSubscription): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    select from subscriptions s where s.id = ${id} and ${methodIsLost}
  `);
}

const requestsForMethod = ({ id }: LockedSubscription, invoice: UnpaidInvoice) => sql.fragment`
  select from events e
  where e.aggregate_id = ${id} and e.type = 'payment_method.updated_required'
    and e.body::jsonb #>> '{invoice,id}' = ${invoice.id}`;

/** Returns whether the customer has been asked for another method for this invoice. */
export function wasAskedForMethod(
  tx: Transaction,
  subscription: LockedSubscription,
  invoice: UnpaidInvoice,
): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`${requestsForMethod(subscription, invoice)}`);
}

/** Returns whether the customer has been asked for another method since the last failed charge of this invoice. */
export function wasAskedSinceFailure(
  tx: Transaction,
  subscription: LockedSubscription,
  invoice: UnpaidInvoice,
): Promise<boolean> {
  return tx.exists(sql.typeAlias('void')`
    ${requestsForMethod(subscription, invoice)} and e.occurred_at >= all (
      select updated_at from payments where invoice_id = ${invoice.id} and checkout_id is null and status = 'failed')
  `);
}
