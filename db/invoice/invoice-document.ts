/** Converts a stored invoice or credit note to the document that is rendered. */
import { z } from 'zod';
import { invoiceCustomer } from '../../contract/invoice/resources.ts';
import { lineItem } from '../../contract/payment/resources.ts';
import { CURRENCIES } from '../../domain/core/money.ts';
import { type DocumentLine, type InvoiceDocument, ratesOf, totalsOf } from '../../domain/invoice/document.ts';

export const issuedDocument = z.object({
  type_code: z.literal([380, 381]),
  number: z.string(),
  issued_on: z.string(),
  delivered_on: z.string(),
  period_first_day: z.string().nullable(),
  period_last_day: z.string().nullable(),
  preceding_number: z.string().nullable(),
  currency: z.enum(CURRENCIES),
  customer: invoiceCustomer,
  supplier: z.object({
    name: z.string().nullish(),
    address_lines: z.array(z.string()).nullish(),
    vat_id: z.string().nullish(),
    vat_note: z.string().nullish(),
  }),
  line_items: z.array(lineItem),
});
type Issued = z.infer<typeof issuedDocument>;

export function documentOf(issued: Issued): InvoiceDocument {
  const { supplier, period_first_day: start, period_last_day: end } = issued;
  const lines = issued.line_items.map(lineOf);
  const rates = ratesOf(lines, [], supplier.vat_note ?? null);
  return {
    typeCode: issued.type_code,
    number: issued.number,
    issuedOn: issued.issued_on,
    currency: issued.currency,
    deliveredOn: issued.delivered_on,
    // A plan change on the last day is charged for less than a day.
    period: start && end ? { start, end: end < start ? start : end } : null,
    precedingNumber: issued.preceding_number,
    seller: {
      name: supplier.name ?? '',
      addressLines: supplier.address_lines ?? [],
      vatId: supplier.vat_id ?? null,
    },
    buyer: buyerOf(issued.customer),
    lines,
    // Line items are stored after discounts.
    allowances: [],
    rates,
    totals: totalsOf(lines, rates),
  };
}

function lineOf(item: z.infer<typeof lineItem>): DocumentLine {
  const { description: name, quantity, tax_rate: rate, tax_amount: tax, amount: gross } = item;
  const net = gross - tax;
  return { name, quantity, netPrice: net / quantity, rate, net, tax, gross };
}

function buyerOf({ name, email, tax_type, tax_value, billing_details }: Issued['customer']) {
  const { line1, line2, city, region, postal_code, country } = billing_details ?? {};
  const isVatId = tax_type === null || /vat/i.test(tax_type);
  return {
    name,
    address: {
      lines: [line1, line2].filter((line): line is string => Boolean(line)),
      city: city ?? null,
      postCode: postal_code ?? null,
      subdivision: region ?? null,
      country: country ?? null,
    },
    vatId: isVatId ? tax_value : null,
    taxId: isVatId ? null : tax_value,
    email,
  };
}
