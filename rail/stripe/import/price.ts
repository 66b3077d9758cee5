/** A merchant's price with its product, as the import reads it. */
import { z } from 'zod';
import type { SourcePlan } from '../../account-source.ts';
import { instantOf } from '../core/instant.ts';
import { any, is, type Known, none, strangeIn } from './known.ts';
import type { Product } from './product.ts';

export const priceSchema = z.looseObject({
  id: z.string().min(1),
  created: z.number().int(),
  active: z.boolean(),
  currency: z.string(),
  unit_amount: z.number().int().nullish(),
  custom_unit_amount: z.unknown().optional(),
  recurring: z
    .looseObject({ interval: z.enum(['day', 'week', 'month', 'year']), interval_count: z.number().int() })
    .nullish(),
  product: z.string(),
});
export type Price = z.infer<typeof priceSchema>;

/** @param product absent if the product was deleted */
export function sourcePlan(found: Price, product: Product | undefined): SourcePlan {
  const { id, recurring } = found;
  return {
    id,
    createdAt: instantOf(found.created),
    obstacles: obstaclesOf(found),
    // Use the product's name and not the price's nickname, which customers do not see.
    name: product?.name ?? id,
    description: product?.description ?? null,
    active: found.active && product?.active !== false,
    amountCents: found.unit_amount ?? 0,
    currency: found.currency.toUpperCase(),
    recurring: recurring ? { interval: recurring.interval, intervalCount: recurring.interval_count } : null,
  };
}

const FIELDS: Known = {
  id: any,
  object: any,
  active: any,
  billing_scheme: [is('per_unit'), 'Its price depends on the quantity (tiers).'],
  created: any,
  currency: any,
  currency_options: any,
  custom_unit_amount: [none, 'The buyer chooses its amount.'],
  livemode: any,
  lookup_key: any,
  metadata: any,
  nickname: any,
  product: any,
  recurring: any,
  tax_behavior: [is('inclusive', 'unspecified'), 'Tax is added to its amount; prices here include it.'],
  transform_quantity: [none, 'It is sold in packages (transform_quantity).'],
  type: any,
  unit_amount: [(amount) => amount !== 0, 'It costs nothing.'],
  unit_amount_decimal: any,
};

const RECURRING: Known = {
  interval: any,
  interval_count: any,
  trial_period_days: any,
  usage_type: [is('licensed'), 'It is billed by usage.'],
};

function obstaclesOf(found: Price): readonly string[] {
  const wholeCents = Number.isInteger(found.unit_amount) || found.custom_unit_amount;
  return [
    ...strangeIn(found, FIELDS, 'It'),
    ...(found.recurring ? strangeIn(found.recurring, RECURRING, 'It') : []),
    ...(wholeCents ? [] : ['Its amount is not a number of whole cents.']),
  ];
}
