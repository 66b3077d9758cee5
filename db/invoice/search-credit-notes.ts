/** Credit notes of one environment, newest first. */
import { type CreditNote, creditNote } from '../../contract/invoice/credit-note.ts';
import type { SearchTerm } from '../../domain/core/search.ts';
import {
  among,
  type ListSearch,
  newestOfCustomers,
  newestWhere,
  numberHas,
  within,
} from '../core/lists/list-search.ts';
import { type Db, sql } from '../core/pool.ts';
import { selectCreditNotes } from './list-credit-notes.ts';

/** @param publicUrl base URL of the PDF links */
export function searchCreditNotes(
  publicUrl: string,
): (db: Db, search: ListSearch) => Promise<readonly CreditNote[]> {
  return (db, search) =>
    db.any(sql.type(creditNote)`
      ${selectCreditNotes(publicUrl)}
      where row.merchant_id = ${search.scope.merchantId} and row.environment = ${search.scope.environment}
        ${among(['row', 'id'], search.term && matching(search, search.term))} ${narrowed(search)}
      order by row.id desc
      limit ${search.limit}`);
}

function narrowed(search: ListSearch) {
  // A credit note's customer is that of its invoice.
  const withCodes = sql.fragment`and row.invoice_id in (
    select id from invoices
    where merchant_id = ${search.scope.merchantId} and environment = ${search.scope.environment} and prints_codes)`;
  return sql.fragment`${search.printsCodes ? withCodes : sql.fragment``} ${within('ap_cn_', search, sql.fragment`row.issued_at`)}`;
}

function matching(search: ListSearch, term: SearchTerm) {
  const { scope } = search;
  const ofCustomers = newestOfCustomers('credit_notes', search, term, narrowed(search));
  if (term.kind === 'email') return ofCustomers;
  if (term.kind === 'id')
    return sql.fragment`
      select ${term.id}::text
      union all select id from credit_notes where invoice_id = ${term.id}
      union all select id from credit_notes where refund_id = ${term.id}
      union all
      select note.id from payments p join credit_notes note on note.invoice_id = p.invoice_id where p.id = ${term.id}
      union all ${ofCustomers}`;
  return sql.fragment`
    ${newestWhere('credit_notes', search, numberHas(term.text), narrowed(search))}
    union all
    select note.id from invoices i join credit_notes note on note.invoice_id = i.id
    where i.merchant_id = ${scope.merchantId} and i.environment = ${scope.environment} and i.number = ${term.text}
    union all ${ofCustomers}`;
}
