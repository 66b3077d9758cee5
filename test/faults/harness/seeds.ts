/** Runs that found something, kept as files in test/faults/seeds and replayed by `npm run test:full`. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import type { Outcome, RunOptions } from './run.ts';

const SEEDS_DIR = join(PROJECT_DIR, 'test/faults/seeds');

export type Repeatable = Pick<RunOptions, 'seed' | 'purchases' | 'faults' | 'minutes'> &
  Partial<Pick<RunOptions, 'restores' | 'failpoints' | 'only' | 'temporalOnPostgres' | 'sessionSeconds'>>;

export interface Seed {
  /** Shrunk: the seed repeats the choices, not the timing. */
  readonly options: Repeatable;
  /** The commit of the run, and what it found. */
  readonly commit: string;
  readonly found: string;
  /** The commit that mended it; null until then. */
  readonly mendedBy: string | null;
}

export function readSeeds(): readonly (Seed & { readonly name: string })[] {
  return readdirSync(SEEDS_DIR)
    .filter((file) => file.endsWith('.json'))
    .map((file) => ({
      name: file.slice(0, -'.json'.length),
      ...(JSON.parse(readFileSync(join(SEEDS_DIR, file), 'utf8')) as Seed),
    }));
}

/** @returns the file */
export function keepSeed(options: Repeatable, { records, violations }: Outcome): string {
  const promises = new Set(violations.map(({ promise }) => promise));
  const found = [...promises].join('; ');
  const file = join(SEEDS_DIR, `seed-${options.seed}.json`);
  const seed: Seed = { options, commit: records.commit, found, mendedBy: null };
  writeFileSync(file, `${JSON.stringify(seed, null, 2)}\n`);
  return file;
}

/**
 * Fewer faults and purchases that still break one of the same promises: first the kinds of fault one by one, then half of
 * the purchases as often as it still fails.
 */
export async function shrink(
  options: Repeatable,
  failing: Outcome,
  run: (options: Repeatable) => Promise<Outcome>,
): Promise<readonly [Repeatable, Outcome]> {
  const promises = new Set(failing.violations.map(({ promise }) => promise));
  const stillFails = (outcome: Outcome) => outcome.violations.some(({ promise }) => promises.has(promise));
  let smallest: readonly [Repeatable, Outcome] = [options, failing];
  const kinds = new Set(failing.records.faults.map(({ kind }) => kind));
  for (const only of options.only === undefined && kinds.size > 1 ? kinds : []) {
    const faults = failing.records.faults.filter(({ kind }) => kind === only).length;
    const fewer = { ...options, only, faults };
    const outcome = await run(fewer);
    if (!stillFails(outcome)) continue;
    smallest = [fewer, outcome];
    break;
  }
  for (;;) {
    const [{ purchases, minutes, ...rest }] = smallest;
    if (purchases < 4) return smallest;
    const half = { ...rest, purchases: Math.ceil(purchases / 2), minutes: minutes / 2 };
    const outcome = await run(half);
    if (!stillFails(outcome)) return smallest;
    smallest = [half, outcome];
  }
}
