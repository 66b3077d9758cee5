/** Products, as people create and change them under `/v1/merchants/:merchantId/products`. */
import { z } from 'zod';
import { EXAMPLE_REQUEST_ID, single } from './answers.ts';
import { product } from './resources.ts';
import { requiredText, text } from './text.ts';

const MAX_METADATA_KEYS = 50;

const fields = {
  name: requiredText(200).meta({ description: 'What buyers read on the hosted page.' }),
  description: text(2_000).nullable(),
  metadata: z
    .record(requiredText(40), text(500))
    .refine((metadata) => Object.keys(metadata).length <= MAX_METADATA_KEYS, {
      error: `must have at most ${MAX_METADATA_KEYS} keys`,
    })
    .meta({ description: 'For your own use: at most 50 keys. Replaced as a whole.' }),
  external_reference: requiredText(200).nullable().meta({
    description: 'Your own reference, unique among your products. Storefronts may name the product by it.',
  }),
};

export const newProduct = z
  .object({
    name: fields.name,
    description: fields.description.optional(),
    metadata: fields.metadata.optional(),
    external_reference: fields.external_reference.optional(),
  })
  .meta({ id: 'NewProduct' });
export type NewProduct = z.infer<typeof newProduct>;

export const productChanges = z
  .object({
    ...newProduct.shape,
    name: fields.name.optional(),
    status: z.enum(['active', 'inactive']).optional().meta({
      description: 'inactive: no new session sells it. Sessions and subscriptions that have it go on.',
    }),
  })
  .meta({ id: 'ProductChanges' });
export type ProductChanges = z.infer<typeof productChanges>;

export const productAnswer = single(product).meta({ id: 'ProductAnswer' });
export const exampleProduct: z.infer<typeof productAnswer> = {
  id: 'ap_prod_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  merchant_id: 'ap_mer_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
  name: 'Coffee club',
  description: 'A bag of fresh beans each month.',
  metadata: { shelf: '3' },
  external_reference: 'coffee-club',
  active_price: {
    id: 'ap_price_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
    product_id: 'ap_prod_019a3c1c5a0e7c7ab1f2d3e4f5a6b7c8',
    amount: 1_400,
    currency: 'EUR',
    tax_rate: 19,
    billing_mode: 'recurring',
    recurring: { interval: 'month', interval_count: 1, trial_period_days: null },
    status: 'active',
  },
  status: 'active',
  created_at: '2026-01-31T09:30:00.000Z',
  updated_at: '2026-01-31T09:30:00.000Z',
  request_id: EXAMPLE_REQUEST_ID,
};
