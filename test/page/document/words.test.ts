import { describe, expect, test } from '@jest/globals';
import { LANGUAGES } from '../../../domain/core/languages.ts';
import { formWords } from '../../../page/document/form-words.ts';
import { stringsOf } from '../../../page/document/language.ts';
import { de } from '../../../page/document/strings/de.ts';
import { CATALOGUES } from '../../../page/document/strings/index.ts';
import { withQuantity } from '../../../page/document/view.ts';
import { every, fill, priceWords, type Words } from '../../../page/document/words.ts';
import { ENGLISH, viewOf } from './views.ts';

const GERMAN: Words = { strings: de, language: 'de', locale: 'de', timeZone: 'UTC' };
const monthly = {
  interval: 'month',
  intervalCount: 1,
  trialDays: null,
  billingCycles: null,
  trialUsed: false,
} as const;

test('a single payment states the amount and the included tax', () => {
  const words = priceWords(ENGLISH, viewOf());
  expect(words).toEqual({
    heading: 'Pay Lighthouse Books',
    amount: '€19.00',
    due: null,
    plan: null,
    coupon: null,
    tax: 'Includes 19% VAT (€3.03)',
    method: null,
    terms: null,
    firstCharge: null,
    payButton: 'Pay €19.00',
  });
});

test('a price without tax does not mention tax', () => {
  expect(
    priceWords(ENGLISH, viewOf({ price: { amount: 1_900, taxRate: 0, recurring: null } })).tax,
  ).toBeNull();
});

test.each(LANGUAGES)('the terms in %s state after how many payments a subscription ends', (language) => {
  const words: Words = { strings: stringsOf(language), language, locale: language, timeZone: 'UTC' };
  const price = (billingCycles: number | null, trialDays: number | null) => ({
    price: { amount: 1_900, taxRate: 19, recurring: { ...monthly, billingCycles, trialDays } },
  });
  for (const trialDays of [null, 14]) {
    const limited = priceWords(words, viewOf(price(12, trialDays))).terms;
    const unlimited = priceWords(words, viewOf(price(null, trialDays))).terms;
    expect(limited?.startsWith(`${unlimited} `)).toBe(true);
    expect(limited?.slice(unlimited?.length)).toMatch(/ 12 /);
  }
});

test('the terms of a subscription with one payment state no later charge', () => {
  const recurring = { ...monthly, billingCycles: 1 };
  const price = { amount: 1_900, taxRate: 19, recurring };
  expect(priceWords(ENGLISH, viewOf({ price })).terms).toBe(
    'You pay €19.00 today, and nothing after that. The subscription ends automatically on 28 February 2026.',
  );
  const receipt = {
    at: '2026-01-31T12:00:00.000Z',
    reference: 'r',
    card: null,
    email: null,
    invoiceUrl: null,
  };
  expect(formWords(ENGLISH, viewOf({ price, state: 'succeeded', receipt })).terms).toBe(
    'The subscription ends automatically on 28 February 2026.',
  );
  const trial = { ...price, recurring: { ...recurring, trialDays: 14 } };
  expect(priceWords(ENGLISH, viewOf({ price: trial, amount: 0 })).terms).toMatch(
    /cancelled\. It ends automatically after one payment\.$/,
  );
});

