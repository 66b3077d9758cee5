/**
 * Webhook events as merchants receive them (docs/contract.md#events). Every event has the eight keys of the envelope;
 * `customer`, `product`, `subscription` and `payment` are null where they do not apply. `charge`, `cancellation`,
 * `next_renewal`, `invoice`, `refund`, `credit_note`, `payment_method`, `dispute`, `alert` and `checkout` are present
 * only where they apply.
 */
import { z } from 'zod';
import { DISPUTE_STATUSES } from '../../domain/dispute/dispute.ts';
import { CREDIT_REASONS, INVOICE_STATUSES } from '../../domain/invoice/invoice.ts';
import { PAYMENT_STATUSES } from '../../domain/payment/payment.ts';

const EVENT_TYPES = [
  'payment.succeeded',
  'payment.failed',
  'subscription.created',
  'subscription.updated',
  'subscription.trial_ending',
  'subscription.renewal_upcoming',
  'subscription.paused',
  'subscription.resumed',
  'subscription.cancelled',
  'invoice.created',
  'invoice.payment_failed',
  'refund.created',
  'credit_note.created',
  'payment_method.updated',
  'payment_method.updated_required',
  'payment_method.update_failed',
  'billing.operational_alert',
] as const;
export const eventType = z.enum(EVENT_TYPES);
export type EventType = z.infer<typeof eventType>;

/** Sent only to endpoints that list these types explicitly: receivers of all types may not know them. */
export const SENT_ON_REQUEST: readonly EventType[] = [
  'credit_note.created',
  'subscription.trial_ending',
  'subscription.renewal_upcoming',
  'subscription.paused',
  'subscription.resumed',
];

/**
 * The test event, sent to one endpoint regardless of its filter. Its type differs from all others, so that no receiver
 * mistakes it for a payment and delivers goods.
 */
export const TEST_EVENT_TYPE = 'webhook.test';

const instant = z.iso.datetime({ precision: 3 });

export const eventCustomer = z
  .object({
    id: z.string(),
    external_customer_id: z.string().nullable(),
    email: z.string().nullable(),
  })
  .meta({ id: 'EventCustomer' });
export const eventProduct = z
  .object({ id: z.string(), external_reference: z.string().nullable() })
  .meta({ id: 'EventProduct' });
export const eventSubscription = z
  .object({
    id: z.string(),
    status: z.enum(['incomplete', 'trialing', 'active', 'past_due', 'cancelled', 'expired', 'paused']),
    current_period_end: instant.nullable(),
  })
  .meta({ id: 'EventSubscription' });
export const eventPayment = z
  .object({
    id: z.string(),
    rail: z.string().nullable(),
    status: z.enum(PAYMENT_STATUSES),
  })
  .meta({ id: 'EventPayment' });
/** Details of the event's payment: the contract fixes the fields of `payment` itself. */
export const eventCharge = z
  .object({
    /** Cents. */
    amount: z.int().nonnegative(),
    currency: z.string(),
    failure_code: z.string().nullable().meta({ description: 'Why it failed; null if it did not.' }),
  })
  .meta({ id: 'EventCharge', description: "The event's payment: its amount, and why it failed." });
export const eventCancellation = z
  .object({
    at_period_end: z.boolean().meta({ description: 'If true, it ends, or ended, with the paid period.' }),
    cancelled_at: instant.nullable().meta({ description: 'Null until it has ended.' }),
  })
  .meta({
    id: 'EventCancellation',
    description: 'Present once the subscription is set to end, or has ended.',
  });
export const eventRenewal = z
  .object({
    at: instant,
    /** Cents. */
    total: z.int().nonnegative(),
    currency: z.string(),
  })
  .meta({ id: 'EventRenewal', description: 'The charge that is announced, if nothing changes before.' });
export const eventInvoice = z
  .object({
    id: z.string(),
    number: z.string().nullable(),
    status: z.enum(INVOICE_STATUSES),
    /** Cents. */
    amount_due: z.int().nonnegative(),
  })
  .meta({ id: 'EventInvoice' });
export const eventRefund = z
  .object({
    id: z.string(),
    payment_id: z.string(),
    /** Cents. */
    amount: z.int().positive(),
    status: z.enum(['pending', 'succeeded', 'failed']),
  })
  .meta({ id: 'EventRefund' });
export const eventCreditNote = z
  .object({
    id: z.string(),
    number: z.string(),
    invoice_id: z.string(),
    invoice_number: z.string(),
    refund_id: z.string().nullable(),
    reason: z.enum(CREDIT_REASONS),
    /** Cents. */
    amount: z.int().positive(),
  })
  .meta({ id: 'EventCreditNote' });
export const eventPaymentMethod = z
  .object({
    type: z.string(),
    brand: z.string().nullable(),
    last4: z.string().nullable(),
  })
  .meta({ id: 'EventPaymentMethod' });
/** A dispute. `evidence_due_by` is the deadline for submitting evidence at the card processor. */
export const eventDispute = z
  .object({
    id: z.string(),
    payment_id: z.string(),
    status: z.enum(DISPUTE_STATUSES),
    /** Cents. */
    amount: z.int(),
    currency: z.string(),
    evidence_due_by: instant.nullable(),
  })
  .meta({ id: 'EventDispute' });
/** The session that caused the event, with the reference from its request. */
export const eventCheckout = z
  .object({ id: z.string(), merchant_reference: z.string().nullable() })
  .meta({ id: 'EventCheckout' });
/** An alert. `code` names the incident for programs; `reference` is the id of the incident's subject. */
export const eventAlert = z.object({ code: z.string(), reference: z.string() }).meta({ id: 'EventAlert' });

/** An event without its envelope, as its writer provides it. */
export const eventContent = z.object({
  customer: eventCustomer.nullable(),
  product: eventProduct.nullable(),
  subscription: eventSubscription.nullable(),
  payment: eventPayment.nullable(),
  charge: eventCharge.optional(),
  cancellation: eventCancellation.optional(),
  next_renewal: eventRenewal.optional(),
  invoice: eventInvoice.optional(),
  refund: eventRefund.optional(),
  credit_note: eventCreditNote.optional(),
  payment_method: eventPaymentMethod.optional(),
  dispute: eventDispute.optional(),
  alert: eventAlert.optional(),
  checkout: eventCheckout.optional(),
});
export type EventContent = z.infer<typeof eventContent>;

export const webhookEvent = z.object({
  id: z.string().regex(/^evt_[0-9a-f]{32}$/),
  type: z.union([eventType, z.literal(TEST_EVENT_TYPE)]),
  occurred_at: instant,
  merchant_id: z.string(),
  ...eventContent.shape,
});
export type WebhookEvent = z.infer<typeof webhookEvent>;

/** An event without the id and instant that `recordEvent` adds. */
export type EventDraft = Omit<WebhookEvent, 'id' | 'occurred_at'>;
