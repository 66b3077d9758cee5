/** A subscription as Stripe answers it. Stripe's field names stay in this folder. */
import { z } from 'zod';
import { methodSchema } from '../core/method.ts';

export const storedMethod = methodSchema.extend({ customer: z.string().nullish() });

const customer = z.object({
  id: z.string(),
  balance: z.number().nullish(),
  discount: z.unknown().optional(),
  invoice_settings: z
    .object({ default_payment_method: z.union([z.string(), storedMethod]).nullish() })
    .nullish(),
});

const item = z.object({
  current_period_start: z.number().int(),
  current_period_end: z.number().int(),
  quantity: z.number().int().nullish(),
  discounts: z.array(z.unknown()),
  tax_rates: z.array(z.unknown()).nullish(),
  price: z.object({ id: z.string(), currency: z.string() }),
});

export const subscriptionSchema = z.object({
  id: z.string().min(1),
  status: z.string(),
  created: z.number().int(),
  currency: z.string(),
  customer: z.union([z.string(), customer]),
  metadata: z.record(z.string(), z.string()).nullish(),
  billing_cycle_anchor: z.number().int(),
  billing_cycle_anchor_config: z.unknown().optional(),
  cancel_at: z.number().int().nullish(),
  cancel_at_period_end: z.boolean(),
  cancellation_details: z.object({ comment: z.string().nullish() }).nullish(),
  ended_at: z.number().int().nullish(),
  trial_start: z.number().int().nullish(),
  trial_end: z.number().int().nullish(),
  collection_method: z.string(),
  pause_collection: z.unknown().optional(),
  schedule: z.unknown().optional(),
  pending_update: z.unknown().optional(),
  pending_invoice_item_interval: z.unknown().optional(),
  transfer_data: z.unknown().optional(),
  application_fee_percent: z.unknown().optional(),
  on_behalf_of: z.unknown().optional(),
  discounts: z.array(z.unknown()),
  automatic_tax: z.object({ enabled: z.boolean() }),
  default_tax_rates: z.array(z.unknown()).nullish(),
  default_payment_method: z.union([z.string(), storedMethod]).nullish(),
  latest_invoice: z.union([z.string(), z.object({ status: z.string().nullish() })]).nullish(),
  items: z.object({ data: z.array(item).min(1), has_more: z.boolean().nullish() }),
});
export type Subscription = z.infer<typeof subscriptionSchema>;
export const subscriptionPage = z.object({ data: z.array(subscriptionSchema), has_more: z.boolean() });

/** What an invoice item that waits for the next renewal says of its customer. */
export const pendingItemPage = z.object({
  data: z.array(z.object({ id: z.string(), customer: z.string() })),
  has_more: z.boolean(),
});
