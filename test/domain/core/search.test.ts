import { expect, test } from '@jest/globals';
import { readSearch } from '../../../domain/core/search.ts';

test.each(['', ' ', '\t\n'])('blank input (%j) is not a search', (typed) => {
  expect(readSearch(typed)).toBeNull();
});

test('an id is recognised by its prefix', () => {
  expect(readSearch(' ap_pay_01a2 ')).toEqual({ kind: 'id', prefix: 'ap_pay', id: 'ap_pay_01a2' });
  expect(readSearch(`ap_pay_${'a'.repeat(64)}`)).toMatchObject({ kind: 'id' });
});

test.each(['xap_pay_1', 'ap_pay_1!', 'ap_pay_', 'ap__1', 'ap_pay_A', `ap_pay_${'a'.repeat(65)}`])(
  '%s is not an id',
  (text) => {
    expect(readSearch(text)).toEqual({ kind: 'text', text });
  },
);

test('an email address is compared in lower case', () => {
  expect(readSearch(' Ada@Example.com')).toEqual({ kind: 'email', email: 'ada@example.com' });
});

test.each([
  ['19', 1_900],
  ['19,5', 1_950],
  ['19.50', 1_950],
  ['0.05', 5],
  ['21474836.47', 2_147_483_647],
  ['€19.00', 1_900],
  ['19,00\u00a0€', 1_900],
  ['29 EUR', 2_900],
  ['€1,234.50', 123_450],
  ['1.234.567,80 €', 123_456_780],
])('%s is an amount', (text, cents) => {
  expect(readSearch(text)).toEqual({ kind: 'amount', cents, text });
});

test.each([
  ['4242 19.00', '4242', 1_900],
  ['0005  7', '0005', 700],
  ['4242 €1,019.00', '4242', 101_900],
])('%s may be a card’s last digits or an amount', (text, last4, cents) => {
  expect(readSearch(text)).toEqual({ kind: 'card', brand: null, last4, cents, text });
});

test.each([
  ['Visa 4242', 'visa', '4242', null],
  ['Visa •••• 4242', 'visa', '4242', null],
  ['Cartes_bancaires 0005', 'cartes_bancaires', '0005', null],
  ['visa  4242 19.00', 'visa', '4242', 1_900],
])('%s is a card’s brand and last digits', (text, brand, last4, cents) => {
  expect(readSearch(text)).toEqual({ kind: 'card', brand, last4, cents, text });
});

test.each([
  '42 19.00',
  '4242 x',
  'visa 424',
  'visa4242',
  'visa 4242 x',
  '4242 19.00 5',
  '21474836.48',
  '123456789',
  '1.234',
  '1.23.456,00',
  '19.00 €€',
  '€',
  '19.',
  'x19',
  '19x',
  '19 50',
])('%s is searched for as text', (text) => {
  expect(readSearch(text)).toEqual({ kind: 'text', text });
});
