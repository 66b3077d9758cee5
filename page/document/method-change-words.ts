/** Text of a payment method change: the charge, its date, and the card. Pure. */

import { isFinal } from '../../domain/session/session.ts';
import { capitalized } from './receipt.ts';
import type { MethodChangeStrings } from './strings/method-change/shape.ts';
import type { MethodChangeView, PageView } from './view.ts';
import { date, every, fill, money, type PriceWords, type Words } from './words.ts';

/** Returns true once the method was changed or can no longer be changed: the page then drops the form's terms. */
export function isChangeOver({ methodChange, state }: PageView): boolean {
  return methodChange !== null && (isFinal(state) || methodChange.over);
}

export function methodChangeWords(words: Words, view: PageView, change: MethodChangeView): PriceWords {
  const { methodChange: own } = words.strings;
  if (!own) throw new Error('the catalogue has no texts for a method change');
  const { due, next, current } = change;
  const full = next ? money(words, next.amount, view.currency) : null;
  const values = {
    amount: money(words, due, view.currency),
    price: full ?? '',
    every: next ? every(words, next.recurring) : '',
    date: date(words, change.periodEnd),
  };
  // A receipt exists once the change has ended or its outcome is in doubt: nothing is due then.
  const isOpen = view.receipt === null;
  return {
    heading: own.heading,
    amount: values.amount,
    due: isOpen ? words.strings.dueToday : null,
    plan: full && fill(words.strings.planPrice, values),
    coupon: null,
    tax: null,
    method: current && fill(own.currentCard, { brand: capitalized(current.brand), last4: current.last4 }),
    terms: isOpen ? fill(termsOf(own, change), values) : null,
    firstCharge: null,
    payButton: fill(due > 0 ? own.saveAndPay : own.save, values),
  };
}

function termsOf(own: MethodChangeStrings['own'], { due, next, pauses }: MethodChangeView): string {
  if (pauses) return due > 0 ? own.termsDuePaused : own.termsPaused;
  if (due > 0) return next ? own.termsDue : own.termsDueEnding;
  return next ? own.termsNext : own.termsEnding;
}
