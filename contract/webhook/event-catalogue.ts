/** What each type of event means, what to do on it, and which of the envelope's objects it holds. */
import { z } from 'zod';
import {
  type EventType,
  eventAlert,
  eventCustomer,
  eventInvoice,
  eventPayment,
  eventPaymentMethod,
  eventProduct,
  eventRefund,
  eventSubscription,
  TEST_EVENT_TYPE,
  webhookEvent,
} from './events.ts';

const nothing = z.null();

/** Of a session or of a subscription, which both have a customer and a product. */
const ofPurchase = { customer: eventCustomer, product: eventProduct };
const ofSubscription = { ...ofPurchase, subscription: eventSubscription, payment: nothing };

export type DescribedEventType = EventType | typeof TEST_EVENT_TYPE;

interface EventKind {
  readonly meaning: string;
  readonly action: string;
  /** Narrower than the envelope's: what is always there, never there, or either. */
  readonly holds: z.ZodObject;
}

function kind(meaning: string, action: string, holds: z.ZodRawShape): EventKind {
  return { meaning, action, holds: z.object(holds) };
}

export const EVENT_KINDS: Readonly<Record<DescribedEventType, EventKind>> = {
  'payment.succeeded': kind(
    'A payment was authorized and confirmed by the card processor. `invoice` is absent where it cannot be issued yet: `invoice.created` follows.',
    'Mark the order paid and deliver; grant access where no subscription is involved.',
    {
      ...ofPurchase,
      subscription: eventSubscription.nullable(),
      payment: eventPayment,
      invoice: eventInvoice.optional(),
    },
  ),
  'payment.failed': kind(
    'An attempt to pay was declined, or ended by expiry or cancel. The buyer may try again while the session lasts.',
    'Do not deliver. Release reservations once the session is over.',
    {
      ...ofPurchase,
      subscription: eventSubscription.nullable(),
      payment: eventPayment,
      invoice: eventInvoice.optional(),
    },
  ),
  'subscription.created': kind(
    'A recurring checkout was paid, or its trial began.',
    'Create or link your subscription.',
    { ...ofPurchase, subscription: eventSubscription, payment: eventPayment },
  ),
  'subscription.updated': kind(
    'State, period, plan or data of a subscription changed.',
    'Take over state and dates.',
    ofSubscription,
  ),
  'subscription.cancelled': kind(
    'A subscription was cancelled or has ended.',
    'Remove access now, or at `current_period_end`.',
    ofSubscription,
  ),
  'invoice.created': kind(
    'An invoice got its number: of a purchase, or of a period. Sent once, whatever follows.',
    'Record the invoice.',
    {
      ...ofPurchase,
      subscription: eventSubscription.nullable(),
      payment: eventPayment.nullable(),
      invoice: eventInvoice,
    },
  ),
  'invoice.payment_failed': kind(
    'The charge for an invoice failed; it is tried again 2, 7, 14 and 21 days after the first failure.',
    'Grant a grace period; tell the customer.',
    { ...ofSubscription, payment: eventPayment, invoice: eventInvoice },
  ),
  'refund.created': kind(
    'A payment was given back, in full or in part.',
    'Update the balance of the order.',
    {
      customer: eventCustomer.nullable(),
      product: eventProduct.nullable(),
      subscription: eventSubscription.nullable(),
      payment: eventPayment,
      refund: eventRefund,
    },
  ),
  'payment_method.updated': kind(
    'The payment method of a subscription was replaced.',
    'Mark the method valid.',
    { ...ofSubscription, payment_method: eventPaymentMethod },
  ),
  'payment_method.updated_required': kind(
    'The customer must replace or authenticate the payment method before the next try.',
    'Send the customer to `POST /v1/payment-methods/change`. Do not cancel by yourself.',
    {
      ...ofSubscription,
      payment: eventPayment,
      invoice: eventInvoice,
      payment_method: eventPaymentMethod.optional(),
    },
  ),
  'payment_method.update_failed': kind(
    'A payment-method change ended without a new method.',
    'Offer it again while the subscription needs one.',
    ofSubscription,
  ),
  'billing.operational_alert': kind(
    'An incident of billing, rail, credentials or webhooks: `alert.code` names it, `alert.reference` what it is about.',
    'Tell your operators. Hide the details from customers.',
    {
      customer: eventCustomer.nullable(),
      product: eventProduct.nullable(),
      subscription: eventSubscription.nullable(),
      payment: eventPayment.nullable(),
      invoice: eventInvoice.optional(),
      alert: eventAlert,
    },
  ),
  [TEST_EVENT_TYPE]: kind('Somebody asked for a test event for this endpoint.', 'Nothing.', {
    customer: nothing,
    product: nothing,
    subscription: nothing,
    payment: nothing,
  }),
};

/** The whole body of an event of this type. */
export function eventSchemaOf(type: DescribedEventType): z.ZodObject {
  const { id, occurred_at, merchant_id, checkout } = webhookEvent.shape;
  const { holds } = EVENT_KINDS[type];
  const about = type === TEST_EVENT_TYPE ? {} : { checkout };
  return z.object({ id, type: z.literal(type), occurred_at, merchant_id, ...holds.shape, ...about });
}
