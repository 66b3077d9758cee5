/** Equal JSON values have the same canonical text, and unequal values do not. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonicalJson } from '../../../contract/core/canonical-json.ts';

test('members are sorted by name at every depth; arrays keep their order', () => {
  expect(canonicalJson({ b: [2, 1], a: { d: null, c: 'x' } })).toBe('{"a":{"c":"x","d":null},"b":[2,1]}');
});

test('the canonical text parses to the same value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const sent: unknown = JSON.parse(JSON.stringify(value));
      expect(JSON.parse(canonicalJson(sent))).toEqual(sent);
    }),
  );
});

test('the order of members does not matter', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const reversed = Object.fromEntries(Object.entries(value).reverse());
      expect(canonicalJson(reversed)).toBe(canonicalJson(value));
    }),
  );
});

test('excessive nesting is rejected without a stack overflow', () => {
  let deep: unknown = 1;
  for (let depth = 0; depth < 200_000; depth++) deep = [deep];
  expect(() => canonicalJson(deep)).toThrow(RangeError);
});
