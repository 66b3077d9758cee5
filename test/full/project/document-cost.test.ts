/** Measures the cost of a first document in a separate process: Jest compiles modules differently. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { slowness } from '../../support/core/slowness.ts';

/** Limit on the reference machine of `slowness`, where the first document of a process takes 200 ms in ten scripts. */
const CPU_MS = 300;
const BYTES = 200_000;
const COST = /^(\w+): cold (\d+) ms, warm \d+ ms, (\d+) bytes$/gm;

test.each(['plain', 'scripts'])(
  'a document costs at most 300 ms of CPU and 200 kB, even the first document of a process: %s',
  async (first) => {
    const command = ['tools/bench/main.ts', 'documents', '--times', '1', '--first', first];
    const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: PROJECT_DIR });
    const costs = [...stdout.matchAll(COST)].map(
      ([, name, cold, bytes]) => [name, Number(cold), Number(bytes)] as const,
    );
    expect(costs).toHaveLength(2);
    expect(costs[0]?.[0]).toBe(first);
    const allowedMs = CPU_MS * slowness();
    expect(costs.filter(([, cold, bytes]) => cold > allowedMs || bytes > BYTES)).toEqual([]);
  },
  60_000,
);
