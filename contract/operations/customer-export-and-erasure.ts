/** Export and erasure of a customer's personal data, under Articles 15 and 17 of the GDPR. */
import { z } from 'zod';
import { single } from '../core/answers.ts';
import { requiredText } from '../core/text.ts';

export const customerDataBody = z
  .object({
    reason: requiredText(2_000).meta({
      description:
        'For the audit log, for example the number of the customer’s request or ticket. Do not include personal data.',
    }),
  })
  .meta({ id: 'CustomerDataRequest' });

const row = z.record(z.string(), z.unknown());
const rows = (what: string) => z.array(row).meta({ description: `${what}, oldest first.` });

/** Rows as stored; their columns are not fixed, because each release may store more about a customer. */
export const exportedCustomer = z
  .object({
    customer: row,
    sessions: rows('Checkout sessions, including those that changed a payment method'),
    clicks: rows('The buyer’s input when paying'),
    orders: rows('Orders'),
    payments: rows(
      'Payments with brand and last digits of their cards, including payments of 0 cents for a changed method',
    ),
    refunds: rows('Refunds'),
    disputes: rows('Disputes'),
    subscriptions: rows('Subscriptions'),
    invoices: rows('Invoices'),
    credit_notes: rows('Credit notes'),
    changes: rows('People’s changes to the customer'),
    events: rows('Webhook events'),
  })
  .meta({ id: 'ExportedCustomer' });
export type ExportedCustomer = z.infer<typeof exportedCustomer>;

const erasedCustomer = z.object({
  events: z.int().meta({ description: 'Stored events from which the customer was removed.' }),
  clicks: z.int(),
  invoices_kept: z.int().meta({ description: 'Issued documents, which are kept unchanged.' }),
});
export type ErasedCustomer = z.infer<typeof erasedCustomer>;

const exampleExportedCustomer = {
  customer: {
    id: 'ap_cus_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
    email: 'ada@example.eu',
    name: 'Ada',
    external_customer_id: 'u-1',
  },
  sessions: [],
  clicks: [],
  orders: [],
  payments: [
    {
      id: 'ap_pay_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
      status: 'succeeded',
      amount: 1_900,
      currency: 'EUR',
      payment_method: { type: 'card', brand: 'visa', last4: '4242' },
      created_at: '2026-01-31T09:30:00.000000+00:00',
    },
  ],
  refunds: [],
  disputes: [],
  subscriptions: [],
  invoices: [],
  credit_notes: [],
  changes: [],
  events: [],
};

const exampleErasedCustomer = {
  events: 4,
  clicks: 1,
  invoices_kept: 1,
};

export const exportedCustomerBody = single(exportedCustomer, exampleExportedCustomer, 'CustomerExport');
export const erasedCustomerBody = single(erasedCustomer, exampleErasedCustomer, 'CustomerErasure');
