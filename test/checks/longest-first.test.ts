/** @reads jest.config.js */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import longFiles from '../runner/long-files.json' with { type: 'json' };

const run = promisify(execFile);
const JEST = join(PROJECT_DIR, 'node_modules/jest/bin/jest.js');

test('every file that is listed as long exists', () => {
  const missing = Object.keys(longFiles).filter((file) => !existsSync(join(PROJECT_DIR, file)));
  expect(missing).toEqual([]);
});

test('on a machine that has not run them, the longest files come first', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'jest-cache-'));
  const args = [JEST, '--selectProjects', 'tests', '--listTests', `--cacheDirectory=${cache}`];
  const env = { ...process.env, TEST_SKIP: '[]' };
  const { stdout } = await run(process.execPath, args, { cwd: PROJECT_DIR, env });
  const seconds = stdout
    .split('\n')
    .filter((line) => line.endsWith('.test.ts'))
    .map((file) => (longFiles as Record<string, number>)[relative(PROJECT_DIR, file)] ?? 0);
  expect(seconds[0]).toBeGreaterThan(0);
  expect(seconds).toEqual(seconds.toSorted((a, b) => b - a));
  await rm(cache, { recursive: true, force: true });
}, 120_000);
