/**
 * Claims an off-session attempt to charge an invoice (rule 1). The attempt has the same id in every copy of the
 * database (rule 28).
 */
import { z } from 'zod';
import { sql, type Transaction } from '../core/pool.ts';
import { accountThatCharged, strandedAttempt } from './core/stranded.ts';
import type { UnpaidInvoice } from './core/subscription-invoices.ts';
import type { LockedSubscription } from './core/subscription-row.ts';

const claimed = z.object({ id: z.string() });

/**
 * Creates a payment for the invoice with the current method. Call it under the subscription's lock, while no payment is
 * open. If a processor's list already contains the charge, the payment is created on that charge's account, which may
 * be another one (rule 32), and is looked up there.
 * @returns the payment's id; null if the subscription is stranded
 */
export async function claimCharge(
  tx: Transaction,
  subscription: LockedSubscription,
  invoice: UnpaidInvoice,
  { byRequest = false } = {},
): Promise<string | null> {
  const { id, now } = subscription;
  return tx.maybeOneFirst(sql.type(claimed)`
    with claimed as (
      insert into payments (id, merchant_id, environment, order_id, invoice_id, customer_id, attempt_no, by_request, claim_id,
        rail_account_id, rail, payment_method, credential_secret_ref, amount, currency, created_at, updated_at)
      select period_payment_id(s.id, i.period_start, attempt.no), s.merchant_id, s.environment, ${invoice.order_id}, i.id,
        s.customer_id, attempt.no, ${byRequest}, i.id || ':' || attempt.no, a.id, a.rail, s.payment_method, s.credential_secret_ref,
        ${invoice.amount_due}, s.currency, ${now}, ${now}
      from subscriptions s
      join invoices i on i.id = ${invoice.id} and i.subscription_id = s.id
      cross join (select count(*) + 1 as no from payments where invoice_id = ${invoice.id}) attempt
      join rail_accounts a on a.id = coalesce(${accountThatCharged}, s.rail_account_id)
      where s.id = ${id} and not ${strandedAttempt}
      returning id
    ), ordered as (
      update orders set payment_id = claimed.id, updated_at = ${now}
      from claimed where orders.id = ${invoice.order_id}
    )
    select id from claimed
  `);
}
