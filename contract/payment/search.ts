/** Payments in the dashboard's lists, and a single payment with its history. */
import { z } from 'zod';
import { DISPUTE_STATUSES } from '../../domain/dispute/dispute.ts';
import { PAYMENT_STATUSES } from '../../domain/payment/payment.ts';
import { pageOf, single } from '../core/answers.ts';
import { BEGUN, EXAMPLE_CUSTOMER_ID, UNIQUE } from '../core/examples.ts';
import { cents, givenInstant, instant } from '../core/fields.ts';
import { pageQuery } from '../core/pagination.ts';
import { examplePayment, lineItem, payment } from './resources.ts';

const customer = z
  .object({
    id: z.string(),
    external_customer_id: z.string().nullable(),
    email: z.string().nullable(),
    name: z.string().nullable(),
  })
  .meta({ id: 'CustomerSummary' });

/** The status of a payment's worst dispute. */
export const disputeStatus = z.enum(DISPUTE_STATUSES).exclude(['won']).nullable().meta({
  description:
    'open: at least one dispute is open; lost: one was lost; null: there is none, or each was won.',
});

export const foundPayment = payment
  .extend({
    refunded_amount: cents.meta({ description: 'Refunded, or reserved by a refund in progress.' }),
    dispute_status: disputeStatus,
    disputed_amount: cents.meta({
      description: 'The amount of open and lost disputes. Refunding it requires a confirmation.',
    }),
    customer: customer.nullable(),
    merchant_reference: z.string().nullable(),
    description: z.string().nullable().meta({ description: 'The products sold.' }),
  })
  .meta({ id: 'FoundPayment' });
export type FoundPayment = z.infer<typeof foundPayment>;

export const searchPaymentsQuery = pageQuery.extend({
  status: z.enum(PAYMENT_STATUSES).optional(),
  from: givenInstant.optional(),
  to: givenInstant.optional().meta({ description: 'Exclusive.' }),
});

const HAPPENINGS = [
  'checkout_created',
  'checkout_failed',
  'page_opened',
  'pay_clicked',
  'attempt_made',
  'sent_to_rail',
  'challenge_open',
  'looked_up',
  'succeeded',
  'failed',
  'cancelled',
  'refund_requested',
  'refund_succeeded',
  'refund_failed',
  'dispute_opened',
  'dispute_won',
  'dispute_lost',
  'invoice_issued',
  'event_recorded',
  'event_delivered',
  'delivery_failed',
  'delivery_held',
  'delivery_given_up',
] as const;

export const happening = z
  .object({
    at: instant,
    what: z.enum(HAPPENINGS),
    reference: z.string().nullable().meta({ description: 'The id of the affected object.' }),
    amount: cents.nullable(),
    detail: z.string().nullable().meta({
      description:
        'A method, a failure code, a reason, an event type, an endpoint’s URL or the processor’s answer to a look-up.',
    }),
  })
  .meta({ id: 'PaymentHappening' });

/** A refund's credit note. */
export const refundCreditNote = z
  .object({ id: z.string(), number: z.string(), pdf_url: z.url() })
  .meta({ id: 'RefundCreditNote' })
  .nullable()
  .meta({
    description:
      'Null until one is issued, once it is reversed, and if the invoice was credited in full before.',
  });

const refund = z
  .object({
    id: z.string(),
    amount: z.int(),
    status: z.enum(['pending', 'succeeded', 'failed']),
    reason: z.string().nullable(),
    created_at: instant,
    credit_note: refundCreditNote,
  })
  .meta({ id: 'PaymentRefund' });

export const paymentDetails = foundPayment
  .extend({
    environment: z.enum(['sandbox', 'production']),
    checkout_id: z.string().nullable(),
    invoice_id: z.string().nullable(),
    invoice_number: z.string().nullable(),
    subscription_id: z.string().nullable(),
    refundable_amount: cents.meta({
      description:
        'The amount paid, less refunds and credit for subscription changes; 0 before the payment has succeeded.',
    }),
    refunds_supported: z.boolean().meta({ description: 'Whether the rail account supports refunds.' }),
    line_items: z.array(lineItem),
    refunds: z.array(refund),
    timeline: z.array(happening).meta({
      description:
        'Oldest first. The opening of the page is reported with the first click on “Pay”; of the look-ups, only the newest fifty are shown. Clicks and the processor’s answers are kept for the installation’s retention time.',
    }),
  })
  .meta({ id: 'PaymentDetails' });
export type PaymentDetails = z.infer<typeof paymentDetails>;

const exampleFoundPayment: FoundPayment = {
  ...examplePayment,
  refunded_amount: 0,
  dispute_status: null,
  disputed_amount: 0,
  customer: { id: EXAMPLE_CUSTOMER_ID, external_customer_id: 'u-17', email: 'ada@shop.example', name: 'Ada' },
  merchant_reference: 'cart-17',
  description: 'Coffee, 1 kg',
};
const examplePaymentDetails: PaymentDetails = {
  ...exampleFoundPayment,
  environment: 'sandbox',
  checkout_id: `ap_chk_${UNIQUE}`,
  invoice_id: `ap_inv_${UNIQUE}`,
  invoice_number: '2026-000017',
  subscription_id: null,
  refundable_amount: 900,
  refunds_supported: true,
  line_items: [],
  refunds: [],
  timeline: [
    { at: BEGUN, what: 'checkout_created', reference: `ap_chk_${UNIQUE}`, amount: 900, detail: null },
    { at: BEGUN, what: 'succeeded', reference: null, amount: 900, detail: null },
  ],
};

export const foundPaymentPage = pageOf(foundPayment, exampleFoundPayment);
export const paymentDetailsAnswer = single(paymentDetails, examplePaymentDetails);
