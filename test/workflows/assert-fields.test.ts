import { expect, test } from '@jest/globals';
import { assertText } from '../../workflows/assert-fields.ts';

test.each([undefined, null, 7, '', ' ', 'x'.repeat(2_001), 'ends\0here'])('%p is no text', (reason) => {
  expect(() => assertText({ reason })).toThrow('reason must be a text of 1 to 2000 characters');
});

test('what a person writes is a text', () => {
  expect(() =>
    assertText({ reason: 'The bank says so.\nSecond line.', operator: 'x'.repeat(2_000) }),
  ).not.toThrow();
});
