/**
 * `npm ci` refuses a lock file that lacks an optional package of any platform. npm silently leaves one out if the
 * registry does not have that version.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

interface Locked {
  readonly integrity?: string;
  readonly os?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const { packages }: { packages: Readonly<Record<string, Locked>> } = JSON.parse(
  await readFile(join(PROJECT_DIR, 'package-lock.json'), 'utf8'),
);

/** The folders where Node looks for a package that the one at `path` imports. */
function* foldersFrom(path: string): Generator<string> {
  for (let at = path; at !== ''; at = at.slice(0, Math.max(0, at.lastIndexOf('node_modules/') - 1))) {
    yield `${at}/node_modules/`;
  }
  yield 'node_modules/';
}

test('the lock file holds the optional packages of every platform, each with its checksum', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => ![...foldersFrom(path)].some((folder) => packages[`${folder}${name}`]?.integrity),
    ),
  );
  expect(missing).toEqual([]);
  const systems = new Set(Object.values(packages).flatMap(({ os = [] }) => os));
  expect([...systems]).toEqual(expect.arrayContaining(['linux', 'darwin', 'win32']));
});
