/** PDFs of invoices and credit notes: found by the token of their link, kept as first served. */
import { z } from 'zod';
import { invoiceCustomer } from '../../contract/invoice/resources.ts';
import { lineItem } from '../../contract/payment/resources.ts';
import { CURRENCIES } from '../../domain/core/money.ts';
import { type Db, sql } from '../core/pool.ts';

const printableInvoice = z.object({
  kind: z.enum(['invoice', 'credit_note']),
  /** The invoice that a credit note corrects, or the credit note that an invoice reverses. */
  preceding_number: z.string().nullable(),
  number: z.string(),
  issued_at: z.string(),
  /** The zone that determines the days of its dates. */
  time_zone: z.string(),
  supplied_at: z.string(),
  period_start: z.string().nullable(),
  period_end: z.string().nullable(),
  currency: z.enum(CURRENCIES),
  amount: z.number(),
  customer: invoiceCustomer,
  supplier: z.object({
    name: z.string().nullish(),
    address_lines: z.array(z.string()).nullish(),
    vat_id: z.string().nullish(),
    vat_note: z.string().nullish(),
  }),
  line_items: z.array(lineItem),
  /** The merchant's language for words, dates and amounts; null is English. */
  language: z.string().nullable(),
  pdf: z.instanceof(Buffer).nullable(),
});
export type PrintableInvoice = z.infer<typeof printableInvoice>;

const asIssued = (table: string) =>
  sql.join(
    ['number', 'issued_at', 'time_zone', 'currency', 'amount', 'customer', 'supplier'].map((name) =>
      sql.identifier([table, name]),
    ),
    sql.fragment`, `,
  );

export function findPrintableInvoice(db: Db, token: string): Promise<PrintableInvoice | null> {
  return db.maybeOne(sql.type(printableInvoice)`
    select 'invoice' as kind, ${asIssued('i')}, i.supplied_at, i.period_start, i.period_end, i.line_items,
      reversed.number as preceding_number, ${language}, pdf.bytes as pdf
    from invoices i
    join merchants m on m.id = i.merchant_id
    left join credit_notes reversed on reversed.id = i.reverses_credit_note_id
    left join document_pdfs pdf on pdf.pdf_token = i.pdf_token
    where i.pdf_token = ${token} and i.number is not null
  `);
}

export function findPrintableCreditNote(db: Db, token: string): Promise<PrintableInvoice | null> {
  return db.maybeOne(sql.type(printableInvoice)`
    select 'credit_note' as kind, ${asIssued('n')}, i.supplied_at, i.period_start, i.period_end, n.line_items,
      i.number as preceding_number, ${language}, pdf.bytes as pdf
    from credit_notes n
    join invoices i on i.id = n.invoice_id
    join merchants m on m.id = n.merchant_id
    left join document_pdfs pdf on pdf.pdf_token = n.pdf_token
    where n.pdf_token = ${token}
  `);
}

const language = sql.fragment`m.branding ->> 'language' as language`;

/**
 * The first stored document wins.
 * @returns the stored document, the same for every reader
 */
export async function keepPdf(db: Db, token: string, bytes: Buffer): Promise<Buffer> {
  await db.query(sql.typeAlias('void')`
    insert into document_pdfs (pdf_token, bytes) values (${token}, ${sql.binary(bytes)}) on conflict do nothing
  `);
  return db.oneFirst(sql.type(z.object({ bytes: z.instanceof(Buffer) }))`
    select bytes from document_pdfs where pdf_token = ${token}
  `);
}
