/** Products, as people create and change them under `/v1/merchants/:merchantId/products`. */
import { z } from 'zod';
import { single } from '../core/answers.ts';
import { rule } from '../core/faults.ts';
import { billingCycles, quantityRange } from '../core/fields.ts';
import { browserUrl, keepingEveryKey, printedText, requiredText, text } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';
import { exampleProduct, product } from './resources.ts';

const MAX_METADATA_KEYS = 50;

const fields = {
  name: printedText(200).meta({ description: 'The name that buyers see on the hosted page.' }),
  description: text(2_000).nullable(),
  metadata: keepingEveryKey(
    z
      .record(requiredText(40), text(500))
      .refine(
        (metadata) => Object.keys(metadata).length <= MAX_METADATA_KEYS,
        rule('too_many', `must have at most ${MAX_METADATA_KEYS} keys`, MAX_METADATA_KEYS),
      )
      .meta({
        description: 'For your own use: at most 50 keys. Replaced as a whole.',
        maxProperties: MAX_METADATA_KEYS,
      }),
  ),
  external_reference: requiredText(200).nullable().meta({
    description:
      'Your own reference, unique among your products. Storefronts may use it to name the product.',
  }),
  quantity: quantityRange.nullable().meta({
    description:
      'How many units can be bought at once, for example seats; null or absent: one. The price is per unit.',
  }),
  billing_cycles: billingCycles.nullable().meta({
    description:
      'Number of charged periods after which a subscription ends; null or absent: no limit. Trials, pauses and free periods do not count. Applies to sessions created later.',
  }),
  one_subscription_per_customer: z.boolean().meta({
    description:
      'A customer with a running subscription of the same offering (without an offering: of this product) cannot buy another: 409 `subscription_exists` when the session is created, checked again when the buyer pays. Customers are identified by `externalCustomerId`. Defaults to false.',
  }),
  one_trial_per_customer: z.boolean().meta({
    description:
      'A buyer who has had a trial of the same offering (without an offering: of this product) pays the price from the first day, as the page announces before the payment. Buyers are recognised by `externalCustomerId`, by an email confirmed on the page, and by the card where the rail identifies it. Defaults to false.',
  }),
  image_url: browserUrl(500).nullable().meta({
    description:
      'An https URL (http only for localhost) of a still JPEG, PNG or WebP image of at most 300 kB and 2,000 pixels a side. It is fetched once, when it is saved, within five seconds and without redirects, re-encoded in its format, with less quality if it would exceed 300 kB, and shown on the hosted page from this service. To change the image, use another URL.',
    example: 'https://cdn.example.com/coffee-1.webp',
  }),
};

export const newProduct = z
  .object({
    name: fields.name,
    description: fields.description.optional(),
    metadata: fields.metadata.optional(),
    external_reference: fields.external_reference.optional(),
    quantity: fields.quantity.optional(),
    billing_cycles: fields.billing_cycles.optional(),
    one_subscription_per_customer: fields.one_subscription_per_customer.optional(),
    one_trial_per_customer: fields.one_trial_per_customer.optional(),
    image_url: fields.image_url.optional(),
  })
  .meta({ id: 'ProductRequest' });
export type NewProduct = z.infer<typeof newProduct>;

export const productChanges = z
  .object({
    ...newProduct.shape,
    name: fields.name.optional(),
    status: z.enum(['active', 'inactive']).optional().meta({
      description: 'inactive: new sessions cannot sell it. Existing sessions and subscriptions continue.',
    }),
  })
  .meta({ id: 'ProductChanges', ...CLOSED });
export type ProductChanges = z.infer<typeof productChanges>;

export const productAnswer = single(product, exampleProduct);
