/** Turns a view into text, on the server and in the browser. Pure: the strings are passed in. */
import { addDays, boundary } from '../../domain/core/calendar.ts';
import { taxIncludedCents } from '../../domain/core/tax.ts';
import type { PageStrings } from './strings/method-change/shape.ts';
import type { PluralForms } from './strings/texts.ts';
import { type PageView, type Recurring, type RecurringPrice, reducedPrice } from './view.ts';

export interface Words {
  readonly strings: PageStrings;
  readonly language: string;
  /** Formats numbers and dates: the language, or the buyer's regional variant. */
  readonly locale: string;
  /** Absent in the browser, which uses the buyer's own time zone. */
  readonly timeZone?: string;
}

/** Limits the cache, because locales come from requests. */
const MOST_FORMATS = 100;

/** Caches `Intl` formatters: creating and using a money formatter takes 54 µs, using a cached one 1 µs. */
function cached<Format>(make: (locale: string, detail: string) => Format) {
  const formats = new Map<string, Format>();
  return (locale: string, detail = ''): Format => {
    const key = `${locale} ${detail}`;
    const known = formats.get(key);
    if (known) return known;
    if (formats.size >= MOST_FORMATS) formats.clear();
    const made = make(locale, detail);
    formats.set(key, made);
    return made;
  };
}

const pluralRules = cached((language) => new Intl.PluralRules(language));
const moneyFormat = cached(
  (locale, currency) => new Intl.NumberFormat(locale, { style: 'currency', currency }),
);
const percentFormat = cached(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2 }),
);
const dateFormat = cached(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { dateStyle: 'long', ...(timeZone && { timeZone }) }),
);

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

export function fill(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => isolated(String(values[name] ?? whole)));
}

/** Isolates Hebrew or Arabic inside a sentence: otherwise punctuation and numbers beside it would change places. */
function isolated(value: string): string {
  return RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value;
}

export function plural(
  { language }: Words,
  forms: PluralForms,
  count: number,
  values: Readonly<Record<string, string | number>> = {},
): string {
  const form = forms[pluralRules(language).select(count)] ?? forms.other;
  return fill(form, { ...values, count });
}

export function money({ locale }: Words, cents: number, currency: string): string {
  return moneyFormat(locale, currency).format(cents / 100);
}

export function percent({ locale }: Words, rate: number): string {
  return percentFormat(locale).format(rate / 100);
}

export function date({ locale, timeZone }: Words, instant: string): string {
  return dateFormat(locale, timeZone).format(new Date(instant));
}

export interface PriceWords {
  readonly heading: string;
  readonly amount: string;
  /** The date beside the amount: when it is due, or was paid. */
  readonly due: string | null;
  /** The recurring price beside the amount. */
  readonly plan: string | null;
  /** The coupon's code, and its deduction from each charge. */
  readonly coupon: string | null;
  readonly tax: string | null;
  /** The card to be replaced. */
  readonly method: string | null;
  /** A sentence with the amounts and dates of the charges; null for a single payment. */
  readonly terms: string | null;
  /** The later charge and its date, shown directly above the button of an order that charges nothing today. */
  readonly firstCharge: string | null;
  readonly payButton: string;
}

export function every(words: Words, { interval, intervalCount }: Recurring): string {
  return plural(words, words.strings.every[interval], intervalCount);
}

/** Returns true if the payment due now is the subscription's only one. */
export function isOnlyPayment({ amount, price: { recurring } }: PageView): boolean {
  return recurring?.billingCycles === 1 && !recurring.trialDays && amount > 0;
}

/** Adds the number of payments after which the subscription ends, if they are limited. */
export function withCycles(words: Words, { billingCycles }: RecurringPrice, terms: string): string {
  return billingCycles ? `${terms} ${plural(words, words.strings.termsCycles, billingCycles)}` : terms;
}

/** The price of the charges after the coupon has ended; the reduced price if it never ends. */
export function laterPrice(view: PageView): number {
  return view.coupon?.charges === null ? reducedPrice(view) : view.price.amount;
}

/** Adds how many payments of a subscription the coupon reduces, if they are limited; the terms may lack a full stop. */
export function withCoupon(words: Words, view: PageView, terms: string): string {
  const { coupon, price, currency } = view;
  if (!coupon || coupon.charges === null) return terms;
  const amount = money(words, price.amount - reducedPrice(view), currency);
  return `${terms.replace(/\.?$/, '.')} ${plural(words, words.strings.termsCoupon, coupon.charges, { amount })}`;
}

export function priceWords(words: Words, view: PageView): PriceWords {
  const { strings } = words;
  const { amount, currency, price, merchant, product, coupon } = view;
  const now = money(words, amount, currency);
  const taxed = amount > 0 && price.taxRate > 0;
  const tax = taxed
    ? fill(strings.taxIncluded, {
        rate: percent(words, price.taxRate),
        amount: money(words, taxIncludedCents(amount, price.taxRate), currency),
      })
    : null;
  const { recurring } = price;
  const off = money(words, price.amount - reducedPrice(view), currency);
  const reduced = coupon && fill(strings.coupon, { code: coupon.code, amount: off });
  const once = {
    amount: now,
    due: null,
    plan: null,
    coupon: reduced,
    tax,
    method: null,
    terms: null,
    firstCharge: null,
  };
  if (!recurring) {
    const heading = fill(strings.headingPay, { merchant: merchant.name });
    return { ...once, heading, payButton: fill(strings.pay, { amount: now }) };
  }
  const later = laterPrice(view);
  const recurs = { price: money(words, later, currency), every: every(words, recurring) };
  const inFull = (terms: string) => withCoupon(words, view, withCycles(words, recurring, terms));
  if (recurring.trialDays) {
    const firstCharge = date(words, addDays(view.serverTime, recurring.trialDays));
    return {
      ...once,
      heading: fill(strings.headingTrial, { product: product.name }),
      due: strings.dueToday,
      plan: fill(strings.planPriceAfterTrial, recurs),
      tax: null,
      terms: inFull(plural(words, strings.termsTrial, recurring.trialDays, { ...recurs, date: firstCharge })),
      firstCharge: withCoupon(words, view, fill(strings.firstCharge, { ...recurs, date: firstCharge })),
      // If the order is paid later, the button must say so (Directive 2011/83/EU, Art. 8(2)).
      payButton: strings.payTrial,
    };
  }
  const nextCharge = date(words, boundary(view.serverTime, recurring.interval, recurring.intervalCount));
  const terms = isOnlyPayment(view)
    ? fill(strings.termsOnce, { now, date: nextCharge })
    : inFull(fill(strings.termsRecurring, { ...recurs, now, date: nextCharge }));
  return {
    ...once,
    heading: fill(strings.headingSubscribe, { merchant: merchant.name }),
    due: strings.dueToday,
    plan: fill(strings.planPrice, recurs),
    terms: recurring.trialUsed ? `${strings.trialUsed} ${terms}` : terms,
    ...(amount === 0 && {
      firstCharge:
        later === 0
          ? null
          : withCoupon(words, view, fill(strings.firstCharge, { ...recurs, date: nextCharge })),
    }),
    payButton: amount === 0 ? strings.payTrial : fill(strings.paySubscribe, { amount: now }),
  };
}
