/** PDFs of invoices and credit notes: found by the token in their link, and stored when they are first served. */
import { z } from 'zod';
import type { InvoiceDocument } from '../../domain/invoice/document.ts';
import { type Db, sql } from '../core/pool.ts';
import { documentOf, issuedDocument } from './invoice-document.ts';

const linked = issuedDocument.extend({
  /** The merchant's language for words, dates and amounts; null means English. */
  language: z.string().nullable(),
  pdf: z.instanceof(Buffer).nullable(),
});

/** The document behind a link, with its PDF if that was served before. */
export interface LinkedDocument {
  readonly document: InvoiceDocument;
  readonly language: string | null;
  readonly pdf: Buffer | null;
}

export async function findInvoiceDocument(db: Db, token: string): Promise<LinkedDocument | null> {
  const found = await db.maybeOne(sql.type(linked)`
    select 380 as type_code, ${asIssued('i')}, ${supply('i')}, reversed.number as preceding_number, ${language},
      pdf.bytes as pdf
    from invoices i
    join merchants m on m.id = i.merchant_id
    left join credit_notes reversed on reversed.id = i.reverses_credit_note_id
    left join document_pdfs pdf on pdf.pdf_token = i.pdf_token
    where i.pdf_token = ${token} and i.number is not null
  `);
  return found && linkedDocument(found);
}

export async function findCreditNoteDocument(db: Db, token: string): Promise<LinkedDocument | null> {
  const found = await db.maybeOne(sql.type(linked)`
    select 381 as type_code, ${asIssued('n')}, ${supply('n')}, i.number as preceding_number, ${language},
      pdf.bytes as pdf
    from credit_notes n
    join invoices i on i.id = n.invoice_id
    join merchants m on m.id = n.merchant_id
    left join document_pdfs pdf on pdf.pdf_token = n.pdf_token
    where n.pdf_token = ${token}
  `);
  return found && linkedDocument(found);
}

function linkedDocument({ language, pdf, ...issued }: z.infer<typeof linked>): LinkedDocument {
  return { document: documentOf(issued), language, pdf };
}

function asIssued(table: 'i' | 'n') {
  const columns = ['number', 'currency', 'customer', 'supplier', 'line_items'];
  const unchanged = columns.map((name) => sql.identifier([table, name]));
  return sql.fragment`${sql.join(unchanged, sql.fragment`, `)},
    ${dayOf(sql.identifier([table, 'issued_at']), table)} as issued_on`;
}

/** Selects the days of supply in the document's time zone. A period ends on the day before the next one begins. */
function supply(table: 'i' | 'n') {
  return sql.fragment`${dayOf(sql.identifier(['i', 'supplied_at']), table)} as delivered_on,
    ${dayOf(sql.identifier(['i', 'period_start']), table)} as period_first_day,
    ${dayOf(sql.identifier(['i', 'period_end']), table, 1)} as period_last_day`;
}

function dayOf(instant: ReturnType<typeof sql.identifier>, table: 'i' | 'n', daysBefore = 0) {
  const zone = sql.identifier([table, 'time_zone']);
  return sql.fragment`
    to_char(${instant} at time zone ${zone} - ${daysBefore}::integer * interval '1 day', 'YYYY-MM-DD')`;
}

const language = sql.fragment`m.branding ->> 'language' as language`;

/**
 * Stores a PDF, unless one is already stored.
 *
 * @returns the stored PDF, the same for every reader
 */
export async function keepPdf(db: Db, token: string, bytes: Buffer): Promise<Buffer> {
  await db.query(sql.typeAlias('void')`
    insert into document_pdfs (pdf_token, bytes) values (${token}, ${sql.binary(bytes)})
    on conflict do nothing
  `);
  return db.oneFirst(sql.type(z.object({ bytes: z.instanceof(Buffer) }))`
    select bytes from document_pdfs where pdf_token = ${token}
  `);
}
