import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { armFailpoints, fileOf, readFailpoints, untilReached } from './armed.ts';
import { failpoint } from './failpoint.ts';
import { ALL_POINTS } from './points.ts';

let base: string;
let dir: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'checkout-failpoints-'));
  dir = join(base, 'armed');
  process.env.FAILPOINTS_DIR = dir;
});
afterEach(async () => {
  delete process.env.FAILPOINTS_DIR;
  await rm(base, { recursive: true });
});

/** The points that do not kill a process. */
async function sparedPoints(): Promise<readonly string[]> {
  const { failpoints } = await readFailpoints(dir);
  expect(failpoints).toEqual([]);
  return (await readdir(dir)).map(decodeURIComponent);
}

test('failpoints that a run does not select kill no process', async () => {
  const [armed = [], others = []] = [true, false].map((isOfSweep) =>
    ALL_POINTS.filter((point) => point.startsWith('sweepOnce') === isOfSweep),
  );
  await armFailpoints(dir, armed);
  expect((await sparedPoints()).toSorted()).toEqual(others.toSorted());
  await failpoint(others[0] ?? '');
});

test('a run that selects every failpoint kills a process at each of them', async () => {
  await armFailpoints(dir, ALL_POINTS);
  expect(await sparedPoints()).toEqual([]);
});

test('reached failpoints are reported with the number of processes that died there', async () => {
  await armFailpoints(dir, []);
  const [one = '', other = '', third = ''] = ALL_POINTS;
  await writeFile(fileOf(dir, one), '101');
  await writeFile(fileOf(dir, other), '101');
  await writeFile(fileOf(dir, third), '102');
  const { failpoints, deaths } = await readFailpoints(dir);
  expect(failpoints.toSorted()).toEqual([one, other, third].toSorted());
  expect(deaths).toBe(2);
});

test('a run waits until all its failpoints have been reached, up to a time limit', async () => {
  const [one = '', other = '', third = ''] = ALL_POINTS;
  await armFailpoints(dir, ALL_POINTS);
  await writeFile(fileOf(dir, one), '101');
  const waiting = untilReached(dir, [one, other], 60_000).then(() => 'both');
  expect(await Promise.race([waiting, untilReached(dir, [third], 50)])).toBeUndefined();
  await writeFile(fileOf(dir, other), '101');
  expect(await waiting).toBe('both');
});
