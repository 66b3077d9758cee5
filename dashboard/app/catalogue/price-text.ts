import type { Schemas } from '../api/description.ts';
import { money } from '../words/format.ts';
import { words } from '../words/words.ts';

/** "€14.00 every month, 14 days free". */
export function priceText(price: Pick<Schemas['Price'], 'amount' | 'currency' | 'recurring'> | null): string {
  if (!price) return words.products.noPrice;
  const amount = money(price.amount, price.currency);
  if (!price.recurring) return amount;
  const { interval, interval_count: count, trial_period_days: trial } = price.recurring;
  const every = words.products.every(count, interval);
  return `${amount} ${every}${trial ? `, ${words.products.trialText(trial)}` : ''}`;
}
