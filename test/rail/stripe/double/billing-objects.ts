/** Builds the API objects of Stripe Billing from the double's state, expanded as the import asks. */
import { methodObject } from './objects.ts';
import type {
  BilledPrice,
  BilledSubscription,
  DoubleAccount,
  DoubleCustomer,
  PendingItem,
  UnpricedProduct,
} from './state.ts';

const IN_EUROS = { livemode: false, metadata: {}, created: 1, currency: 'eur' };
const OWN = { type: 'self' };

export function priceObject({ id, name, amount, interval, active, with: replaced }: BilledPrice) {
  return {
    ...IN_EUROS,
    id,
    object: 'price',
    active,
    billing_scheme: 'per_unit',
    unit_amount: amount,
    unit_amount_decimal: `${amount}`,
    nickname: null,
    type: interval ? 'recurring' : 'one_time',
    recurring: interval && { interval, interval_count: 1, usage_type: 'licensed' },
    tax_behavior: 'unspecified',
    product: productObject({ id: `prod_${id}`, name, active }),
    ...replaced,
  };
}

export function productObject({
  id,
  name,
  active,
  with: replaced,
}: UnpricedProduct & { readonly active: boolean }) {
  return {
    id,
    object: 'product',
    active,
    created: 1,
    updated: 1,
    images: [],
    marketing_features: [],
    livemode: false,
    metadata: {},
    name,
    description: 'Jeden Monat frisch',
    ...replaced,
  };
}

export function customerObject(account: DoubleAccount, customer: DoubleCustomer) {
  const { id, metadata, email = null, name = null, method = null, balance = 0 } = customer;
  const stored = method && account.methods.get(method);
  return {
    id,
    object: 'customer',
    created: 1,
    livemode: false,
    metadata,
    email,
    name,
    balance,
    address: {
      line1: 'Hafenweg 1',
      line2: null,
      city: 'Hamburg',
      state: null,
      postal_code: '20457',
      country: 'DE',
    },
    invoice_settings: {
      custom_fields: null,
      default_payment_method: stored ? methodObject(stored) : null,
      footer: null,
      rendering_options: null,
    },
    ...customer.with,
  };
}

export function subscriptionObject(account: DoubleAccount, subscription: BilledSubscription) {
  const customer = account.customers.get(subscription.customer);
  if (!customer) throw new Error(`${subscription.id} has no customer`);
  const method = subscription.method && account.methods.get(subscription.method);
  return {
    ...IN_EUROS,
    id: subscription.id,
    object: 'subscription',
    status: subscription.status,
    created: subscription.created,
    start_date: subscription.created,
    metadata: subscription.metadata,
    customer: customerObject(account, customer),
    billing_cycle_anchor: subscription.anchor,
    billing_cycle_anchor_config: null,
    billing_mode: { type: 'classic' },
    billing_schedules: [],
    cancel_at: subscription.cancelAtPeriodEnd ? subscription.periodEnd : null,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    cancellation_details: { comment: subscription.comment, feedback: null, reason: null },
    ended_at: subscription.endedAt,
    trial_start: subscription.trialEnd && subscription.periodStart,
    trial_end: subscription.trialEnd,
    collection_method: 'charge_automatically',
    pause_collection: null,
    schedule: null,
    pending_update: null,
    pending_invoice_item_interval: null,
    transfer_data: null,
    application_fee_percent: null,
    on_behalf_of: null,
    discounts: [],
    automatic_tax: { enabled: false, disabled_reason: null, liability: null },
    default_tax_rates: [],
    default_payment_method: method ? methodObject(method) : null,
    invoice_settings: { issuer: OWN },
    latest_invoice: invoiceObject(subscription, 'paid'),
    items: {
      object: 'list',
      url: `/v1/subscription_items?subscription=${subscription.id}`,
      has_more: false,
      data: [
        {
          id: `si_${subscription.id}`,
          object: 'subscription_item',
          created: 1,
          metadata: {},
          subscription: subscription.id,
          current_period_start: subscription.periodStart,
          current_period_end: subscription.periodEnd,
          discounts: [],
          quantity: 1,
          tax_rates: [],
          billing_thresholds: null,
          price: { ...priceObject(subscription.price), product: `prod_${subscription.price.id}` },
        },
      ],
    },
    ...subscription.with,
  };
}

export function invoiceObject(
  { id, customer, periodStart, periodEnd, price }: BilledSubscription,
  status: 'paid' | 'open',
) {
  const line = {
    id: `il_${id}`,
    object: 'line_item',
    amount: price.amount,
    currency: 'eur',
    discountable: true,
    discounts: [],
    livemode: false,
    metadata: {},
    period: { start: periodStart, end: periodEnd },
    subtotal: price.amount,
  };
  const due = status === 'paid' ? 0 : price.amount;
  return {
    ...IN_EUROS,
    id: `in_${id}`,
    object: 'invoice',
    status,
    customer,
    amount_due: price.amount,
    amount_overpaid: 0,
    amount_paid: price.amount - due,
    amount_paid_off_stripe: 0,
    amount_remaining: due,
    amount_shipping: 0,
    attempt_count: 1,
    attempted: true,
    auto_advance: false,
    automatic_tax: { enabled: false, disabled_reason: null, liability: null, provider: null, status: null },
    collection_method: 'charge_automatically',
    default_tax_rates: [],
    discounts: [],
    issuer: OWN,
    lines: { object: 'list', data: [line], has_more: false, url: `/v1/invoices/in_${id}/lines` },
    payment_settings: { default_mandate: null, payment_method_options: null, payment_method_types: null },
    period_end: periodStart,
    period_start: periodStart,
    post_payment_credit_notes_amount: 0,
    pre_payment_credit_notes_amount: 0,
    starting_balance: 0,
    status_transitions: { finalized_at: null, marked_uncollectible_at: null, paid_at: null, voided_at: null },
    subtotal: price.amount,
    total: price.amount,
  };
}

/** How the invoice was paid, with the charge. */
export function invoicePaymentObject({ id, price, refunded = 0 }: BilledSubscription) {
  const charge = {
    ...IN_EUROS,
    id: `ch_${id}`,
    object: 'charge',
    status: 'succeeded',
    billing_details: { address: null, email: null, name: null, phone: null, tax_id: null },
    captured: true,
    paid: true,
    refunded: refunded === price.amount,
    amount: price.amount,
    amount_captured: price.amount,
    amount_refunded: refunded,
    disputed: false,
  };
  const intent = {
    ...IN_EUROS,
    id: `pi_${id}`,
    object: 'payment_intent',
    status: 'succeeded',
    latest_charge: charge,
  };
  return {
    id: `inpay_${id}`,
    object: 'invoice_payment',
    amount_paid: price.amount,
    amount_requested: price.amount,
    created: 1,
    currency: 'eur',
    livemode: false,
    invoice: `in_${id}`,
    is_default: true,
    payment: { type: 'payment_intent', payment_intent: intent },
    status: 'paid',
    status_transitions: { canceled_at: null, paid_at: 1 },
  };
}

export function pendingItemObject({ id, customer }: PendingItem) {
  return {
    id,
    object: 'invoiceitem',
    amount: 300,
    currency: 'eur',
    customer,
    date: 1,
    description: null,
    discountable: true,
    discounts: [],
    livemode: false,
    metadata: {},
    net_amount: 300,
    parent: null,
    period: { start: 1, end: 1 },
    proration: false,
    quantity: 1,
    quantity_decimal: '1',
    tax_rates: [],
  };
}
