/** Invoice as the API returns it. */
import { z } from 'zod';
import { INVOICE_STATUSES } from '../../domain/invoice/invoice.ts';
import { PAYMENT_STATUSES } from '../../domain/payment/payment.ts';
import { BEGUN, EXAMPLE_CUSTOMER_ID, UNIQUE } from '../core/examples.ts';
import { cents, currency, instant } from '../core/fields.ts';
import { foundCustomer } from '../merchant/customers.ts';
import { exampleLine, exampleOrder, lineItem } from '../payment/resources.ts';

/** As issued: the customer on an invoice is immutable. */
export const invoiceCustomer = foundCustomer
  .omit({ paid_amount: true, currency: true, last_paid_at: true, created_at: true })
  .meta({ id: 'InvoiceCustomer' });

export const issuedOn = z.iso
  .date()
  .meta({ description: 'The day of issue in the merchant’s time zone, as printed.' });

export const invoice = z
  .object({
    id: z.string(),
    number: z.string().nullable(),
    issued_at: instant.nullable(),
    issued_on: issuedOn.nullable(),
    customer_id: z.string(),
    order_id: z.string().nullable(),
    subscription_id: z.string().nullable(),
    status: z.enum(INVOICE_STATUSES),
    amount_due: cents,
    credited_amount: cents.meta({
      description: 'Cents credited by credit notes, including reversed ones.',
    }),
    reverses_credit_note_id: z.string().nullable().meta({
      description:
        'The credit note that this invoice reverses: the processor reversed its refund, or its dispute was won.',
    }),
    currency,
    customer: invoiceCustomer,
    line_items: z.array(lineItem),
    pdf_url: z.url().nullable(),
  })
  .meta({ id: 'Invoice' });
export type Invoice = z.infer<typeof invoice>;

/** The attempt made by the request, or one that was already in progress. */
const invoicePayment = z
  .object({ id: z.string(), status: z.enum(PAYMENT_STATUSES), failure_code: z.string().nullable() })
  .meta({ id: 'InvoicePayment' });

export const paidInvoiceAnswer = invoice
  .extend({
    payment: invoicePayment,
    request_id: z.string(),
  })
  .meta({ id: 'PaidInvoiceAnswer' });

export const paymentLink = z
  .object({
    id: z.string().meta({ example: `ap_lnk_${UNIQUE}` }),
    hostedUrl: z.url().meta({ description: "Send the customer's browser here." }),
    expiresAt: z.iso.datetime().meta({ description: '24 hours after creation.' }),
    request_id: z.string(),
  })
  .meta({ id: 'PaymentLink' });

export const examplePaymentLink: Omit<z.infer<typeof paymentLink>, 'request_id'> = {
  id: `ap_lnk_${UNIQUE}`,
  hostedUrl: 'https://pay.example.org/pay/ap_lnk_1b9e7d3c5f2a48e6b4d0c8a7f6e5d4c3',
  expiresAt: '2026-02-01T09:30:00.000Z',
};

export const exampleInvoice: Invoice = {
  id: `ap_inv_${UNIQUE}`,
  number: 'S-2026-000017',
  issued_at: BEGUN,
  issued_on: BEGUN.slice(0, 10),
  customer_id: EXAMPLE_CUSTOMER_ID,
  order_id: exampleOrder.id,
  subscription_id: `ap_sub_${UNIQUE}`,
  status: 'created',
  amount_due: 0,
  credited_amount: 0,
  reverses_credit_note_id: null,
  currency: 'EUR',
  customer: {
    id: EXAMPLE_CUSTOMER_ID,
    external_customer_id: 'customer-17',
    email: 'ada@example.org',
    name: 'Ada Lovelace',
    billing_details: null,
    tax_value: null,
    tax_type: null,
  },
  line_items: [exampleLine],
  pdf_url: `https://pay.example.org/invoices/${'4f2d0c7a'.repeat(8)}.pdf`,
};
