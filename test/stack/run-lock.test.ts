import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Part, startPart } from '../../sandbox/stack/part.ts';
import { takeRunLock } from '../../sandbox/stack/run-lock.ts';

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
  it('is refused while another run holds it, and names that run', async () => {
    await writeFile(file, `${other.pid}`);
    expect(() => takeRunLock(file)).toThrow(`already running (process ${other.pid})`);
  });

  it('is taken from a run that is gone', async () => {
    await writeFile(file, `${other.pid}`);
    await other.stop();
    expect(() => takeRunLock(file)()).not.toThrow();
  });

  it('is taken where the number belongs to a process that is no run of ours', async () => {
    await writeFile(file, `${process.pid}`);
    expect(() => takeRunLock(file)).not.toThrow();
  });

  it('can be taken again once it was given back', () => {
    takeRunLock(file)();
    expect(() => takeRunLock(file)()).not.toThrow();
  });
});
