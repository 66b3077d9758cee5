/** An example event of each type, as a merchant receives it. */
import type { DescribedEventType } from './event-catalogue.ts';
import { type EventContent, TEST_EVENT_TYPE, type WebhookEvent } from './events.ts';

const UNIQUE = '019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8';

const customer = { id: `ap_cus_${UNIQUE}`, external_customer_id: 'customer-17', email: 'ada@example.org' };
const product = { id: `ap_prod_${UNIQUE}`, external_reference: 'coffee-monthly' };
const subscription = {
  id: `ap_sub_${UNIQUE}`,
  status: 'active' as const,
  current_period_end: '2026-02-28T09:30:00.000Z',
};
const payment = { id: `ap_pay_${UNIQUE}`, rail: 'sandbox', status: 'succeeded' as const };
const charge = { amount: 1_900, currency: 'EUR', failure_code: null };
const declined = { ...charge, failure_code: 'insufficient_funds' };
const failed = { ...payment, status: 'failed' as const };
const invoice = {
  id: `ap_inv_${UNIQUE}`,
  number: 'S-2026-000017',
  status: 'created' as const,
  amount_due: 0,
};
const unpaid = { ...invoice, status: 'payment_failed' as const, amount_due: 900 };
const checkout = { id: `ap_chk_${UNIQUE}`, merchant_reference: 'cart-17' };
const method = { type: 'card', brand: 'visa', last4: '4242' };

const ofSubscription = { customer, product, subscription, payment: null };
const pastDue = { ...subscription, status: 'past_due' as const };
const renewal = { at: subscription.current_period_end, total: 1_900, currency: 'EUR' };
const nothing = { customer: null, product: null, subscription: null, payment: null };

const CONTENT: Readonly<Record<DescribedEventType, EventContent>> = {
  'payment.succeeded': { customer, product, subscription: null, payment, charge, invoice, checkout },
  'payment.failed': { customer, product, subscription: null, payment: failed, charge: declined, checkout },
  'subscription.created': { ...ofSubscription, payment, charge, checkout },
  'subscription.updated': {
    ...ofSubscription,
    cancellation: { at_period_end: true, cancelled_at: null },
  },
  'subscription.trial_ending': {
    ...ofSubscription,
    subscription: { ...subscription, status: 'trialing' },
    next_renewal: renewal,
  },
  'subscription.renewal_upcoming': { ...ofSubscription, next_renewal: renewal },
  'subscription.paused': { ...ofSubscription, subscription: { ...subscription, status: 'paused' } },
  'subscription.resumed': ofSubscription,
  'subscription.cancelled': {
    ...ofSubscription,
    subscription: { ...subscription, status: 'cancelled' },
    cancellation: { at_period_end: true, cancelled_at: '2026-02-28T09:30:00.000Z' },
  },
  'invoice.created': { ...ofSubscription, payment, charge, invoice, checkout },
  'invoice.payment_failed': {
    ...ofSubscription,
    subscription: pastDue,
    payment: failed,
    charge: declined,
    invoice: unpaid,
  },
  'refund.created': {
    customer,
    product,
    subscription: null,
    payment: { ...payment, status: 'partially_refunded' },
    charge,
    refund: { id: `ap_ref_${UNIQUE}`, payment_id: payment.id, amount: 500, status: 'succeeded' },
  },
  'credit_note.created': {
    customer,
    product,
    subscription: null,
    payment: { ...payment, status: 'partially_refunded' },
    credit_note: {
      id: `ap_cn_${UNIQUE}`,
      number: 'CN-2026-000004',
      invoice_id: invoice.id,
      invoice_number: invoice.number,
      refund_id: `ap_ref_${UNIQUE}`,
      reason: 'refund',
      amount: 500,
    },
  },
  'payment_method.updated': { ...ofSubscription, payment_method: method },
  'payment_method.updated_required': {
    ...ofSubscription,
    subscription: pastDue,
    payment: failed,
    charge: declined,
    invoice: unpaid,
    payment_method: method,
  },
  'payment_method.update_failed': ofSubscription,
  'billing.operational_alert': {
    ...nothing,
    alert: { code: 'rail_account_disabled', reference: `ap_rac_${UNIQUE}` },
  },
  [TEST_EVENT_TYPE]: nothing,
};

export function exampleEvent(type: DescribedEventType): WebhookEvent {
  return {
    id: 'evt_4f2d0c7a9b1e48d3a6c5f0e1d2b3a495',
    type,
    occurred_at: '2026-01-31T09:30:00.000Z',
    merchant_id: `ap_mer_${UNIQUE}`,
    ...CONTENT[type],
  };
}
