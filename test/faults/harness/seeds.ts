/** Runs with findings, kept as files in test/faults/seeds and replayed by `npm run test:full`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import type { Outcome, RunOptions } from './run.ts';

const SEEDS_DIR = join(PROJECT_DIR, 'test/faults/seeds');

export type Repeatable = Pick<RunOptions, 'seed' | 'purchases' | 'faults' | 'minutes'> &
  Partial<Pick<RunOptions, 'restores' | 'failpoints' | 'only' | 'leaveOut' | 'without' | 'slowBeside'>> &
  Partial<Pick<RunOptions, 'temporalOnPostgres' | 'sessionSeconds' | 'lags'>>;

export interface Seed {
  /** The shrunk options. The seed repeats the choices, but not the timing. */
  readonly options: Repeatable;
  /** The commit of the run, and its findings. */
  readonly commit: string;
  readonly found: string;
  /** The commit that fixed it; null until then. */
  readonly fixedBy: string | null;
}

export function readSeeds(dir = SEEDS_DIR): readonly (Seed & { readonly name: string })[] {
  return readdirSync(dir)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: file.slice(0, -'.json'.length),
      ...(JSON.parse(readFileSync(join(dir, file), 'utf8')) as Seed),
    }));
}

/** @returns the file */
export function keepSeed(options: Repeatable, { records, violations }: Outcome, dir = SEEDS_DIR): string {
  const promises = new Set(violations.map(({ promise }) => promise));
  const found = [...promises].join('; ');
  const file = join(dir, `seed-${options.seed}.json`);
  const seed: Seed = { options, commit: records.commit, found, fixedBy: null };
  writeFileSync(file, `${JSON.stringify(seed, null, 2)}\n`);
  return file;
}

type Run = (options: Repeatable) => Promise<Outcome>;
type Tried = readonly [Repeatable, Outcome];

/** Finds fewer faults and purchases that still break one of the same promises; each try is a run of minutes. */
export async function shrink(options: Repeatable, failing: Outcome, run: Run): Promise<Tried> {
  const promises = new Set(failing.violations.map(({ promise }) => promise));
  const unlessItHolds = async (smaller: Repeatable): Promise<Tried | undefined> => {
    const outcome = await run(smaller);
    return outcome.violations.some(({ promise }) => promises.has(promise)) ? [smaller, outcome] : undefined;
  };
  const ofOneKind = await toOneKind([options, failing], unlessItHolds);
  const needed = await toNeededFaults(ofOneKind, unlessItHolds);
  return toFewPurchases(needed, unlessItHolds);
}

type Try = (smaller: Repeatable) => Promise<Tried | undefined>;

async function toOneKind(tried: Tried, fails: Try): Promise<Tried> {
  const [options, { records }] = tried;
  const kinds = Map.groupBy(records.faults, ({ kind }) => kind);
  if (options.only !== undefined || kinds.size < 2) return tried;
  for (const [only, { length }] of kinds) {
    const found = await fails({ ...options, only, faults: length });
    if (found) return found;
  }
  return tried;
}

/** Leaves out ever smaller groups of faults, in the end single ones. */
async function toNeededFaults(tried: Tried, fails: Try): Promise<Tried> {
  let smallest = tried;
  const { faults, without = [] } = tried[0];
  let left = Array.from({ length: faults }, (_, number) => number).filter((n) => !without.includes(n));
  for (let size = left.length; size >= 1; size = size > 1 ? Math.ceil(size / 2) : 0) {
    for (let at = 0; at < left.length; ) {
      const kept = left.filter((_, place) => place < at || place >= at + size);
      const dropped = Array.from({ length: faults }, (_, number) => number).filter((n) => !kept.includes(n));
      const found = await fails({ ...tried[0], without: dropped });
      if (found) [smallest, left] = [found, kept];
      else at += size;
    }
  }
  return smallest;
}

/** Halves the purchases as long as it still fails. */
async function toFewPurchases(tried: Tried, fails: Try): Promise<Tried> {
  const [{ purchases, minutes, ...rest }] = tried;
  if (purchases < 4) return tried;
  const found = await fails({ ...rest, purchases: Math.ceil(purchases / 2), minutes: minutes / 2 });
  return found ? toFewPurchases(found, fails) : tried;
}
