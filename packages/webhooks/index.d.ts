/** Verifies the signed webhooks of the hosted checkout service. */

export const SIGNATURE_HEADER: 'service-signature';
export const DEFAULT_TOLERANCE_SECONDS: 300;

export interface VerifyOptions {
  /** The request body exactly as received, before any JSON parsing. */
  readonly rawBody: string | Uint8Array;
  /** The value of the `Service-Signature` header. */
  readonly signature: string | readonly string[] | null | undefined;
  /** The endpoint's secret as shown (`whsec_…`); several during a rotation. */
  readonly secret: string | readonly string[];
  /** Maximum distance of the timestamp from this machine's clock; 300 by default. */
  readonly toleranceSeconds?: number;
  /** Unix seconds instead of this machine's clock, for tests. */
  readonly nowSeconds?: number;
}

/**
 * Checks the signature and returns the event.
 * @throws WebhookVerificationError if the header is missing or malformed, the timestamp is outside the tolerance,
 * or no signature matches; answer 400
 */
export function verifyWebhook(options: VerifyOptions): WebhookEvent;

export type VerificationFailure =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_outside_tolerance'
  | 'no_matching_signature';

export class WebhookVerificationError extends Error {
  constructor(reason: VerificationFailure, message: string);
  readonly name: 'WebhookVerificationError';
  readonly code: 'invalid_signature';
  readonly reason: VerificationFailure;
}

export interface Customer {
  readonly id: string;
  readonly external_customer_id: string | null;
  readonly email: string | null;
}
export interface Product {
  readonly id: string;
  readonly external_reference: string | null;
}
export interface Subscription {
  readonly id: string;
  readonly status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'cancelled' | 'expired' | 'paused';
  /** ISO 8601. */
  readonly current_period_end: string | null;
}
/** The session that caused the event, with the reference that its request carried. */
export interface Checkout {
  readonly id: string;
  readonly merchant_reference: string | null;
}
export interface Payment {
  readonly id: string;
  readonly rail: string | null;
  readonly status:
    | 'requires_action'
    | 'processing'
    | 'succeeded'
    | 'failed'
    | 'cancelled'
    | 'refunded'
    | 'partially_refunded';
}
export interface Invoice {
  readonly id: string;
  readonly number: string | null;
  readonly status: 'draft' | 'open' | 'created' | 'void' | 'uncollectible' | 'payment_failed';
  /** Cents. */
  readonly amount_due: number;
}
export interface Refund {
  readonly id: string;
  readonly payment_id: string;
  /** Cents. */
  readonly amount: number;
  readonly status: 'pending' | 'succeeded' | 'failed';
}
export interface PaymentMethod {
  readonly type: string;
  readonly brand: string | null;
  readonly last4: string | null;
}
export interface Dispute {
  readonly id: string;
  readonly payment_id: string;
  readonly status: 'open' | 'won' | 'lost';
  /** Cents. */
  readonly amount: number;
  readonly currency: string;
  /** Until when evidence can be submitted at the card processor; null when it cannot. */
  readonly evidence_due_by: string | null;
}
export interface Alert {
  /** Machine-readable cause. */
  readonly code: string;
  /** The id of the alert's subject. */
  readonly reference: string;
}

/** Fields of every event. Parts that do not apply are null. */
export interface Envelope {
  /** The same in every delivery of this event: store it, and ignore ids that you have already processed. */
  readonly id: string;
  /** ISO 8601, UTC. */
  readonly occurred_at: string;
  readonly merchant_id: string;
  readonly customer: Customer | null;
  readonly product: Product | null;
  readonly subscription: Subscription | null;
  readonly payment: Payment | null;
  /** In every event that a checkout session caused. */
  readonly checkout?: Checkout;
}

export interface PaymentEvent extends Envelope {
  readonly type: 'payment.succeeded' | 'payment.failed';
  readonly payment: Payment;
}
export interface SubscriptionEvent extends Envelope {
  readonly type: 'subscription.created' | 'subscription.updated' | 'subscription.cancelled';
  readonly subscription: Subscription;
}
export interface InvoiceEvent extends Envelope {
  readonly type: 'invoice.created' | 'invoice.payment_failed';
  readonly invoice: Invoice;
}
export interface RefundEvent extends Envelope {
  readonly type: 'refund.created';
  readonly refund: Refund;
}
export interface PaymentMethodEvent extends Envelope {
  readonly type:
    | 'payment_method.updated'
    | 'payment_method.updated_required'
    | 'payment_method.update_failed';
  readonly payment_method?: PaymentMethod;
}
export interface OperationalAlertEvent extends Envelope {
  readonly type: 'billing.operational_alert';
  /** With the codes `dispute_opened` and `dispute_lost`. */
  readonly dispute?: Dispute;
  readonly alert: Alert;
}
/** Sent on request, to test an endpoint. Reports no real event. */
export interface TestEvent extends Envelope {
  readonly type: 'webhook.test';
}

export type WebhookEvent =
  | PaymentEvent
  | SubscriptionEvent
  | InvoiceEvent
  | RefundEvent
  | PaymentMethodEvent
  | OperationalAlertEvent
  | TestEvent;
export type EventType = WebhookEvent['type'];
