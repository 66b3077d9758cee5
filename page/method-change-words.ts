/** What the page says of a subscription whose payment method is changed: what is charged when, and to what. Pure. */

import type { MethodChangeView, SessionView } from './view.ts';
import { date, every, fill, money, type PriceWords, type Words } from './words.ts';

export function methodChangeWords(words: Words, view: SessionView, change: MethodChangeView): PriceWords {
  const { methodChange: own } = words.strings;
  if (!own) throw new Error('the texts of a method change are not in the catalogue');
  const { due, next, current } = change;
  const full = next ? money(words, next.amount, view.currency) : null;
  const values = {
    merchant: view.merchant.name,
    amount: money(words, due, view.currency),
    price: full ?? '',
    every: every(words, view.price.recurring),
    date: date(words, change.periodEnd),
  };
  return {
    heading: fill(own.heading, values),
    amount: values.amount,
    plan: full && fill(words.strings.planPrice, values),
    tax: null,
    method: current && fill(own.currentCard, { brand: capitalized(current.brand), last4: current.last4 }),
    terms: fill(due > 0 ? own.termsDue : next ? own.termsNext : own.termsEnding, values),
    payButton: fill(due > 0 ? own.saveAndPay : own.save, values),
  };
}

function capitalized(brand: string): string {
  return brand.charAt(0).toUpperCase() + brand.slice(1);
}
