/**
 * The promise of the boundary: a card processor is known by name in `rail/`, in the programs' configuration, in
 * tests and in documents, and nowhere else. (`sandbox` is left out: it is an environment's name too.)
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/places.ts';

const SERVICE = ['activities', 'api', 'contract', 'db', 'domain', 'page', 'worker', 'workflows', 'sandbox'];
/** They describe the interface by the example of one; nothing in them depends on it. */
const EXAMPLES = ['api/routes/rail-accounts/set.ts', 'contract/rail-accounts.ts'];

const adapters = readdirSync(join(PROJECT_DIR, 'rail'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'sandbox')
  .map(({ name }) => name);

const sources = SERVICE.flatMap((folder) =>
  readdirSync(join(PROJECT_DIR, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(ts|js|css|sql|html)$/.test(path))
    .map((path) => `${folder}/${path}`),
);

test('there is a service to look at, and an adapter to look for', () => {
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
