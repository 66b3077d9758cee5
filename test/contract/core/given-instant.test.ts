/** Instants in requests: workflows and PostgreSQL accept whatever a route accepts. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { givenInstant } from '../../../contract/core/fields.ts';
import { newApiKey } from '../../../contract/merchant/api-keys.ts';
import { instant } from '../../../workflows/core/parse-message.ts';

const digits = (length: number) =>
  fc.integer({ min: 0, max: 10 ** length - 1 }).map((n) => String(n).padStart(length, '0'));
const twoDigits = (max: number) => fc.integer({ min: 0, max }).map((n) => String(n).padStart(2, '0'));
const written = fc
  .tuple(digits(4), twoDigits(13), twoDigits(32), twoDigits(24), twoDigits(60), twoDigits(60))
  .map(([year, month, day, hour, minute, second]) => `${year}-${month}-${day}T${hour}:${minute}:${second}`);
const fraction = fc.option(
  fc.integer({ min: 1, max: 9 }).chain((length) => digits(length)),
  { nil: '' },
);
const offset = fc.oneof(
  fc.constant('Z'),
  fc.tuple(fc.constantFrom('+', '-'), twoDigits(23), twoDigits(59)).map(([sign, h, m]) => `${sign}${h}:${m}`),
);

test('workflows accept every instant that a route accepts', () => {
  let accepted = 0;
  fc.assert(
    fc.property(written, fraction, offset, (time, part, zone) => {
      const { success, data } = givenInstant.safeParse(`${time}${part && `.${part}`}${zone}`);
      if (!success) return;
      accepted += 1;
      expect(instant(data, 'at')).toBe(data);
    }),
    { numRuns: 2_000 },
  );
  expect(accepted).toBeGreaterThan(500);
});

test.each([
  ['2030-01-01T00:00:00+23:59', '2029-12-31T00:01:00.000Z'],
  ['9999-12-31T23:59:59-12:00', null],
])('an API key’s expires_at of %s is parsed as %s', (expires_at, stored) => {
  const { data } = newApiKey.safeParse({ environment: 'sandbox', name: 'Shop', expires_at });
  expect(data?.expires_at ?? null).toBe(stored);
});
