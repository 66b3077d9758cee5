import { expect, test } from '@jest/globals';
import { assertText } from '../../../workflows/core/assert-fields.ts';

test.each([
  ['nothing', undefined],
  ['null', null],
  ['a number', 7],
  ['an empty text', ''],
  ['a blank', ' '],
  ['2,001 characters', 'x'.repeat(2_001)],
  ['a text with a NUL', 'ends\0here'],
])('%s is refused', (_what, reason) => {
  expect(() => assertText({ reason })).toThrow('reason must be a text of 1 to 2000 characters');
});

test('multi-line text and non-ASCII names are accepted', () => {
  const operator = 'x'.repeat(2_000);
  expect(() => assertText({ reason: 'The bank says so.\nSecond line.', operator })).not.toThrow();
});
