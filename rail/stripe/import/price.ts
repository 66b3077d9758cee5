/** A price of the merchant with its product, as the import reads it. */
import { z } from 'zod';
import type { SourcePlan } from '../../account-source.ts';
import { instantOf } from '../core/instant.ts';
import { productSchema } from './product.ts';

const price = z.object({
  id: z.string().min(1),
  created: z.number().int(),
  active: z.boolean(),
  nickname: z.string().nullish(),
  currency: z.string(),
  billing_scheme: z.string(),
  unit_amount: z.number().int().nullish(),
  custom_unit_amount: z.unknown().optional(),
  transform_quantity: z.unknown().optional(),
  tax_behavior: z.string().nullish(),
  recurring: z
    .object({
      interval: z.enum(['day', 'week', 'month', 'year']),
      interval_count: z.number().int(),
      usage_type: z.string(),
    })
    .nullish(),
  product: z.union([z.string(), productSchema]),
});
export const pricePage = z.object({ data: z.array(price), has_more: z.boolean() });

export function sourcePlan(found: z.infer<typeof price>): SourcePlan {
  const { id, nickname, recurring } = found;
  const of = typeof found.product === 'string' ? null : found.product;
  return {
    id,
    createdAt: instantOf(found.created),
    obstacles: obstaclesOf(found),
    name: [of?.name ?? id, nickname].filter(Boolean).join(', '),
    description: of?.description ?? null,
    active: found.active && of?.active !== false,
    amountCents: found.unit_amount ?? 0,
    currency: found.currency.toUpperCase(),
    recurring: recurring ? { interval: recurring.interval, intervalCount: recurring.interval_count } : null,
  };
}

function obstaclesOf(found: z.infer<typeof price>): readonly string[] {
  const wholeCents = Number.isInteger(found.unit_amount);
  const obstacles: readonly (readonly [boolean, string])[] = [
    [found.billing_scheme !== 'per_unit', 'Its price depends on the quantity (tiers).'],
    [found.recurring?.usage_type === 'metered', 'It is billed by usage.'],
    [Boolean(found.custom_unit_amount), 'The buyer chooses its amount.'],
    [Boolean(found.transform_quantity), 'It is sold in packages (transform_quantity).'],
    [!wholeCents && !found.custom_unit_amount, 'Its amount is not a number of whole cents.'],
    [found.unit_amount === 0, 'It costs nothing.'],
    [found.tax_behavior === 'exclusive', 'Tax is added to its amount; prices here include it.'],
  ];
  return obstacles.filter(([applies]) => applies).map(([, why]) => why);
}
