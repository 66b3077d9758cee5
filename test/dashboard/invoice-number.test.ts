import { expect, test } from '@jest/globals';
import { numberOf } from '../../dashboard/app/billing/invoice-number.ts';

test.each([
  ['created', 'S-2026-000017', 'S-2026-000017'],
  ['void', 'S-2026-000017', 'S-2026-000017'],
  ['draft', null, 'Draft'],
  ['void', null, 'Discarded draft'],
] as const)('an invoice with status %s and number %s is shown as %s', (status, number, name) =>
  expect(numberOf({ status, number })).toBe(name),
);
