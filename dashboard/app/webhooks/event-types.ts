import type { Operations } from '../api/description.ts';

type EventType = NonNullable<NonNullable<Operations['createWebhookEndpoint']['body']['event_types']>[number]>;

/** In the order of their worth to a merchant. The compiler refuses one that the API does not have. */
export const EVENT_TYPES: readonly EventType[] = [
  'payment.succeeded',
  'payment.failed',
  'subscription.created',
  'subscription.updated',
  'subscription.cancelled',
  'invoice.created',
  'invoice.payment_failed',
  'refund.created',
  'payment_method.updated',
  'payment_method.updated_required',
  'payment_method.update_failed',
  'billing.operational_alert',
];

export type { EventType };
