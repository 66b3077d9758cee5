/** @reads observability/logger.ts */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/places.ts';
import { BARE_ENV } from '../support/stack/process.ts';

const LOGGER = JSON.stringify(join(PROJECT_DIR, 'observability/logger.ts'));

/** A process that logs `lines` when it is told to on standard input, and then exits. */
function logging(lines: number) {
  const script = `
    const { createLogger } = await import(${LOGGER});
    const logger = createLogger({ name: 'test' });
    process.stdin.once('data', () => {
      for (let line = 0; line < ${lines}; line++) logger.info({ line }, 'a line of the log');
      process.exit(3);
    });
    process.stderr.write('ready');`;
  return spawn(process.execPath, ['--input-type=module', '--eval', script], {
    env: BARE_ENV,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

test('a process writes what it logged before it exits', async () => {
  const child = logging(2_000);
  await once(child.stderr, 'data');
  const text = child.stdout.toArray().then((chunks) => Buffer.concat(chunks).toString());
  child.stdin.write('go');
  expect(await once(child, 'exit')).toEqual([3, null]);
  expect((await text).trim().split('\n')).toHaveLength(2_000);
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
    child.stdin.write('go');
    const exited = await Promise.race([
      once(child, 'exit'),
      new Promise((resolve) => setTimeout(resolve, 20_000, 'still runs')),
    ]);
    child.kill('SIGKILL');
    expect(exited).toEqual([3, null]);
  },
  40_000,
);
