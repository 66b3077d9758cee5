/** The name of an exported file states the merchant and the month or days. */
import { expect, test } from '@jest/globals';
import { exportName } from '../../../api/http/lists/export-name.ts';

test.each([
  ['2026-11', '2026-11', '2026-11'],
  ['2026-11-01', '2026-11-30', '2026-11'],
  ['2024-02-01', '2024-02-29', '2024-02'],
  ['2026-02-01', '2026-02-27', '2026-02-01-2026-02-27'],
  ['2026-11-02', '2026-11-30', '2026-11-02-2026-11-30'],
  ['2026-01-01', '2026-11-30', '2026-01-01-2026-11-30'],
  ['2026-11-05', '2026-11-05', '2026-11-05'],
  [null, '2026-11-05', '2026-11-05'],
])('a list from %s to %s is named %s', (first, last, name) => {
  expect(exportName('Kaffeerösterei & Söhne', 'invoices', first, last)).toBe(
    `kaffeerösterei-söhne-invoices-${name}.csv`,
  );
});

test('the name of a merchant without letters is left out', () => {
  expect(exportName('  ', 'payments', null, '2026-11-05')).toBe('payments-2026-11-05.csv');
});
