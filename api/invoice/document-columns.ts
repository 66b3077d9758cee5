/** The CSV columns of invoices and credit notes that an accountant books. Amounts are decimals of the document's currency. */
import type { Invoice } from '../../contract/invoice/resources.ts';
import { type CsvColumns, decimal } from '../http/lists/send-csv.ts';

type Document = Pick<Invoice, 'line_items' | 'currency' | 'customer_id' | 'customer'>;

export const sumOf = (
  { line_items: lines }: Document,
  value: (line: Document['line_items'][number]) => number,
) => decimal(lines.reduce((total, line) => total + value(line), 0));

export const DOCUMENT_COLUMNS: CsvColumns<Document> = {
  net: (row) => sumOf(row, (line) => line.amount - line.tax_amount),
  tax_rates: (row) => [...new Set(row.line_items.map((line) => line.tax_rate))].join(' '),
  tax: (row) => sumOf(row, (line) => line.tax_amount),
  total: (row) => sumOf(row, ({ amount }) => amount),
  currency: ({ currency }) => currency,
  customer_id: (row) => row.customer_id,
  email: ({ customer }) => customer.email,
  name: ({ customer }) => customer.name,
  country: ({ customer }) => customer.billing_details?.country ?? null,
  tax_value: ({ customer }) => customer.tax_value,
};
