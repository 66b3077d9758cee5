/** Text around the form of a purchase or a method change, and after a purchase has ended. Pure. */
import { addDays, boundary } from '../../domain/core/calendar.ts';
import { methodChangeWords } from './method-change-words.ts';
import type { PageView } from './view.ts';
import {
  date,
  every,
  fill,
  isOnlyPayment,
  laterPrice,
  money,
  type PriceWords,
  priceWords,
  type Words,
  withCoupon,
  withCycles,
} from './words.ts';

export function formWords(words: Words, view: PageView): PriceWords {
  if (view.methodChange) return methodChangeWords(words, view, view.methodChange);
  const price = priceWords(words, view);
  const isOver = view.receipt !== null || view.link === 'paid' || view.link === 'over';
  return isOver ? { ...price, ...afterwards(words, view, view.receipt?.at ?? null) } : price;
}

/** Returns the text after the session's end: it promises neither a payment today nor a date that may change. */
function afterwards(
  words: Words,
  view: PageView,
  at: string | null,
): Pick<PriceWords, 'heading' | 'due' | 'terms'> {
  const { strings } = words;
  const heading = strings.headingOrder;
  if (view.state === 'failed') return { heading, due: strings.notCharged, terms: null };
  if (view.state !== 'succeeded' || at === null) return { heading, due: null, terms: null };
  const due = view.amount > 0 ? fill(strings.paidOn, { date: date(words, at) }) : strings.nothingCharged;
  return { heading, due, terms: laterCharges(words, view, at) };
}

function laterCharges(words: Words, view: PageView, at: string): string | null {
  const { recurring } = view.price;
  if (!recurring) return null;
  const { interval, intervalCount, trialDays } = recurring;
  const next = trialDays ? addDays(at, trialDays) : boundary(at, interval, intervalCount);
  if (isOnlyPayment(view)) return fill(words.strings.termsOncePaid, { date: date(words, next) });
  const recurs = { price: money(words, laterPrice(view), view.currency), every: every(words, recurring) };
  const terms = trialDays ? words.strings.termsTrialBegun : words.strings.termsPaid;
  const then = withCycles(words, recurring, fill(terms, { ...recurs, date: date(words, next) }));
  return withCoupon(words, view, then);
}
