/** @reads test/faults/checker/fixtures */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Violation } from '../checker/facts.ts';
import type { Fault, Records } from '../checker/records.ts';
import type { Outcome } from './run.ts';
import { keepSeed, type Repeatable, readSeeds, shrink } from './seeds.ts';

const fixture = join(import.meta.dirname, '../checker/fixtures/run.json');
const REAL_RUN = JSON.parse(readFileSync(fixture, 'utf8')) as Records;
const KINDS = ['SIGKILL of a worker', 'PostgreSQL crashes', 'SIGKILL of a worker', 'Temporal stops'];
const OPTIONS: Repeatable = { seed: 7, purchases: 64, faults: 8, minutes: 2 };

/** Simulates a run with the faults of the options, in which a promise breaks when `isBroken` returns true. */
function running(isBroken: (options: Repeatable, struck: readonly Fault[]) => boolean) {
  const runs: Repeatable[] = [];
  const run = async (options: Repeatable): Promise<Outcome> => {
    runs.push(options);
    const { only = '', without = [] } = options;
    const kinds = KINDS.filter((kind) => kind.includes(only));
    const faults = Array.from({ length: options.faults }, (_, number) => ({
      number,
      kind: kinds[number % kinds.length] ?? '',
      what: '',
      at: '',
      until: '',
    })).filter(({ number }) => !without.includes(number));
    const violations: readonly Violation[] = isBroken(options, faults)
      ? [{ promise: 'at most one charge per attempt', subject: 'ap_chk_1', found: '2 charges' }]
      : [{ promise: 'every alert clears', subject: 'ap_chk_2', found: 'by chance' }];
    const records: Records = { ...REAL_RUN, seed: options.seed, commit: 'abc1234', faults };
    return {
      records,
      violations,
      purchases: [],
      recoveries: [],
      operations: new Map(),
      settledAfterMs: 0,
      tookMs: 0,
      armed: [],
      failpoints: [],
      deaths: 0,
    };
  };
  return { run, runs };
}

test('a failing run is shrunk to one kind of fault, then to one fault, then to few purchases', async () => {
  const { run } = running(({ purchases }, struck) => {
    const kills = struck.filter(({ kind }) => kind === 'SIGKILL of a worker');
    return kills.some(({ number }) => number === 2) && purchases >= 7;
  });
  const [smallest] = await shrink(OPTIONS, await run(OPTIONS), run);
  expect(smallest).toMatchObject({
    only: 'SIGKILL of a worker',
    faults: 4,
    without: [0, 1, 3],
    purchases: 8,
  });
  expect(smallest.minutes).toBe(0.25);
});

test('two faults of different kinds that break a promise only together are both kept', async () => {
  const { run, runs } = running((_options, struck) =>
    [1, 6].every((needed) => struck.some(({ number, kind }) => number === needed && kind !== 'none')),
  );
  const together: typeof run = async (options) =>
    options.only === undefined ? run(options) : running(() => false).run(options);
  const [smallest] = await shrink(OPTIONS, await run(OPTIONS), together);
  expect(smallest).toMatchObject({ faults: 8, without: [0, 2, 3, 4, 5, 7] });
  expect(smallest).not.toHaveProperty('only');
  expect(runs.length).toBeLessThan(40);
});

test('a run that fails without any fault is shrunk to no faults', async () => {
  const { run } = running(() => true);
  const [smallest, outcome] = await shrink(OPTIONS, await run(OPTIONS), run);
  expect(outcome.records.faults).toEqual([]);
  expect(smallest.purchases).toBe(2);
});

test('another promise that breaks by chance does not count as the same failure', async () => {
  const { run } = running(({ purchases }) => purchases === OPTIONS.purchases);
  const [smallest] = await shrink(OPTIONS, await run(OPTIONS), run);
  expect(smallest.purchases).toBe(OPTIONS.purchases);
});

test('a stored seed is read back with its findings, and counts as unfixed', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'checkout-seeds-'));
  try {
    const { run } = running(() => true);
    keepSeed(OPTIONS, await run(OPTIONS), dir);
    const kept = {
      options: OPTIONS,
      commit: 'abc1234',
      found: 'at most one charge per attempt',
      fixedBy: null,
    };
    expect(readSeeds(dir)).toEqual([{ name: 'seed-7', ...kept }]);
  } finally {
    rmSync(dir, { recursive: true });
  }
});
