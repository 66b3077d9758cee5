/** One of each resource, for the API description: they belong together, and are what the sandbox would answer. */

import { EXAMPLE_REQUEST_ID } from './core/answers.ts';
import type { CheckoutSession } from './session/checkout.ts';
import type { MethodChange } from './session/method-change.ts';
import type { Invoice, Order, Payment, Price, Product, Subscription } from './core/resources.ts';

const UNIQUE = '019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8';
const BEGUN = '2026-01-31T09:30:00.000Z';
const ENDS = '2026-02-28T09:30:00.000Z';
const merchantId = `ap_mer_${UNIQUE}`;
const customerId = `ap_cus_${UNIQUE}`;
const visa = { type: 'card', brand: 'visa', last4: '4242' };

export const exampleCheckout: CheckoutSession = {
  id: `ap_chk_${UNIQUE}`,
  sessionId: 'ap_chk_6f0d8c1e4b7a49d2a5c3e8f1b0d7c6a9',
  hostedUrl: 'https://pay.example.org/pay/ap_chk_6f0d8c1e4b7a49d2a5c3e8f1b0d7c6a9',
  expiresAt: '2026-01-31T10:00:00.000Z',
  request_id: EXAMPLE_REQUEST_ID,
};

export const exampleMethodChange: MethodChange = {
  id: `ap_pmc_${UNIQUE}`,
  customerId,
  hostedUrl: 'https://pay.example.org/pay/ap_chk_1b9e7d3c5f2a48e6b4d0c8a7f6e5d4c3',
  expiresAt: '2026-01-31T09:45:00.000Z',
  request_id: EXAMPLE_REQUEST_ID,
};

export const examplePrice: Price = {
  id: `ap_price_${UNIQUE}`,
  product_id: `ap_prod_${UNIQUE}`,
  amount: 900,
  currency: 'EUR',
  tax_rate: 19,
  billing_mode: 'recurring',
  recurring: { interval: 'month', interval_count: 1, trial_period_days: null },
  status: 'active',
};

export const exampleProduct: Product = {
  id: examplePrice.product_id,
  merchant_id: merchantId,
  name: 'Coffee every month',
  description: 'One kilogram, freshly roasted',
  metadata: { shelf: 'B4' },
  external_reference: 'coffee-monthly',
  active_price: examplePrice,
  status: 'active',
  created_at: BEGUN,
  updated_at: BEGUN,
};

const line = {
  product_id: exampleProduct.id,
  price_id: examplePrice.id,
  description: exampleProduct.name,
  quantity: 1,
  unit_amount: 900,
  amount: 900,
  tax_rate: 19,
  tax_amount: 144,
};

export const examplePayment: Payment = {
  id: `ap_pay_${UNIQUE}`,
  order_id: `ap_ord_${UNIQUE}`,
  rail_account_id: `ap_rac_${UNIQUE}`,
  rail_order_id: 'ch_8d1f0a',
  rail: 'sandbox',
  payment_method: visa,
  status: 'succeeded',
  amount: 900,
  currency: 'EUR',
  failure_code: null,
  failure_message: null,
  created_at: BEGUN,
  updated_at: BEGUN,
};

export const exampleOrder: Order = {
  id: `ap_ord_${UNIQUE}`,
  customer_id: customerId,
  product_id: exampleProduct.id,
  price_id: examplePrice.id,
  source: 'checkout',
  external_reference: 'cart-17',
  line_items: [line],
  amount: 900,
  currency: 'EUR',
  payment_id: examplePayment.id,
  status: 'completed',
};

export const exampleSubscription: Subscription = {
  id: `ap_sub_${UNIQUE}`,
  customer_id: customerId,
  product_id: exampleProduct.id,
  plan: { id: exampleProduct.id, name: exampleProduct.name },
  offering: { id: `ap_off_${UNIQUE}`, name: 'Coffee' },
  status: 'active',
  current_period_start: BEGUN,
  current_period_end: ENDS,
  trial_start: null,
  trial_end: null,
  amount: 900,
  currency: 'EUR',
  payment_method: visa,
  cancel_at_period_end: false,
  cancelled_at: null,
  change: null,
};

export const exampleChange: NonNullable<Subscription['change']> = {
  action_id: `ap_chg_${UNIQUE}`,
  type: 'plan_change',
  status: 'scheduled',
  target_plan_id: 'ap_prod_019a3c1c8f3b7d21a4c5e6f708192a3b',
  target_offering_id: null,
  effective_at: ENDS,
};

export const exampleInvoice: Invoice = {
  id: `ap_inv_${UNIQUE}`,
  number: 'S-2026-000017',
  issued_at: BEGUN,
  customer_id: customerId,
  order_id: exampleOrder.id,
  subscription_id: exampleSubscription.id,
  status: 'created',
  amount_due: 0,
  currency: 'EUR',
  customer: {
    id: customerId,
    external_customer_id: 'customer-17',
    email: 'ada@example.org',
    name: 'Ada Lovelace',
    billing_details: null,
    tax_value: null,
    tax_type: null,
  },
  line_items: [line],
  pdf_url: `https://pay.example.org/invoices/${'4f2d0c7a'.repeat(8)}.pdf`,
};

/** In a list of its own kind. */
export function exampleList<Resource>(resource: Resource) {
  return { data: [resource], request_id: EXAMPLE_REQUEST_ID };
}

/** Flat, with `request_id` beside its fields. */
export function exampleSingle<Resource extends object>(resource: Resource) {
  return { ...resource, request_id: EXAMPLE_REQUEST_ID };
}
