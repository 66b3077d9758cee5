/**
 * The values with which this service can charge a subscription the same amount at the same time as Stripe: an import
 * moves a subscription only if its terms stay as agreed.
 */
import { any, is, type Known, none, within } from './known.ts';
import type { Subscription } from './schema.ts';

const DISCOUNT = 'It has a discount.';
const TAX = 'Stripe adds or computes its tax.';
const CONNECTED = 'It pays a connected account.';
const BALANCE = 'Its customer has a balance at Stripe.';

const NAMES: Known = { id: any, object: any, created: any, livemode: any, metadata: any };

export function subscriptionFields(
  { status, currency, items }: Subscription,
  statuses: readonly string[],
): Known {
  const [item] = items.data;
  return {
    ...NAMES,
    status: [is(...statuses), (other) => `It is ${other}.`],
    application: any,
    application_fee_percent: [is(0), CONNECTED],
    automatic_tax: [within({ enabled: is(false), disabled_reason: any, liability: any }), TAX],
    billing_cycle_anchor: any,
    billing_cycle_anchor_config: [none, 'Its billing day is configured separately from its anchor.'],
    // The modes differ only in how changes within a period are settled.
    billing_mode: within({ type: is('classic', 'flexible'), flexible: any, updated_at: any }),
    cancel_at: any,
    cancel_at_period_end: any,
    canceled_at: any,
    cancellation_details: any,
    collection_method: [is('charge_automatically'), 'It is paid by invoice, not charged automatically.'],
    currency: [
      is(item.price.currency),
      `It is charged in ${upper(currency)}, and its price is in ${upper(item.price.currency)}.`,
    ],
    customer: any,
    default_payment_method: any,
    default_tax_rates: [none, TAX],
    description: any,
    discounts: [none, DISCOUNT],
    ended_at: any,
    invoice_settings: within({
      account_tax_ids: any,
      custom_fields: any,
      description: any,
      footer: any,
      issuer: within({ type: is('self') }),
    }),
    items: any,
    latest_invoice: [isSettled, (invoice) => `Its latest invoice is ${statusOf(invoice) ?? 'unknown'}.`],
    managed_payments: within({ enabled: is(false) }),
    on_behalf_of: [none, CONNECTED],
    pause_collection: [none, 'Its collection is paused.'],
    payment_settings: any,
    pending_invoice_item_interval: [none, 'Invoice items are billed between its renewals.'],
    pending_update: [none, 'It has a pending update that waits for a payment.'],
    presentment_details: within({ presentment_currency: is(currency) }),
    schedule: [none, 'It belongs to a schedule.'],
    start_date: any,
    transfer_data: [none, CONNECTED],
    // During a trial, Stripe's period is the trial itself.
    trial_end: [
      (end) => status !== 'trialing' || end === item.current_period_end,
      'Its trial does not end with its period.',
    ],
    trial_settings: any,
    trial_start: any,
  };
}

export function itemFields(periodEnd: number): Known {
  return {
    ...NAMES,
    billed_until: is(periodEnd),
    current_period_end: any,
    current_period_start: any,
    discounts: [none, DISCOUNT],
    plan: any,
    price: any,
    quantity: [is(1), (quantity) => `Its quantity is ${quantity}.`],
    subscription: any,
    tax_rates: [none, TAX],
  };
}

export const CUSTOMER_FIELDS: Known = {
  ...NAMES,
  // In older accounts a customer's id can be the merchant's own, which a mandate cannot contain.
  id: [(id) => /^cus_\w+$/.test(String(id)), 'Its customer’s id does not begin with cus_.'],
  address: any,
  balance: [is(0), BALANCE],
  business_name: any,
  currency: any,
  // Used only if neither the subscription nor the customer has a default payment method.
  default_source: any,
  delinquent: any,
  description: any,
  discount: [none, DISCOUNT],
  email: any,
  individual_name: any,
  invoice_credit_balance: isZero,
  invoice_prefix: any,
  invoice_settings: any,
  name: any,
  next_invoice_sequence: any,
  phone: any,
  preferred_locales: any,
  shipping: any,
  sources: any,
  subscriptions: any,
  tax: any,
  // Has no effect here, because Stripe adds no tax.
  tax_exempt: any,
  tax_ids: any,
};

function upper(currency: string): string {
  return currency.toUpperCase();
}

function statusOf(invoice: unknown): unknown {
  return typeof invoice === 'object' && invoice !== null && 'status' in invoice ? invoice.status : undefined;
}

function isSettled(invoice: unknown): boolean {
  return is('paid', 'void')(statusOf(invoice));
}

/** Returns true if the balance in every currency is 0. */
function isZero(balances: unknown): boolean {
  return typeof balances === 'object' && balances !== null && Object.values(balances).every(is(0));
}