describe('a coupon', () => {
  const coupon = (charges: number | null, percent = 50) => ({
    id: 'ap_cpn_1',
    code: 'SPRING',
    deduction: { percent },
    charges,
  });
  const price = { amount: 1_900, taxRate: 19, recurring: monthly };

  test('is stated beside the reduced amount', () => {
    const single = { amount: 1_900, taxRate: 19, recurring: null };
    const words = priceWords(ENGLISH, viewOf({ coupon: coupon(1), amount: 950, price: single }));
    expect(words).toMatchObject({
      amount: '€9.50',
      coupon: 'Code SPRING: −\u2060€9.50',
      tax: 'Includes 19% VAT (€1.52)',
      payButton: 'Pay €9.50',
    });
  });

  test('for several payments is not in the terms of a subscription with one payment', () => {
    const one = { ...price, recurring: { ...monthly, billingCycles: 1 } };
    expect(priceWords(ENGLISH, viewOf({ coupon: coupon(3), amount: 950, price: one })).terms).toBe(
      'You pay €9.50 today, and nothing after that. The subscription ends automatically on 28 February 2026.',
    );
  });

  test.each<[string, number | null, string]>([
    [
      'once',
      1,
      '€19.00 is charged automatically every month, until the subscription is cancelled. The code takes €9.50 off the first payment.',
    ],
    [
      'for some charges',
      3,
      '€19.00 is charged automatically every month, until the subscription is cancelled. The code takes €9.50 off each of the first 3 payments.',
    ],
    ['for ever', null, '€9.50 is charged automatically every month, until the subscription is cancelled.'],
  ])('with the duration “%s” is in the terms of a subscription', (_duration, charges, later) => {
    const { terms } = priceWords(ENGLISH, viewOf({ coupon: coupon(charges), amount: 950, price }));
    expect(terms).toBe(`You pay €9.50 today. From 28 February 2026, ${later}`);
  });

  test('for a trial is stated above the button, which commits the buyer to the later charge', () => {
    const ofTrial = { ...price, recurring: { ...monthly, trialDays: 14 } };
    const words = priceWords(ENGLISH, viewOf({ coupon: coupon(1), amount: 0, price: ofTrial }));
    expect(words.firstCharge).toMatch(
      /^First charge: €19.00 on .*, then every month\. The code takes €9.50 off the first payment\.$/,
    );
  });

  test('that makes today’s payment free does not hide the first charge', () => {
    const free = priceWords(ENGLISH, viewOf({ coupon: coupon(1, 100), amount: 0, price }));
    expect(free).toMatchObject({ amount: '€0.00', payButton: 'Order with obligation to pay' });
    expect(free.firstCharge).toMatch(/^First charge: €19.00 on 28 February 2026, then every month/);
    const forEver = priceWords(ENGLISH, viewOf({ coupon: coupon(null, 100), amount: 0, price }));
    expect(forEver.firstCharge).toBeNull();
  });

  test('is recalculated for the quantity that the buyer chooses', () => {
    const view = viewOf({
      coupon: { ...coupon(1), deduction: { amount: 2_000 } },
      amount: 0,
      quantityChoice: { min: 1, max: 5 },
    });
    expect(withQuantity(view, 3)).toMatchObject({ quantity: 3, amount: 3_700, price: { amount: 5_700 } });
  });
});

test('a subscription states today’s payment and the later charges with their date', () => {
  const words = priceWords(ENGLISH, viewOf({ price: { amount: 1_900, taxRate: 19, recurring: monthly } }));
  expect(words.plan).toBe('€19.00 every month');
  expect(words.payButton).toBe('Subscribe and pay €19.00');
  // One month after 31 January.
  expect(words.terms).toBe(
    'You pay €19.00 today. From 28 February 2026, €19.00 is charged automatically every month, until the subscription is cancelled.',
  );
});

test('a subscription with a different first amount states both amounts', () => {
  const view = viewOf({
    amount: 500,
    price: { amount: 1_900, taxRate: 19, recurring: { ...monthly, intervalCount: 3 } },
  });
  const { amount, plan, terms } = priceWords(ENGLISH, view);
  expect([amount, plan]).toEqual(['€5.00', '€19.00 every 3 months']);
  expect(terms).toContain(
    'You pay €5.00 today. From 30 April 2026, €19.00 is charged automatically every 3 months',
  );
});

test('a trial states that nothing is charged today, and the date and amount of the first charge', () => {
  const view = viewOf({
    amount: 0,
    price: { amount: 900, taxRate: 19, recurring: { ...monthly, trialDays: 14 } },
  });
  const words = priceWords(ENGLISH, view);
  expect(words.payButton).toBe('Order with obligation to pay');
  expect(words.firstCharge).toBe('First charge: €9.00 on 14 February 2026, then every month');
  expect(words.terms).toBe(
    '14 days free, nothing is charged today. On 14 February 2026, €9.00 is charged automatically, and then every month, until the subscription is cancelled.',
  );
});

const PAID_AT = '2026-01-31T12:10:00.000Z';
const receipt = { at: PAID_AT, reference: 'ap_ord_1', card: null, email: null, invoiceUrl: null };

test('after a payment, the next charge is dated from the payment, whenever the page is opened', () => {
  const paid = viewOf({
    state: 'succeeded',
    serverTime: '2026-03-15T12:00:00.000Z',
    price: { amount: 1_900, taxRate: 19, recurring: monthly },
    receipt,
  });
  const { heading, due, terms } = formWords(ENGLISH, paid);
  expect([heading, due]).toEqual(['Your order', 'paid on 31 January 2026']);
  expect(terms).toBe(
    'From 28 February 2026, €19.00 is charged automatically every month, until the subscription is cancelled.',
  );
});

test('after a trial has begun the summary dates its first charge', () => {
  const recurring = { ...monthly, trialDays: 14 };
  const price = { amount: 900, taxRate: 19, recurring };
  const { due, terms } = formWords(ENGLISH, viewOf({ state: 'succeeded', amount: 0, price, receipt }));
  expect(due).toBe('nothing charged yet');
  expect(terms).toMatch(/^On 14 February 2026, €9.00 is charged automatically, and then every month/);
});

