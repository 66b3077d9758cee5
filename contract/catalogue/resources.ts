/** Product and Price as the API returns them. */
import { z } from 'zod';
import { BEGUN, EXAMPLE_MERCHANT_ID, UNIQUE } from '../core/examples.ts';
import { anyJson, billingCycles, cents, currency, instant, quantityRange } from '../core/fields.ts';

export const price = z
  .object({
    id: z.string(),
    product_id: z.string(),
    amount: cents,
    currency,
    tax_rate: z
      .number()
      .nonnegative()
      .meta({ description: 'Percentage included in the amount.', example: 19 }),
    billing_mode: z.enum(['one_time', 'recurring']),
    recurring: z
      .object({
        interval: z.enum(['day', 'week', 'month', 'year']),
        interval_count: z.int().positive(),
        trial_period_days: z.int().positive().nullable(),
      })
      .meta({ id: 'RecurringTerms' })
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
    metadata: z.record(z.string(), anyJson),
    external_reference: z.string().nullable(),
    quantity: quantityRange
      .nullable()
      .meta({ description: 'How many units can be bought at once; null for one.' }),
    billing_cycles: billingCycles
      .nullable()
      .meta({ description: 'Number of charged periods after which a subscription ends; null for no limit.' }),
    one_subscription_per_customer: z.boolean(),
    one_trial_per_customer: z.boolean(),
    image_url: z.string().nullable(),
    active_price: price.nullable(),
    status: z.enum(['active', 'inactive']),
    created_at: instant,
    updated_at: instant,
  })
  .meta({ id: 'Product' });
export type Product = z.infer<typeof product>;

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
  merchant_id: EXAMPLE_MERCHANT_ID,
  name: 'Coffee every month',
  description: 'One kilogram, freshly roasted',
  metadata: { shelf: 'B4' },
  external_reference: 'coffee-monthly',
  quantity: null,
  billing_cycles: null,
  one_subscription_per_customer: false,
  one_trial_per_customer: false,
  image_url: null,
  active_price: examplePrice,
  status: 'active',
  created_at: BEGUN,
  updated_at: BEGUN,
};
