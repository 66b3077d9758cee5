import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';

test('an interrupted run is reported as interrupted, without failures', async () => {
  const child = spawn(process.execPath, ['tools/test.ts', 'test/tools/repeat'], { cwd: PROJECT_DIR });
  const exited = once(child, 'exit');
  const said = text(child.stdout);
  // The first words are the runner's.
  await once(child.stderr, 'data');
  child.kill('SIGINT');
  expect(await exited).toEqual([130, null]);
  expect(await said).toBe('\nInterrupted by SIGINT: not all tests have run.\n');
});
