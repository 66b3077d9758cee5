/** The strings of a payment method change, none of which mentions a purchase. */
import { describe, expect, test } from '@jest/globals';
import { formWords } from '../../../page/document/form-words.ts';
import { stringsOf } from '../../../page/document/language.ts';
import { NEW_TAB, statusOf } from '../../../page/document/status.ts';
import type { MethodChangeView, PageView } from '../../../page/document/view.ts';
import type { Words } from '../../../page/document/words.ts';
import { viewOf } from './views.ts';

const ENGLISH: Words = {
  strings: stringsOf('en', 'methodChange'),
  language: 'en',
  locale: 'en-GB',
  timeZone: 'UTC',
};
const GERMAN: Words = { ...ENGLISH, strings: stringsOf('de', 'methodChange'), language: 'de', locale: 'de' };

const changing = (changes: Partial<MethodChangeView> = {}, more: Partial<PageView> = {}) =>
  viewOf({
    kind: 'methodChange',
    amount: 0,
    price: {
      amount: 900,
      taxRate: 19,
      recurring: {
        interval: 'month',
        intervalCount: 1,
        trialDays: null,
        billingCycles: null,
        trialUsed: false,
      },
    },
    methodChange: {
      current: { brand: 'visa', last4: '4242' },
      due: 0,
      next: { amount: 900, recurring: { interval: 'month', intervalCount: 1 } },
      periodEnd: '2026-02-28T12:00:00.000Z',
      pauses: false,
      over: false,
      ...changes,
    },
    ...more,
  });

describe('the form of a method change', () => {
  test('states the next charge, its date and the card to be replaced', () => {
    expect(formWords(ENGLISH, changing())).toMatchObject({
      heading: 'Change your payment method',
      method: 'Your card now: Visa ending in 4242',
      plan: '€9.00 every month',
      terms:
        'Nothing is charged today. From 28 February 2026, €9.00 is charged to the new card every month, until the subscription is cancelled.',
      payButton: 'Save this card',
    });
  });

  test('shows the outstanding amount as the price, on the button and in the terms', () => {
    const words = formWords(ENGLISH, changing({ due: 1_800 }));
    expect(words.amount).toBe('€18.00');
    expect(words.payButton).toBe('Save this card and pay €18.00');
    expect(words.terms).toMatch(/^€18\.00 is outstanding\. It is charged to the new card/);
  });

  test('announces no further charge if the subscription ends with its period', () => {
    const words = formWords(ENGLISH, changing({ next: null }));
    expect(words.plan).toBeNull();
    expect(words.terms).toBe(
      'Nothing is charged today. The subscription ends on 28 February 2026 and is not charged again.',
    );
  });

  test('states both the outstanding amount and the end of the subscription', () => {
    const { terms, plan } = formWords(ENGLISH, changing({ due: 900, next: null }));
    expect(plan).toBeNull();
    expect(terms).toBe(
      '€9.00 is outstanding. It is charged to the new card as soon as your bank has confirmed it. The subscription ends on 28 February 2026 and is not charged again.',
    );
  });

  test('states the price and interval of a scheduled plan change', () => {
    const next = { amount: 9_000, recurring: { interval: 'year', intervalCount: 1 } } as const;
    const { plan, terms } = formWords(ENGLISH, changing({ next }));
    expect(plan).toBe('€90.00 every year');
    expect(terms).toContain('€90.00 is charged to the new card every year');
  });

  test('is translated into German', () => {
    const { terms, method } = formWords(GERMAN, changing());
    expect(terms).toContain(
      'Ab dem 28. Februar 2026 werden jeden Monat 9,00\u00a0€ von der neuen Karte abgebucht',
    );
    expect(method).toBe('Ihre bisherige Karte: Visa mit der Endung 4242');
  });

  test('does not mention the card if it is unknown', () => {
    expect(formWords(ENGLISH, changing({ current: null })).method).toBeNull();
  });
});

test.each([ENGLISH, GERMAN])('a method change in doubt asks for no payment ($language)', (words) => {
  const receipt = { at: null, reference: '17', card: null, email: null, invoiceUrl: null };
  const view = changing({ due: 1_800 }, { state: 'reconciliation_required', receipt });
  const { amount, due, terms } = formWords(words, view);
  expect(amount).toMatch(/18/);
  expect([due, terms]).toEqual([null, null]);
});

describe('the outcome of a method change', () => {
  const states = ['succeeded', 'failed', 'processing', 'requires_action', 'reconciliation_required'] as const;
  const reasons = ['expired', 'attempts_exhausted', 'cancelled', 'resolved_by_operator'] as const;

  test.each([ENGLISH, GERMAN])('does not mention a payment, an order or a purchase ($language)', (words) => {
    for (const state of states) {
      for (const failureReason of state === 'failed' ? reasons : [null]) {
        for (const mine of [true, false]) {
          const told = statusOf(words, changing({}, { state, failureReason }), { ...NEW_TAB, mine });
          const text = `${told?.title} ${told?.body}`;
          expect(text).not.toMatch(/\b(pay|paid|paying|payment page|buy|trial|bezahl\w*|kauf\w*|Zahlung)\b/i);
          expect(text).not.toContain('{');
        }
      }
    }
  });

  test.each([ENGLISH, GERMAN])('states the amount charged immediately ($language)', (words) => {
    const told = statusOf(words, changing({ due: 900 }, { state: 'succeeded' }), NEW_TAB);
    expect(told?.body).toMatch(/€9\.00|9,00\u00a0€/);
    expect(statusOf(words, changing({}, { state: 'succeeded' }), NEW_TAB)?.body).not.toMatch(/€/);
  });

  test('shows that a superseded link cannot be used, whatever the session’s state', () => {
    const told = statusOf(ENGLISH, changing({ over: true }), NEW_TAB);
    expect(told).toMatchObject({ tone: 'failure', title: 'This link cannot be used any more' });
    expect(statusOf(ENGLISH, changing(), NEW_TAB)).toBeNull();
  });
});

test('the page of a purchase contains no text of a method change', () => {
  expect(stringsOf('en')).not.toHaveProperty('methodChange');
  expect(stringsOf('en').trialTitle).toBe('Your free trial has begun');
});
