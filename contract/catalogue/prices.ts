/** Prices of a product. Terms are immutable: to change them, a new price replaces the old one. */
import { z } from 'zod';
import { CURRENCIES, DEFAULT_CURRENCY, MAX_CENTS } from '../../domain/core/money.ts';
import { LONGEST_TRIAL_DAYS } from '../../domain/subscription/first-period.ts';
import { listOf, single } from '../core/answers.ts';
import { requiredText } from '../core/text.ts';
import { CLOSED } from '../core/unknown-field.ts';
import { examplePrice, price } from './resources.ts';

const status = z.enum(['active', 'inactive']).meta({
  description: 'A product has at most one active price: activating a price deactivates the other.',
});

export const newPrice = z
  .object({
    amount: z.int().positive().max(MAX_CENTS).meta({ description: 'Integer cents, tax included.' }),
    currency: z
      .enum(CURRENCIES)
      .optional()
      .meta({ description: `Defaults to ${DEFAULT_CURRENCY}.` }),
    tax_rate: z.number().min(0).max(100).multipleOf(0.01).meta({
      description: 'Percentage included in the amount. Required, because invoices show it.',
      example: 19,
    }),
    billing_mode: z.enum(['one_time', 'recurring']),
    recurring: z
      .object({
        interval: z.enum(['day', 'week', 'month', 'year']).nullish(),
        interval_count: z.int().min(1).max(365).nullish().meta({ description: 'Defaults to 1.' }),
        trial_period_days: z.int().min(1).max(LONGEST_TRIAL_DAYS).nullish(),
      })
      .meta({ id: 'RecurringTermsRequest' })
      .nullish()
      .meta({ description: 'With billing_mode recurring: how often it is charged.' }),
    status: status.optional(),
    replaces: requiredText(200).nullish().meta({
      description:
        'The id of the price that you expect to be active; null for none. If another price is active: 409 `price_changed`, and nothing changes. If absent, the active price is replaced, whichever it is.',
    }),
  })
  .meta({ id: 'PriceRequest' });
export type NewPrice = z.infer<typeof newPrice>;

/** The terms are declared only to be rejected: ignoring them silently would suggest that they changed. */
export const priceChanges = z.object({ status }).meta({ id: 'PriceChanges', ...CLOSED });
export const PRICE_TERMS = ['amount', 'currency', 'tax_rate', 'billing_mode', 'recurring'] as const;

/** Returns the error for terms that are valid one by one but contradict each other. */
export function refusalOfTerms({ billing_mode, recurring }: NewPrice) {
  if (billing_mode === 'one_time') return recurring ? 'price_terms_inconsistent' : null;
  return recurring?.interval ? null : 'recurring_price_interval_missing';
}

export const priceAnswer = single(price, examplePrice);
export const priceList = listOf(price, examplePrice);
