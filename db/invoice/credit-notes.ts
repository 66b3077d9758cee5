/**
 * Credit notes: numbered in their own series, and issued in the transaction that records their cause. The caller holds
 * a lock on what is credited: the refund's payment, or the invoice's subscription.
 */
import { z } from 'zod';
import type { Scope } from '../../domain/core/environment.ts';
import { type CreditableLine, creditLines } from '../../domain/invoice/credit-lines.ts';
import type { CreditReason } from '../../domain/invoice/invoice.ts';
import { LOCKS_WITHIN_A_SECOND } from '../core/lock-timeout.ts';
import { sql, type Transaction } from '../core/pool.ts';
import { type EventContext, type EventToRecord, recordEvent } from '../webhook/events.ts';
import { orStore, storeDue } from './invoices.ts';

export interface Credit {
  readonly scope: Scope;
  readonly invoiceId: string;
  readonly paymentId: string | null;
  readonly refundId: string | null;
  readonly disputeId: string | null;
  readonly reason: CreditReason;
  /** The amount in cents; null for the whole remaining amount. */
  readonly amount: number | null;
}

const credited = { line: z.number(), amount: z.number(), tax_amount: z.number() };
const creditable = z.object({
  number: z.string(),
  amount: z.number(),
  line_items: z.array(z.looseObject({}).transform((line) => line as unknown as CreditableLine)),
  earlier: z.array(z.object(credited)),
  has_note: z.boolean(),
});

const issued = z.object({ id: z.string(), number: z.string() });

/**
 * Issues a credit note with its event, unless the refund or dispute already has one or nothing is left to credit.
 *
 * @returns the credit note's number; null if none was issued
 */
export async function issueCreditNote(
  tx: Transaction,
  credit: Credit,
  context: Omit<EventContext, 'scope'> & Pick<EventToRecord, 'occurredAt'>,
): Promise<string | null> {
  const { scope, invoiceId, refundId, disputeId, reason } = credit;
  const invoice = await tx.one(sql.type(creditable)`
    select i.number, i.amount, i.line_items, coalesce((
      select jsonb_agg(line) from credit_notes n, jsonb_array_elements(n.line_items) line
      where n.invoice_id = i.id and n.reversed_by is null), '[]') as earlier,
      exists (select from credit_notes
        where refund_id = ${refundId} or dispute_id = ${disputeId} and reversed_by is null) as has_note
    from invoices i where i.id = ${invoiceId}`);
  if (invoice.has_note) return null;
  const left = invoice.amount - invoice.earlier.reduce((sum, line) => sum + line.amount, 0);
  // The money of this refund may already have been credited for a lost dispute.
  const amount = Math.min(credit.amount ?? left, left);
  if (amount <= 0) return null;
  const lines = creditLines(invoice.line_items, invoice.earlier, amount);
  const note = await insertNote(tx, { ...credit, amount, occurredAt: context.occurredAt }, lines);
  await recordEvent(tx, {
    ...context,
    scope,
    type: 'credit_note.created',
    aggregateId: note.id,
    aggregateVersion: 1,
    credit_note: {
      ...note,
      invoice_id: invoiceId,
      invoice_number: invoice.number,
      refund_id: refundId,
      reason,
      amount,
    },
  });
  return note.number;
}

/** Inserts a credit note, dated no earlier than its invoice: a sandbox invoice may be dated ahead of the clock. */
function insertNote(
  tx: Transaction,
  credit: Credit & { readonly amount: number; readonly occurredAt: string | undefined },
  lines: readonly object[],
) {
  const { scope, invoiceId, paymentId, refundId, disputeId, reason, amount, occurredAt = null } = credit;
  return tx.one(sql.type(issued)`
    with moment as materialized (
      select greatest(coalesce(${occurredAt}::timestamptz, service_clock()), i.issued_at) as at, m.time_zone,
        m.invoice_prefix, ${LOCKS_WITHIN_A_SECOND}
      from invoices i join merchants m on m.id = i.merchant_id where i.id = ${invoiceId}
    ), counted as (
      insert into invoice_counters (merchant_id, environment, series, year, last_number)
      select ${scope.merchantId}, ${scope.environment}, 'credit_note',
        extract(year from at at time zone time_zone)::integer, 1 from moment
      on conflict (merchant_id, environment, series, year)
        do update set last_number = invoice_counters.last_number + 1
      returning year || '-' || lpad(last_number::text, greatest(6, length(last_number::text)), '0') as number
    )
    insert into credit_notes (merchant_id, environment, number, issued_at, time_zone, invoice_id, payment_id, refund_id,
      dispute_id, order_id, subscription_id, customer_id, reason, amount, currency, customer, supplier, line_items)
    select i.merchant_id, i.environment, moment.invoice_prefix || 'CN-' || counted.number, moment.at, moment.time_zone,
      i.id, ${paymentId}, ${refundId}, ${disputeId}, i.order_id, i.subscription_id, i.customer_id, ${reason},
      ${amount}, i.currency, i.customer, i.supplier, ${sql.jsonb(lines as object[])}
    from invoices i, counted, moment where i.id = ${invoiceId}
    returning id, number`);
}

/** Issues a payment's credit note, or stores it for later, in a transaction of `inSettlementTransaction`. */
export async function creditOrStore(
  tx: Transaction,
  credit: Credit & { readonly paymentId: string },
  context: Omit<EventContext, 'scope'>,
): Promise<void> {
  const { scope, paymentId } = credit;
  await orStore(
    tx,
    () => issueCreditNote(tx, credit, context),
    (error) => storeDue(tx, { draft: null, paymentId, context: { ...context, scope } }, error),
  );
}
