/** Invoice PDFs: found by the token of their link, kept as first served. */
import { z } from 'zod';
import { invoiceCustomer } from '../../contract/invoice/resources.ts';
import { lineItem } from '../../contract/payment/resources.ts';
import { CURRENCIES } from '../../domain/core/money.ts';
import { type Db, sql } from '../core/pool.ts';

const printableInvoice = z.object({
  id: z.string(),
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

export function findPrintableInvoice(db: Db, token: string): Promise<PrintableInvoice | null> {
  return db.maybeOne(sql.type(printableInvoice)`
    select i.id, i.number, i.issued_at, i.time_zone, i.supplied_at, i.period_start, i.period_end, i.currency, i.amount, i.customer,
      i.supplier, i.line_items, m.branding ->> 'language' as language, pdf.bytes as pdf
    from invoices i
    join merchants m on m.id = i.merchant_id
    left join invoice_pdfs pdf on pdf.invoice_id = i.id
    where i.pdf_token = ${token} and i.number is not null
  `);
}

/**
 * The first stored document wins.
 * @returns the stored document, the same for every reader
 */
export async function keepPdf(db: Db, invoiceId: string, bytes: Buffer): Promise<Buffer> {
  await db.query(sql.typeAlias('void')`
    insert into invoice_pdfs (invoice_id, bytes) values (${invoiceId}, ${sql.binary(bytes)}) on conflict do nothing
  `);
  return db.oneFirst(sql.type(z.object({ bytes: z.instanceof(Buffer) }))`
    select bytes from invoice_pdfs where invoice_id = ${invoiceId}
  `);
}
