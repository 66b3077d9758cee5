/** Each event type's meaning, how to react, and which of the envelope's objects it contains. */
import { z } from 'zod';
import {
  type EventType,
  eventAlert,
  eventCancellation,
  eventCharge,
  eventCreditNote,
  eventCustomer,
  eventDispute,
  eventInvoice,
  eventPayment,
  eventPaymentMethod,
  eventProduct,
  eventRefund,
  eventRenewal,
  eventSubscription,
  TEST_EVENT_TYPE,
  webhookEvent,
} from './events.ts';

/**
 * Marks a part that is always null in events of this type. Published as the part or null, because OpenAPI Generator has
 * no Python type for the schema `null`.
 */
function never(part: 'Customer' | 'Product' | 'Subscription' | 'Payment') {
  const anyOf = [{ $ref: `#/components/schemas/Event${part}` }, { type: 'null' as const }];
  return z.null().meta({
    description: 'Null in this event.',
    override: ({ jsonSchema }) => {
      delete jsonSchema.type;
      jsonSchema.anyOf = anyOf;
    },
  });
}

/** The objects of events about sessions and subscriptions, which both have a customer and a product. */
const ofPurchase = { customer: eventCustomer, product: eventProduct };
const ofSubscription = { ...ofPurchase, subscription: eventSubscription, payment: never('Payment') };

export type DescribedEventType = EventType | typeof TEST_EVENT_TYPE;

interface EventKind {
  readonly meaning: string;
  readonly action: string;
  /** Narrows the envelope's types: which objects are always, never or sometimes present. */
  readonly holds: z.ZodObject;
}

function kind(meaning: string, action: string, holds: z.ZodRawShape): EventKind {
  return { meaning, action, holds: z.object(holds) };
}

export const EVENT_KINDS: Readonly<Record<DescribedEventType, EventKind>> = {
  'payment.succeeded': kind(
    'A payment was authorized and confirmed by the card processor. `invoice` is absent if it cannot be issued yet: `invoice.created` follows.',
    'Mark the order paid and deliver; grant access where no subscription is involved.',
    {
      ...ofPurchase,
      subscription: eventSubscription.nullable(),
      payment: eventPayment,
      charge: eventCharge,
      invoice: eventInvoice.optional(),
    },
  ),
  'payment.failed': kind(
    'A payment attempt was declined, or ended by expiry or cancellation. The buyer may try again while the session lasts. `payment` is null if no attempt was made for an invoice, because the merchant replaced the account that holds the payment method.',
    'Do not deliver. Release reservations once the session is over.',
    {
      ...ofPurchase,
      subscription: eventSubscription.nullable(),
      payment: eventPayment.nullable(),
      charge: eventCharge.optional(),
      invoice: eventInvoice.optional(),
    },
  ),
  'subscription.created': kind(
    'A recurring checkout was paid, or its trial began.',
    'Create or link your subscription.',
    { ...ofPurchase, subscription: eventSubscription, payment: eventPayment, charge: eventCharge },
  ),
  'subscription.updated': kind(
    'State, period, plan or data of a subscription changed.',
    'Store the new state and dates.',
    { ...ofSubscription, cancellation: eventCancellation.optional() },
  ),
  'subscription.trial_ending': kind(
    'A trial ends soon (setting `trial_ending_days`), and the first period is charged then. Sent only to endpoints whose `event_types` name it, and only if nothing prevents the charge.',
    'Announce the charge to the customer.',
    { ...ofSubscription, next_renewal: eventRenewal },
  ),
  'subscription.renewal_upcoming': kind(
    'A period renews soon (setting `renewal_upcoming_days`), and is charged then. Sent only to endpoints whose `event_types` name it, and only if nothing prevents the charge.',
    'Announce the charge to the customer.',
    { ...ofSubscription, next_renewal: eventRenewal },
  ),
  'subscription.paused': kind(
    'The pause of a subscription began, at the end of its paid period. Sent only to endpoints whose `event_types` name it.',
    'Remove access until `subscription.resumed`.',
    ofSubscription,
  ),
  'subscription.resumed': kind(
    'The pause of a subscription ended: a period began, whose charge follows. Sent only to endpoints whose `event_types` name it.',
    'Restore access.',
    ofSubscription,
  ),
  'subscription.cancelled': kind(
    'A subscription was cancelled or has ended.',
    'Remove access now, or at `current_period_end`.',
    { ...ofSubscription, cancellation: eventCancellation },
  ),
  'invoice.created': kind(
    'An invoice of a purchase or a period was issued with its number. Sent once per invoice.',
    'Record the invoice.',
    {
      ...ofPurchase,
      subscription: eventSubscription.nullable(),
      payment: eventPayment.nullable(),
      charge: eventCharge.optional(),
      invoice: eventInvoice,
    },
  ),
  'invoice.payment_failed': kind(
    'The charge for an invoice failed; it is retried 2, 7, 14 and 21 days after the first failure. `payment` is null if no attempt was made, because the merchant replaced the account that holds the payment method.',
    'Grant a grace period; notify the customer.',
    {
      ...ofSubscription,
      payment: eventPayment.nullable(),
      charge: eventCharge.optional(),
      invoice: eventInvoice,
    },
  ),
  'refund.created': kind('A payment was refunded, in full or in part.', "Update the order's balance.", {
    customer: eventCustomer.nullable(),
    product: eventProduct.nullable(),
    subscription: eventSubscription.nullable(),
    payment: eventPayment,
    charge: eventCharge,
    refund: eventRefund,
  }),
  'credit_note.created': kind(
    'A credit note was issued with its number. Sent only to endpoints whose `event_types` name it.',
    'Record the credit note.',
    {
      customer: eventCustomer.nullable(),
      product: eventProduct.nullable(),
      subscription: eventSubscription.nullable(),
      payment: eventPayment.nullable(),
      charge: eventCharge.optional(),
      credit_note: eventCreditNote,
    },
  ),
  'payment_method.updated': kind(
    'The payment method of a subscription was replaced.',
    'Mark the method valid.',
    { ...ofSubscription, payment_method: eventPaymentMethod },
  ),
  'payment_method.updated_required': kind(
    'The customer must replace or authenticate the payment method before the next retry.',
    'Send the customer to `POST /v1/payment-methods/change`. Do not cancel the subscription yourself.',
    {
      ...ofSubscription,
      payment: eventPayment.nullable(),
      charge: eventCharge.optional(),
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
    'An incident that concerns billing, the rail, credentials or webhooks: `alert.code` names it, `alert.reference` its subject; `dispute` has the amount and the date by which evidence is due.',
    'Notify your operators. Hide the details from customers.',
    {
      customer: eventCustomer.nullable(),
      product: eventProduct.nullable(),
      subscription: eventSubscription.nullable(),
      payment: eventPayment.nullable(),
      charge: eventCharge.optional(),
      invoice: eventInvoice.optional(),
      dispute: eventDispute.optional(),
      alert: eventAlert,
    },
  ),
  [TEST_EVENT_TYPE]: kind('A test event was requested for this endpoint.', 'Nothing.', {
    customer: never('Customer'),
    product: never('Product'),
    subscription: never('Subscription'),
    payment: never('Payment'),
  }),
};

/** Returns the schema of an event's whole body. */
export function eventSchemaOf(type: DescribedEventType): z.ZodObject {
  const { id, occurred_at, merchant_id, checkout } = webhookEvent.shape;
  const { holds } = EVENT_KINDS[type];
  const about = type === TEST_EVENT_TYPE ? {} : { checkout };
  return z.object({ id, type: z.literal(type), occurred_at, merchant_id, ...holds.shape, ...about });
}
