/** Credit note as the API returns it. */
import { z } from 'zod';
import { CREDIT_REASONS } from '../../domain/invoice/invoice.ts';
import { BEGUN, UNIQUE } from '../core/examples.ts';
import { cents, currency, instant } from '../core/fields.ts';
import { exampleLine, lineItem } from '../payment/resources.ts';
import { exampleInvoice, invoiceCustomer, issuedOn } from './resources.ts';

export const creditNote = z
  .object({
    id: z.string(),
    number: z.string().meta({
      description: 'Numbered in a separate series: the merchant’s invoice prefix followed by CN-.',
    }),
    issued_at: instant,
    issued_on: issuedOn,
    invoice_id: z.string(),
    invoice_number: z.string(),
    order_id: z.string().nullable(),
    payment_id: z.string().nullable(),
    refund_id: z.string().nullable(),
    subscription_id: z.string().nullable(),
    customer_id: z.string(),
    customer: invoiceCustomer,
    reason: z.enum(CREDIT_REASONS),
    amount: cents.meta({ description: 'Cents, tax included.' }),
    currency,
    line_items: z.array(lineItem),
    pdf_url: z.url(),
  })
  .meta({ id: 'CreditNote' });
export type CreditNote = z.infer<typeof creditNote>;

export const exampleCreditNote: CreditNote = {
  id: `ap_cn_${UNIQUE}`,
  number: 'CN-2026-000004',
  issued_at: BEGUN,
  issued_on: BEGUN.slice(0, 10),
  invoice_id: exampleInvoice.id,
  invoice_number: exampleInvoice.number ?? '',
  order_id: exampleInvoice.order_id,
  payment_id: `ap_pay_${UNIQUE}`,
  refund_id: `ap_ref_${UNIQUE}`,
  subscription_id: null,
  customer_id: exampleInvoice.customer_id,
  customer: exampleInvoice.customer,
  reason: 'refund',
  amount: exampleLine.amount,
  currency: 'EUR',
  line_items: [exampleLine],
  pdf_url: `https://pay.example.org/credit-notes/${'4f2d0c7a'.repeat(8)}.pdf`,
};
