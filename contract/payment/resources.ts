/** Order and Payment as the API returns them. */
import { z } from 'zod';
import { PAYMENT_STATUSES } from '../../domain/payment/payment.ts';
import { examplePrice, exampleProduct } from '../catalogue/resources.ts';
import { BEGUN, EXAMPLE_CARD, EXAMPLE_CUSTOMER_ID, UNIQUE } from '../core/examples.ts';
import { cents, currency, instant, paymentMethod, signedCents } from '../core/fields.ts';

export const lineItem = z
  .object({
    product_id: z.string(),
    price_id: z.string(),
    description: z.string(),
    quantity: z.int().positive(),
    unit_amount: signedCents,
    amount: signedCents,
    tax_rate: z.number().nonnegative(),
    tax_amount: signedCents,
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

export const exampleLine: z.infer<typeof lineItem> = {
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
  payment_method: EXAMPLE_CARD,
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
  customer_id: EXAMPLE_CUSTOMER_ID,
  product_id: exampleProduct.id,
  price_id: examplePrice.id,
  source: 'checkout',
  external_reference: 'cart-17',
  line_items: [exampleLine],
  amount: 900,
  currency: 'EUR',
  payment_id: examplePayment.id,
  status: 'completed',
};
