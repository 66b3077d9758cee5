/**
 * API keys: the prefix names the environment, the checksum catches typing errors, and the HMAC reveals
 * nothing.
 */
import { expect, test } from '@jest/globals';
import { createApiKey, environmentOfApiKey, hashApiKey } from '../../../contract/merchant/api-key.ts';

test.each([
  ['sandbox', /^ap_test_[0-9a-f]{72}$/],
  ['production', /^ap_live_[0-9a-f]{72}$/],
] as const)('a %s key has the environment’s prefix and is recognised', (environment, form) => {
  const key = createApiKey(environment);
  expect(key).toMatch(form);
  expect(environmentOfApiKey(key)).toBe(environment);
});

test('keys are unique', () => expect(createApiKey('sandbox')).not.toBe(createApiKey('sandbox')));

test('a single mistyped character is detected at every position', () => {
  const key = createApiKey('production');
  for (let place = 0; place < key.length; place++) {
    const other = key[place] === '0' ? '1' : '0';
    expect(environmentOfApiKey(key.slice(0, place) + other + key.slice(place + 1))).toBeNull();
  }
});

test.each(['', 'ap_test_', 'sk_test_1', `${createApiKey('sandbox')}\n`, ` ${createApiKey('sandbox')}`])(
  '%j is not an API key',
  (key) => expect(environmentOfApiKey(key)).toBeNull(),
);

test('the stored hash depends on the key and on the pepper', () => {
  const key = createApiKey('sandbox');
  expect(hashApiKey(key, 'a')).toEqual(hashApiKey(key, 'a'));
  expect(hashApiKey(key, 'a')).not.toEqual(hashApiKey(key, 'b'));
  expect(hashApiKey(key, 'a')).not.toEqual(hashApiKey(createApiKey('sandbox'), 'a'));
});
