/**
 * The verification of `hosted-checkout` as a synchronous function, for servers in Node.js. The types keep the names
 * that they had in this package's first release.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { EventCheckout, WebhookEvent } from '../../node/src/schemas.ts';
import { eventOf, readSigned, type VerifyOptions } from '../../node/src/webhook-rules.ts';

export type {
  EventAlert as Alert,
  EventCheckout as Checkout,
  EventCustomer as Customer,
  EventDispute as Dispute,
  EventInvoice as Invoice,
  EventPayment as Payment,
  EventPaymentMethod as PaymentMethod,
  EventProduct as Product,
  EventRefund as Refund,
  EventSubscription as Subscription,
  WebhookEvent,
} from '../../node/src/schemas.ts';
export {
  DEFAULT_TOLERANCE_SECONDS,
  SIGNATURE_HEADER,
  type VerificationFailure,
  type VerifyOptions,
  WebhookVerificationError,
} from '../../node/src/webhook-rules.ts';
export type EventType = WebhookEvent['type'];

/** Fields of every event. Objects that do not apply are null. */
export type Envelope = Pick<
  WebhookEvent,
  'id' | 'occurred_at' | 'merchant_id' | 'customer' | 'product' | 'subscription' | 'payment'
> & { readonly checkout?: EventCheckout | undefined };
type EventOf<Type extends EventType> = Extract<WebhookEvent, { readonly type: Type }>;
export type PaymentEvent = EventOf<'payment.succeeded' | 'payment.failed'>;
export type SubscriptionEvent = EventOf<
  | 'subscription.created'
  | 'subscription.updated'
  | 'subscription.trial_ending'
  | 'subscription.renewal_upcoming'
  | 'subscription.paused'
  | 'subscription.resumed'
  | 'subscription.cancelled'
>;
export type InvoiceEvent = EventOf<'invoice.created' | 'invoice.payment_failed'>;
export type RefundEvent = EventOf<'refund.created'>;
export type CreditNoteEvent = EventOf<'credit_note.created'>;
export type PaymentMethodEvent = EventOf<
  'payment_method.updated' | 'payment_method.updated_required' | 'payment_method.update_failed'
>;
export type OperationalAlertEvent = EventOf<'billing.operational_alert'>;
/** An event sent on request to test an endpoint. It reports nothing that happened. */
export type TestEvent = EventOf<'webhook.test'>;

/**
 * Checks the signature and returns the event.
 *
 * @throws WebhookVerificationError
 * @throws TypeError for invalid options, such as a parsed body
 */
export function verifyWebhook(options: VerifyOptions): WebhookEvent {
  const webhook = readSigned(options);
  // Compare every pair of secret and signature in constant time, so that timing reveals nothing.
  let matches = 0;
  for (const secret of webhook.secrets) {
    const expected = createHmac('sha256', secret).update(webhook.signed).digest();
    for (const signature of webhook.signatures) matches += Number(timingSafeEqual(expected, signature));
  }
  return eventOf(webhook, matches > 0);
}
