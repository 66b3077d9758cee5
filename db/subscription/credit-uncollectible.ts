/** Credits invoices that were written off: by the merchant's settings when the subscription ends, or by an operator. */
import { z } from 'zod';
import { INVOICE_STATUSES } from '../../domain/invoice/invoice.ts';
import { type Actor, writeAudit } from '../core/audit.ts';
import { type Pool, sql, type Transaction } from '../core/pool.ts';
import { inTransaction } from '../core/transaction.ts';
import { issueCreditNote } from '../invoice/credit-notes.ts';
import { readContext } from './core/subscription-events.ts';
import { type LockedSubscription, lockSubscription, scopeOfSubscription } from './core/subscription-row.ts';

/**
 * Credits uncollectible invoices of the subscription in full.
 *
 * @returns the numbers of the credit notes: none for an invoice that is already credited
 */
export async function creditUncollectible(
  tx: Transaction,
  subscription: LockedSubscription,
  invoiceIds: readonly string[],
): Promise<readonly string[]> {
  if (invoiceIds.length === 0) return [];
  const { id, status, current_period_end, now } = subscription;
  const { customer, product } = await readContext(tx, subscription);
  const context = {
    customer,
    product,
    subscription: { id, status, current_period_end },
    payment: null,
    occurredAt: now,
  };
  const credit = {
    scope: scopeOfSubscription(subscription),
    paymentId: null,
    refundId: null,
    disputeId: null,
    reason: 'uncollectible',
    amount: null,
  } as const;
  const numbers: string[] = [];
  for (const invoiceId of invoiceIds) {
    const number = await issueCreditNote(tx, { ...credit, invoiceId }, context);
    if (number !== null) numbers.push(number);
  }
  return numbers;
}

const found = z.object({ status: z.enum(INVOICE_STATUSES) });

/** The credit note's number, or why there is none: the invoice's status, or that the invoice was credited before. */
export type CreditAnswer =
  | { readonly kind: 'credited'; readonly number: string }
  | { readonly kind: 'credited_before' }
  | { readonly kind: 'not_uncollectible'; readonly status: z.infer<typeof found>['status'] };

/** Credits an uncollectible invoice for an operator, with an audit row. Idempotent. */
export function creditByOperator(
  pool: Pool,
  invoiceId: string,
  { evidence, ...actor }: Actor & { readonly evidence: string },
): Promise<CreditAnswer> {
  return inTransaction(pool, async (tx) => {
    const subscriptionId = await tx.oneFirst(sql.type(z.object({ id: z.string().nullable() }))`
      select subscription_id as id from invoices where id = ${invoiceId}`);
    const subscription = subscriptionId === null ? null : await lockSubscription(tx, subscriptionId);
    const { status } = await tx.one(sql.type(found)`
      select status from invoices where id = ${invoiceId}`);
    if (!subscription || status !== 'uncollectible') return { kind: 'not_uncollectible', status };
    const [number] = await creditUncollectible(tx, subscription, [invoiceId]);
    if (number === undefined) return { kind: 'credited_before' };
    await writeAudit(tx, {
      ...actor,
      merchantId: subscription.merchant_id,
      environment: subscription.environment,
      action: 'invoice.credit',
      subjectId: invoiceId,
      before: null,
      after: { credit_note: number, evidence },
    });
    return { kind: 'credited', number };
  });
}
