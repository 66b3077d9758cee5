import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type Part, startPart } from '../../sandbox/stack/process/part.ts';
import { takeRunLock } from '../../sandbox/stack/process/run-lock.ts';

let file: string;
let other: Part;

beforeEach(async () => {
  file = join(await mkdtemp(join(tmpdir(), 'lock-')), 'start.lock');
  const args = ['-e', 'setInterval(() => {}, 1000)', 'bin/start.ts'];
  other = startPart({ name: 'other', command: process.execPath, args });
});
afterEach(async () => {
  await other.stop();
  await rm(join(file, '..'), { recursive: true });
});

describe('the lock of a run', () => {
  test('is refused while another run holds it, with that run’s process id', async () => {
    await writeFile(file, `${other.pid}`);
    expect(() => takeRunLock(file)).toThrow(`already running (process ${other.pid})`);
  });

  test('is taken over from a dead run', async () => {
    await writeFile(file, `${other.pid}`);
    await other.stop();
    expect(() => takeRunLock(file)()).not.toThrow();
  });

  test('is taken over if its process id belongs to another program', async () => {
    await writeFile(file, `${process.pid}`);
    expect(() => takeRunLock(file)).not.toThrow();
  });

  test('is taken over from a run that had its process id before a container restarted', async () => {
    const { href } = new URL('../../sandbox/stack/process/run-lock.ts', import.meta.url);
    const program = `
      require('node:fs').writeFileSync(process.argv[2], String(process.pid));
      import('${href}').then(({ takeRunLock }) => takeRunLock(process.argv[2]));`;
    await promisify(execFile)(process.execPath, ['-e', program, 'bin/start.ts', file]);
  });

  test('can be taken again after its release', () => {
    takeRunLock(file)();
    expect(() => takeRunLock(file)()).not.toThrow();
  });
});
