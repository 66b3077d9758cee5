import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isCvc, isPast, parseExpiry } from '../../../sandbox/rail/browser/card-details.ts';
import {
  asciiDigits,
  brandOf,
  digitsOf,
  groupDigits,
  passesLuhn,
} from '../../../sandbox/rail/browser/card-number.ts';
import { looksFinished, problemOf, tidiedText } from '../../../sandbox/rail/browser/checks.ts';
import { FIELD_STRINGS } from '../../../sandbox/rail/pages/field-strings.ts';

const cardDigits = fc.stringMatching(/^\d{12,19}$/);

describe('card numbers', () => {
  test('exactly one check digit is valid', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{11,18}$/), (start) => {
        expect([...'0123456789'].filter((digit) => passesLuhn(start + digit))).toHaveLength(1);
      }),
    );
  });

  test('one wrong digit is detected', () => {
    fc.assert(
      fc.property(
        cardDigits.filter(passesLuhn),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (digits, at, by) => {
          const index = at % digits.length;
          const wrong = (Number(digits[index]) + by) % 10;
          expect(passesLuhn(digits.slice(0, index) + wrong + digits.slice(index + 1))).toBe(false);
        },
      ),
    );
  });

  test('grouping preserves the digits', () => {
    fc.assert(fc.property(cardDigits, (digits) => expect(digitsOf(groupDigits(digits))).toBe(digits)));
    expect(groupDigits('4242424242424242')).toBe('4242 4242 4242 4242');
  });

  test.each([
    ['4', 'visa'],
    ['51', 'mastercard'],
    ['2221', 'mastercard'],
    ['2720', 'mastercard'],
    ['37', 'amex'],
    ['2220', null],
    ['2721', null],
    ['6', null],
    ['', null],
  ])('%s has the brand %s', (digits, brand) => {
    expect(brandOf(digits)).toBe(brand);
  });
});

test.each([
  ['number', '\uff14\uff12\uff14\uff12 ٤٢٤٢', '4242 4242'],
  ['expiry', '۰۴\uff0f۳۰', '04 / 30'],
  ['cvc', '١٢٣', '123'],
] as const)('the digits of the %s may be full-width or Arabic', (name, typed, tidied) => {
  expect(tidiedText(name, asciiDigits(typed))).toBe(tidied);
});

describe('expiry dates', () => {
  test.each([
    ['04 / 30', 4, 2030],
    ['4/30', 4, 2030],
    ['0430', 4, 2030],
    ['04/2030', 4, 2030],
    ['12-31', 12, 2031],
  ])('%s is parsed', (text, month, year) => {
    expect(parseExpiry(text)).toEqual({ month, year });
  });

  test.each(['', '13/30', '00/30', '4', '04/3', '04/303', 'April 30'])('%j is not a date', (text) => {
    expect(parseExpiry(text)).toBeNull();
  });

  test('a card is valid until its month ends in the last time zone', () => {
    expect(isPast(4, 2030, new Date('2030-05-01T11:59:59Z'))).toBe(false);
    expect(isPast(4, 2030, new Date('2030-05-01T12:00:00Z'))).toBe(true);
    expect(isPast(12, 2030, new Date('2030-12-31T00:00:00Z'))).toBe(false);
  });
});

describe('typed text', () => {
  test.each([
    ['number', '42424242', '4242 4242'],
    ['number', '4242-4242 4242x4242', '4242 4242 4242 4242'],
    ['expiry', '4', '04 / '],
    ['expiry', '1', '1'],
    ['expiry', '12', '12'],
    ['expiry', '123', '12 / 3'],
    ['expiry', '1230', '12 / 30'],
    ['expiry', '12/2030', '12 / 2030'],
    ['expiry', '12 /', '12 /'],
    ['cvc', '12a34', '1234'],
  ] as const)('in %s, %j becomes %j', (name, typed, tidied) => {
    expect(tidiedText(name, typed)).toBe(tidied);
  });

  test('is formatted idempotently', () => {
    const names = fc.constantFrom('number' as const, 'expiry' as const, 'cvc' as const);
    fc.assert(
      fc.property(names, fc.string(), (name, text) => {
        const once = tidiedText(name, text);
        expect(tidiedText(name, once).trimEnd()).toBe(once.trimEnd());
      }),
    );
  });

  test.each([
    ['number', '', 'number_missing'],
    ['number', '4242 4242 4242 4241', 'number_invalid'],
    ['number', '4242 4242 4242 4242', null],
    ['expiry', ' ', 'expiry_missing'],
    ['expiry', '13 / 30', 'expiry_invalid'],
    ['expiry', '01 / 20', 'expiry_past'],
    ['expiry', '12 / 40', null],
    ['cvc', '', 'cvc_missing'],
    ['cvc', '12', 'cvc_invalid'],
    ['cvc', '123', null],
  ] as const)('in %s, %j is reported as %s', (name, text, problem) => {
    expect(problemOf(name, text, new Date('2030-01-15T00:00:00Z'))).toBe(problem);
  });

  test('is not validated during typing until it looks complete', () => {
    expect(looksFinished('number', '4242 4242')).toBe(false);
    expect(looksFinished('number', '4242 4242 4242 4241')).toBe(true);
    expect(looksFinished('expiry', '13 / 3')).toBe(false);
    expect(looksFinished('expiry', '13 / 30')).toBe(true);
    expect(looksFinished('cvc', '12')).toBe(false);
  });

  test('a security code has 3 or 4 digits', () => {
    expect(['12', '123', '1234', '12345', '12x'].map(isCvc)).toEqual([false, true, true, false, false]);
  });
});

test('every language has its own message for every problem', () => {
  const { en: english, ...others } = FIELD_STRINGS;
  for (const other of Object.values(others)) {
    expect(Object.keys(other.problems).sort()).toEqual(Object.keys(english.problems).sort());
    for (const [problem, words] of Object.entries(other.problems)) {
      expect(words).not.toBe('');
      expect(words).not.toBe(english.problems[problem as keyof typeof other.problems]);
    }
  }
});