test('German strings have German numbers and dates', () => {
  const view = viewOf({
    amount: 0,
    price: { amount: 900, taxRate: 19, recurring: { ...monthly, trialDays: 1 } },
  });
  expect(priceWords(GERMAN, view).payButton).toBe('Zahlungspflichtig bestellen');
  expect(priceWords(GERMAN, view).firstCharge).toBe(
    'Erste Abbuchung: 9,00\u00a0€ am 1. Februar 2026, danach jeden Monat',
  );
  expect(priceWords(GERMAN, view).terms).toBe(
    'Ein Tag kostenlos, heute wird nichts abgebucht. Am 1. Februar 2026 werden automatisch 9,00\u00a0€ abgebucht und danach jeden Monat, bis das Abo gekündigt wird.',
  );
});

test('a right-to-left name is isolated in a sentence, unlike other values', () => {
  expect(fill('Pay {merchant}', { merchant: 'חנות (Haifa)!' })).toBe('Pay \u2068חנות (Haifa)!\u2069');
  expect(fill('Pay {merchant}', { merchant: 'مكتبة 24' })).toBe('Pay \u2068مكتبة 24\u2069');
  expect(fill('Pay {merchant}', { merchant: 'Żółć 株式会社' })).toBe('Pay Żółć 株式会社');
});

test.each([
  ['de', 'Zahlungspflichtig bestellen'],
  ['en', 'Order with obligation to pay'],
  ['es', 'Pedido con obligación de pago'],
  ['fr', 'Commander avec obligation de paiement'],
  ['it', 'Ordine con obbligo di pagare'],
  ['nl', 'Bestelling met betalingsverplichting'],
  ['pl', 'Zamówienie z obowiązkiem zapłaty'],
  ['pt', 'Encomenda com obrigação de pagar'],
] as const)('the order button in %s has the text that the law requires', (language, button) => {
  const view = viewOf({
    amount: 0,
    price: { amount: 900, taxRate: 19, recurring: { ...monthly, trialDays: 5 } },
  });
  const words = priceWords({ ...GERMAN, strings: CATALOGUES[language], language, locale: language }, view);
  expect(words.payButton).toBe(button);
  expect(JSON.stringify(words)).not.toContain('{count}');
});

test.each([
  [1, 'co miesiąc'],
  [2, 'co 2 miesiące'],
  [5, 'co 5 miesięcy'],
  [12, 'co 12 miesięcy'],
  [22, 'co 22 miesiące'],
])('Polish writes every %i months as "%s"', (intervalCount, text) => {
  const polish: Words = { ...GERMAN, strings: CATALOGUES.pl, language: 'pl', locale: 'pl' };
  expect(every(polish, { interval: 'month', intervalCount })).toBe(text);
});

describe.each(LANGUAGES)('the strings in %s', (language) => {
  test('have the same placeholders as the English strings', () => {
    const texts = placeholders(stringsOf(language, 'methodChange'));
    expect(texts).toEqual(placeholders(stringsOf('en', 'methodChange')));
  });

  test('have every plural form that whole numbers need', () => {
    const rules = new Intl.PluralRules(language);
    const taken = new Set(Array.from({ length: 200 }, (_, count) => rules.select(count)));
    for (const forms of pluralForms(stringsOf(language, 'methodChange')))
      for (const form of taken) expect(Object.keys(forms)).toContain(form);
  });
});

function pluralForms(texts: object): object[] {
  return Object.values(texts).flatMap((inner: unknown) => {
    if (typeof inner !== 'object' || inner === null) return [];
    return 'other' in inner ? [inner] : pluralForms(inner);
  });
}

/** The placeholders of each string by its path, once for plurals, without `count`, which a form may omit. */
function placeholders(texts: object, path = ''): Record<string, string[]> {
  return Object.assign(
    {},
    ...Object.entries(texts).map(([key, text]: [string, unknown]) => {
      const here = `${path}.${key}`;
      if (typeof text !== 'string') {
        const inner = placeholders(text as object, here);
        if (!('other' in (text as object))) return inner;
        const [first, ...others] = Object.values(inner);
        for (const names of others) expect(names).toEqual(first);
        return { [here]: first };
      }
      expect(text.trim()).not.toBe('');
      const names = [...text.matchAll(/\{(\w+)\}/g)]
        .map(([, name]) => name)
        .filter((name) => name !== 'count');
      return { [here]: [...new Set(names)].sort() };
    }),
  );
}
