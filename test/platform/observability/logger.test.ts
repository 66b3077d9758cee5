/** @reads platform/observability/logger.ts platform/observability/safe-error.ts */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { BARE_ENV } from '../../support/stack/process.ts';

const LOGGER = JSON.stringify(join(PROJECT_DIR, 'platform/observability/logger.ts'));

/** A script that logs `lines` when it reads something on standard input, and then exits. */
const script = (lines: number) => `
  const { createLogger } = await import(${LOGGER});
  const logger = createLogger({ name: 'test' });
  process.stdin.once('data', () => {
    for (let line = 0; line < ${lines}; line++) logger.info({ line }, 'a line of the log');
    setTimeout(() => process.exit(3), 200);
  });
  process.stderr.write('ready');`;

const argsOf = (lines: number) => ['--input-type=module', '--eval', script(lines)];

/** A script that logs an error, whose message may quote a row, and a string. */
const FAILING = `
  const { createLogger } = await import(${LOGGER});
  const logger = createLogger({ name: 'test' });
  class Refused extends Error { detail = 'row'; }
  logger.warn({ err: new Refused('row', { cause: new TypeError('t') }) }, 'w');
  logger.warn({ err: 'text' }, 'w');`;

function logging(lines: number) {
  return spawn(process.execPath, argsOf(lines), { env: BARE_ENV, stdio: ['pipe', 'pipe', 'pipe'] });
}

test('a process writes its buffered log before it exits', async () => {
  const child = logging(2_000);
  await once(child.stderr, 'data');
  const lines = text(child.stdout);
  child.stdin.write('go');
  expect(await once(child, 'exit')).toEqual([3, null]);
  expect((await lines).trim().split('\n')).toHaveLength(2_000);
});

test.each([
  ['is gone', (child: ReturnType<typeof logging>) => child.stdout.destroy()],
  ['has stopped', (child: ReturnType<typeof logging>) => child.stdout.pause()],
])(
  'a process exits when the reader of its log %s',
  async (_what, stop) => {
    const child = logging(5_000);
    await once(child.stderr, 'data');
    stop(child);
    const said = text(child.stderr);
    child.stdin.write('go');
    const exited = await Promise.race([
      once(child, 'exit'),
      new Promise((resolve) => setTimeout(resolve, 20_000, 'still runs')),
    ]);
    child.kill('SIGKILL');
    expect(exited).toEqual([3, null]);
    expect(await said).toBe('');
  },
  40_000,
);

test('an unwritable log is reported once on standard error, and the process continues', async () => {
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, argsOf(2_000), { env: BARE_ENV, stdio: ['pipe', full, 'pipe'] });
  closeSync(full);
  const { stdin, stderr } = child;
  if (!stdin || !stderr) throw new Error('no pipes');
  const said = text(stderr);
  stdin.write('go');
  expect(await once(child, 'exit')).toEqual([3, null]);
  expect(await said).toMatch(/^ready\n?The log cannot be written, and lines are lost: ENOSPC.*\n$/);
});

test('an error is logged with its cause, but without text that may quote a row; a string is logged unchanged', async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', FAILING], { env: BARE_ENV });
  const lines = (await text(child.stdout)).trim().split('\n');
  const at = expect.arrayContaining([expect.stringContaining('at ')]);
  expect(lines.map((line) => JSON.parse(line).err)).toEqual([
    { name: 'Refused', at, cause: { name: 'TypeError', message: 't', at } },
    'text',
  ]);
});
