/**
 * Runs the first command of each section of docs/on-call.md, verbatim, in a shell where `ops` is defined.
 * @reads docs
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { causes, firstCommandOf } from '../docs/on-call-sections.ts';
import { TEST_SECRETS_KEY } from '../support/db/fixtures.ts';
import { BARE_ENV } from '../support/stack/process.ts';
import { createSessionWorld, type SessionWorld } from '../support/world/checkout-world.ts';

const OPS = `ops() { "${process.execPath}" "${join(PROJECT_DIR, 'bin/ops.ts')}" "$@"; }`;
/** How many commands run concurrently. */
const TOGETHER = 4;
const COMMANDS = [...new Set(causes().map(firstCommandOf))];

let world: SessionWorld;
beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
}, 60_000);
afterAll(() => world?.close());

/** @returns the exit code and the output on standard error */
async function inShell(command: string) {
  const env = {
    ...BARE_ENV,
    SECRETS_KEY: TEST_SECRETS_KEY,
    DATABASE_URL: world.databaseUrl,
    TEMPORAL_ADDRESS: process.env.TEST_TEMPORAL_ADDRESS,
    TEMPORAL_NAMESPACE: world.namespace,
  };
  const run = promisify(execFile)('/bin/sh', ['-c', `${OPS}\n${command}`], { env });
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

test('every first command answers', async () => {
  expect(COMMANDS.length).toBeGreaterThan(20);
  const waiting = [...COMMANDS];
  const failed: unknown[] = [];
  const worker = async () => {
    for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
      const { code, stdout, stderr } = await inShell(command);
      // Code 1 means that something needs an operator; here it is the sweep, which does not run.
      if (![0, 1].includes(code) || stderr !== '' || stdout === '')
        failed.push({ command, code, stdout, stderr });
    }
  };
  await Promise.all(Array.from({ length: TOGETHER }, worker));
  expect(failed).toEqual([]);
}, 300_000);
