/** Strings in requests: lengths in code points, and only characters that are text. */
import { describe, expect, test } from '@jest/globals';
import { browserUrl, email, requiredText, text } from '../../../contract/core/text.ts';

const takes = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('text of at most three characters', () => {
  test.each<[string, string, boolean]>([
    ['is accepted at the maximum length', 'abc', true],
    ['is rejected above the maximum length', 'abcd', false],
    ['may be three emoji of two UTF-16 units each', '😀😀😀', true],
    ['is rejected with four emoji', '😀😀😀😀', false],
    ['counts an e with a combining accent as two', 'e\u0301e\u0301', false],
    ['may be empty', '', true],
    ['is rejected with a NUL', 'a\0', false],
    ['is rejected with half a surrogate pair', '\ud83d', false],
    ['is rejected with a control character', 'a\u0007', false],
    ['is rejected with a C1 control character', 'a\u0085', false],
    ['is rejected with a private-use character', 'a\ue000', false],
    ['is rejected with a private-use character beyond the first plane', 'a\u{f0000}', false],
    ['is rejected with an unassigned character', 'a\u0378', false],
    ['may have line breaks and tabs', '\r\n\t', true],
    ['may have joiners and direction marks', '\u200d\u2068\u2069', true],
    ['may have characters that no invoice font contains', 'தே', true],
  ])('%s', (_name, value, taken) => expect(takes(text(3), value)).toBe(taken));

  test('is rejected if it is required and empty', () => expect(takes(requiredText(3), '')).toBe(false));
});

test.each<[string, boolean]>([
  ['ada@example.eu', true],
  ['ada+tag@sub.example.co.uk', true],
  ['ада@пример.рф', true],
  ["o'hara@example.eu", true],
  ['ada', false],
  ['ada@', false],
  ['@example.eu', false],
  ['ada@example', false],
  ['ada@.eu', false],
  ['ada@example..eu', false],
  ['ada@ada@example.eu', false],
  ['ada @example.eu', false],
  ['ada@example.eu\n', true],
  ['\u2068ada@example.eu\u2069', true],
  ['a\u200bda@example.eu', false],
])('email %j, accepted: %j', (value, taken) => expect(takes(email(320), value)).toBe(taken));

test.each<[string, boolean]>([
  ['https://shop.example', true],
  ['https://shop.example:8443/a?b=c#d', true],
  ['HTTPS://SHOP.EXAMPLE/', true],
  ['http://localhost', true],
  ['http://localhost:3000/thanks', true],
  ['http://127.0.0.1:3000/', true],
  ['http://shop.example', false],
  ['http://localhost.example', false],
  ['http://127.0.0.2', false],
  ['http://localhost@shop.example', false],
  ['https:shop.example', false],
  ['https:\\\\shop.example', false],
  ['//shop.example', false],
  ['shop.example', false],
  ['javascript:alert(1)//https://', false],
  ['data:text/html,x', false],
  ['https://shop.example/a b', false],
  ['https://shop.example\n', false],
  ['https://', false],
  ['', false],
])('URL for a browser %j, accepted: %j', (value, taken) => expect(takes(browserUrl(500), value)).toBe(taken));
