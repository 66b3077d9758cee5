/**
 * A subscription in Stripe's format: the fields that the import must read, and all others, which
 * `obstacles.ts` checks. Stripe's field names are used in this folder only.
 */
import { z } from 'zod';
import { methodSchema } from '../core/method.ts';

export const storedMethod = methodSchema.extend({ customer: z.string().nullish() });

const customer = z.looseObject({
  id: z.string(),
  invoice_settings: z
    .object({ default_payment_method: z.union([z.string(), storedMethod]).nullish() })
    .nullish(),
});

const item = z.looseObject({
  current_period_start: z.number().int(),
  current_period_end: z.number().int(),
  price: z.looseObject({ id: z.string().min(1), currency: z.string() }),
});

export const subscriptionSchema = z.looseObject({
  id: z.string().min(1),
  status: z.string(),
  created: z.number().int(),
  currency: z.string(),
  customer,
  metadata: z.record(z.string(), z.string()).nullish(),
  billing_cycle_anchor: z.number().int(),
  cancel_at: z.number().int().nullish(),
  cancel_at_period_end: z.boolean(),
  cancellation_details: z.object({ comment: z.string().nullish() }).nullish(),
  ended_at: z.number().int().nullish(),
  trial_start: z.number().int().nullish(),
  trial_end: z.number().int().nullish(),
  default_payment_method: z.union([z.string(), storedMethod]).nullish(),
  latest_invoice: z.unknown(),
  items: z.object({ data: z.tuple([item], item), has_more: z.boolean().nullish() }),
});
export type Subscription = z.infer<typeof subscriptionSchema>;

/** An invoice item that waits for the next renewal. */
export const pendingItem = z.object({ customer: z.string().nullish() });
