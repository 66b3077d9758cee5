/**
 * Only `rail/`, the programs' configuration, tests and documents may name a card processor. `sandbox` is exempt:
 * it is also an environment's name.
 * @reads .
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

const SERVICE = ['activities', 'api', 'contract', 'db', 'domain', 'page', 'worker', 'workflows', 'sandbox'];
/** These files name one processor as an example in descriptions. */
const EXAMPLES = [
  'api/merchant/rail-accounts/set.ts',
  'contract/merchant/rail-accounts.ts',
  'contract/merchant/rails.ts',
];

const adapters = readdirSync(join(PROJECT_DIR, 'rail'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'sandbox')
  .map(({ name }) => name);

const sources = SERVICE.flatMap((folder) =>
  readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|js|css|sql|html)$/.test(path))
    .map((path) => `${folder}/${path}`),
);

test('the check covers the service’s sources and would find an adapter', () => {
  expect(sources.length).toBeGreaterThan(300);
  expect(adapters).toContain('stripe');
});

test('no file of the service names a card processor', () => {
  const named = sources.filter((path) => {
    const code = readFileSync(join(PROJECT_DIR, path), 'utf8').toLowerCase();
    return adapters.some((name) => code.includes(name));
  });
  expect(named.filter((path) => !EXAMPLES.includes(path))).toEqual([]);
});
