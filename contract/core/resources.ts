/** The public fields of the billing resources. Absent values are null, never omitted. */
import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../domain/payment.ts';

const instant = z.iso.datetime().meta({ description: 'UTC, with milliseconds.' });
const cents = z.int().nonnegative().meta({ description: 'Integer cents.' });
const currency = z.string().length(3).meta({ example: 'EUR' });

export const price = z
  .object({
    id: z.string(),
    product_id: z.string(),
    amount: cents,
    currency,
    tax_rate: z
      .number()
      .nonnegative()
      .meta({ description: 'Percentage that the amount includes.', example: 19 }),
    billing_mode: z.enum(['one_time', 'recurring']),
    recurring: z
      .object({
        interval: z.enum(['day', 'week', 'month', 'year']),
        interval_count: z.int().positive(),
        trial_period_days: z.int().positive().nullable(),
      })
      .nullable(),
    status: z.enum(['active', 'inactive']),
  })
  .meta({ id: 'Price' });
export type Price = z.infer<typeof price>;

export const product = z
  .object({
    id: z.string(),
    merchant_id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    metadata: z.record(z.string(), z.json()),
    external_reference: z.string().nullable(),
    active_price: price.nullable(),
    status: z.enum(['active', 'inactive']),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Product' });
export type Product = z.infer<typeof product>;

export const lineItem = z
  .object({
    product_id: z.string(),
    price_id: z.string(),
    description: z.string(),
    quantity: z.int().positive(),
    unit_amount: cents,
    amount: cents,
    tax_rate: z.number().nonnegative(),
    tax_amount: cents,
  })
  .meta({ id: 'LineItem' });

export const order = z
  .object({
    id: z.string(),
    customer_id: z.string(),
    product_id: z.string().nullable(),
    price_id: z.string().nullable(),
    source: z.enum(['checkout', 'checkout_client', 'subscription', 'manual']),
    external_reference: z.string().nullable().meta({ description: 'reconciliation.merchantReference' }),
    line_items: z.array(lineItem),
    amount: cents,
    currency,
    payment_id: z.string().nullable(),
    status: z.enum(['pending', 'completed', 'failed', 'cancelled', 'partially_refunded', 'refunded']),
  })
  .meta({ id: 'Order' });
export type Order = z.infer<typeof order>;

const paymentMethod = z
  .object({ type: z.string(), brand: z.string().nullable(), last4: z.string().nullable() })
  .meta({ id: 'PaymentMethod' });

export const payment = z
  .object({
    id: z.string(),
    order_id: z.string().nullable(),
    rail_account_id: z.string().nullable(),
    rail_order_id: z.string().nullable(),
    rail: z.string().nullable(),
    payment_method: paymentMethod.nullable(),
    status: z.enum(PAYMENT_STATUSES),
    amount: cents,
    currency,
    failure_code: z.string().nullable(),
    failure_message: z.string().nullable(),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Payment' });
export type Payment = z.infer<typeof payment>;

export const subscriptionChange = z
  .object({
    action_id: z.string(),
    type: z.enum(['plan_change', 'offering_change']),
    status: z.enum(['scheduled', 'applied', 'cancelled']),
    target_plan_id: z.string(),
    target_offering_id: z.string().nullable(),
    effective_at: instant,
  })
  .meta({ id: 'SubscriptionChange' });

export const subscription = z
  .object({
    id: z.string(),
    customer_id: z.string(),
    product_id: z.string(),
    plan: z.object({ id: z.string(), name: z.string() }),
    offering: z.object({ id: z.string(), name: z.string() }).nullable(),
    status: z.enum(['incomplete', 'trialing', 'active', 'past_due', 'cancelled', 'expired', 'paused']),
    current_period_start: instant.nullable(),
    current_period_end: instant.nullable(),
    trial_start: instant.nullable(),
    trial_end: instant.nullable(),
    amount: cents,
    currency,
    payment_method: paymentMethod.nullable(),
    cancel_at_period_end: z.boolean(),
    cancelled_at: instant.nullable(),
    change: subscriptionChange.nullable(),
  })
  .meta({ id: 'Subscription' });
export type Subscription = z.infer<typeof subscription>;

/** As issued: what the invoice says of its customer never changes afterwards. */
export const invoiceCustomer = z
  .object({
    id: z.string(),
    external_customer_id: z.string().nullable(),
    email: z.string().nullable(),
    name: z.string().nullable(),
    billing_details: z.record(z.string(), z.string().nullable()).nullable(),
    tax_value: z.string().nullable(),
    tax_type: z.string().nullable(),
  })
  .meta({ id: 'InvoiceCustomer' });

export const invoice = z
  .object({
    id: z.string(),
    number: z.string().nullable(),
    issued_at: instant.nullable(),
    customer_id: z.string(),
    order_id: z.string().nullable(),
    subscription_id: z.string().nullable(),
    status: z.enum(['draft', 'open', 'created', 'void', 'uncollectible', 'payment_failed']),
    amount_due: cents,
    currency,
    customer: invoiceCustomer,
    line_items: z.array(lineItem),
    pdf_url: z.url().nullable(),
  })
  .meta({ id: 'Invoice' });
export type Invoice = z.infer<typeof invoice>;

export const dashboard = z
  .object({
    merchant_id: z.string(),
    orders: z.int().nonnegative(),
    payments: z.int().nonnegative(),
    invoices: z.int().nonnegative(),
    subscriptions: z
      .int()
      .nonnegative()
      .optional()
      .meta({ description: 'With the subscriptions capability only.' }),
    request_id: z.string(),
  })
  .meta({ id: 'BillingDashboard' });
export type BillingDashboard = z.infer<typeof dashboard>;
