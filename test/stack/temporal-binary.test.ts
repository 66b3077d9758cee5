import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { Progress } from '../../sandbox/stack/core/progress.ts';
import { findTemporal } from '../../sandbox/stack/temporal/temporal-binary.ts';

let dir: string;
let notes: string[];
const progress: Progress = { note: (text) => notes.push(text), step: (_what, work) => work() };

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'temporal-'));
  notes = [];
});
afterEach(() => rm(dir, { recursive: true }));

async function program(folder: string, serverVersion: string): Promise<string> {
  const path = join(dir, folder, 'temporal');
  await mkdir(join(dir, folder), { recursive: true });
  await writeFile(path, `#!/bin/sh\necho "temporal version 1.5.1 (Server ${serverVersion}, UI 2.42.1)"\n`);
  await chmod(path, 0o755);
  return path;
}

const find = (env: NodeJS.ProcessEnv) => findTemporal({ env, cacheDir: dir, progress });

describe('the Temporal binary', () => {
  test('is TEMPORAL_CLI if set', async () => {
    const path = await program('named', '1.0.0');
    expect(await find({ TEMPORAL_CLI: path, PATH: '' })).toBe(path);
  });

  test('fails with the path if TEMPORAL_CLI does not exist', async () => {
    await expect(find({ TEMPORAL_CLI: '/no/such/temporal' })).rejects.toThrow(
      'TEMPORAL_CLI=/no/such/temporal',
    );
  });

  test('on the PATH takes precedence over the cached program', async () => {
    await program('temporal-cli', '1.29.1');
    const path = await program('on-path', '1.30.0');
    expect(await find({ PATH: `/usr/bin:${join(dir, 'on-path')}` })).toBe(path);
  });

  test('is the cached program if the program on the PATH is too old', async () => {
    const cached = await program('temporal-cli', '1.29.1');
    const old = await program('on-path', '1.28.9');
    expect(await find({ PATH: join(dir, 'on-path') })).toBe(cached);
    expect(notes).toEqual([`${old} is older than Temporal server 1.29.1: not used.`]);
  });
});
