/** Issuing invoices: numbered without gaps, immutable once issued. */
import { z } from 'zod';
import type { Scope } from '../../domain/core/environment.ts';
import type { Currency } from '../../domain/core/money.ts';
import { LOCKS_WITHIN_A_SECOND } from '../core/lock-timeout.ts';
import { sql, type Transaction } from '../core/pool.ts';
import type { EventParts, EventToRecord } from '../webhook/events.ts';

export interface InvoiceDraft {
  readonly scope: Scope;
  readonly customerId: string;
  readonly orderId: string | null;
  readonly subscriptionId: string | null;
  readonly period: { readonly start: string; readonly end: string } | null;
  /** `created` is the settled invoice, `open` awaits its charge. */
  readonly status: 'created' | 'open';
  readonly amount: number;
  readonly amountDue: number;
  readonly currency: Currency;
  readonly lineItems: readonly unknown[];
  readonly supplier: unknown;
  /** The billed subscription's time; defaults to now. */
  readonly issuedAt?: string;
  /** When the supply happened, for an invoice issued late; defaults to the instant of issue. */
  readonly suppliedAt?: string;
  /** The customer as JSON at the time of supply; defaults to the current row. */
  readonly customer?: string;
}

const issuedInvoice = z.object({
  id: z.string(),
  number: z.string(),
  status: z.string(),
  amount_due: z.number(),
  version: z.number(),
});
export type IssuedInvoice = z.infer<typeof issuedInvoice>;

/** The invoice as events show it. */
export function invoicePart({ id, number, status, amount_due }: IssuedInvoice) {
  return { id, number, status: status as 'created', amount_due };
}

export function invoiceCreated(parts: EventParts, invoice: IssuedInvoice): EventToRecord {
  return {
    ...parts,
    type: 'invoice.created',
    aggregateId: invoice.id,
    aggregateVersion: invoice.version,
    invoice: invoicePart(invoice),
  };
}

/**
 * Issues the next number in the caller's transaction from a counter row locked until the commit; a sequence would leave
 * a gap on rollback. Numbers are per merchant, environment and year: `2026-000001`, behind the merchant's prefix, with
 * the year of its time zone. The millionth gains a digit, so sort by `id`, not by number. One statement: every purchase of a merchant waits for this lock, for at most a second.
 */
export function issueInvoice(tx: Transaction, draft: InvoiceDraft): Promise<IssuedInvoice> {
  const { merchantId, environment } = draft.scope;
  // Read the clock before waiting for the counter's lock: the number's year is the year of issue.
  return tx.one(sql.type(issuedInvoice)`
    with moment as materialized (
      select coalesce(${draft.issuedAt ?? null}::timestamptz, service_clock()) as at, time_zone, invoice_prefix,
        invoice_first_number as first, ${LOCKS_WITHIN_A_SECOND}
      from merchants where id = ${merchantId}
    ), counted as (
      insert into invoice_counters (merchant_id, environment, year, last_number)
      select ${merchantId}, ${environment}, extract(year from at at time zone time_zone)::integer, first from moment
      on conflict (merchant_id, environment, series, year)
        do update set last_number = greatest(invoice_counters.last_number + 1, excluded.last_number)
      returning year || '-' || lpad(last_number::text, greatest(6, length(last_number::text)), '0') as number
    )
    insert into invoices (merchant_id, environment, number, issued_at, time_zone, supplied_at, customer_id, order_id,
      subscription_id, period_start, period_end, status, amount, amount_due, currency, customer, supplier, line_items)
    select ${merchantId}, ${environment}, moment.invoice_prefix || counted.number, moment.at, moment.time_zone,
      coalesce(${draft.suppliedAt ?? null}::timestamptz, moment.at), c.id, ${draft.orderId},
      ${draft.subscriptionId}, ${draft.period?.start ?? null}, ${draft.period?.end ?? null}, ${draft.status},
      ${draft.amount}, ${draft.amountDue}, ${draft.currency},
      coalesce(${draft.customer ?? null}::jsonb, jsonb_build_object('id', c.id,
        'external_customer_id', c.external_customer_id, 'email', c.email, 'name', c.name,
        'billing_details', c.billing_details, 'tax_value', c.tax_value, 'tax_type', c.tax_type)),
      ${sql.jsonb(draft.supplier as object)}, ${sql.jsonb(draft.lineItems as object[])}
    from customers c, counted, moment
    where c.id = ${draft.customerId}
    returning id, number, status, amount_due, version
  `);
}
