/**
 * Each mutant of the sample is noticed by its tests. The commit draws the sample, so that a run can be repeated;
 * MUTATION_SEED draws another one, MUTANTS=all runs the whole list, and MUTANTS=<pattern> those of the files whose path
 * matches.
 */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { MUTANTS, type Mutant } from '../../mutations/mutants.ts';
import { seedOfCommit } from '../../support/core/seed-of-commit.ts';

const run = promisify(execFile);
const JEST = join(PROJECT_DIR, 'node_modules/jest/bin/jest.js');
const MUTATE = pathToFileURL(join(PROJECT_DIR, 'test/mutations/mutate.ts')).href;
/** The servers of this run serve its children too. */
const NO_SETUP = join(PROJECT_DIR, 'test/mutations/no-setup.ts');
/** About three seconds each, fifteen for those of workflows. */
const SAMPLE = 8;
const NO_MUTANT = { file: 'none', find: '', replace: '' };

const seed = Number(process.env.MUTATION_SEED ?? seedOfCommit());
const sample = chosen(process.env.MUTANTS);
console.log(`mutants sampled with MUTATION_SEED=${seed}`);

test.each(sample)(
  'a test fails when "$find" is changed in $file',
  async (mutant) => {
    const run = { ...mutant, ...testsOf([mutant]) };
    const first = await runTests(run);
    // Which of two messages a workflow gets first differs from run to run: a survivor is tried once more.
    const { failed, output } = first.failed ? first : await runTests(run);
    expect({ failed, output: failed ? '' : output }).toEqual({ failed: true, output: '' });
  },
  240_000,
);

test(
  'the same tests pass without a mutant',
  async () => {
    const halves = [false, true].map((part) => sample.filter(({ named }) => part === Boolean(named)));
    for (const mutants of halves.flatMap(inRuns)) {
      const { failed, output } = await runTests({ ...NO_MUTANT, ...testsOf(mutants) });
      expect({ failed, output: failed ? output : '' }).toEqual({ failed: false, output: '' });
    }
  },
  Math.max(300_000, 40_000 * sample.length),
);

/** The tests of a whole sample are one run; those of the whole list would exceed its time. */
function inRuns(mutants: readonly Mutant[]): (readonly Mutant[])[] {
  const runs = Math.ceil(mutants.length / SAMPLE);
  return Array.from({ length: runs }, (_, n) => mutants.slice(n * SAMPLE, (n + 1) * SAMPLE));
}

/** Their files, and the names of the tests in them, if given. */
function testsOf(mutants: readonly Mutant[]): Pick<Mutant, 'tests'> & { readonly pattern?: string } {
  const tests = [...new Set(mutants.flatMap((mutant) => mutant.tests))];
  const names = new Set(
    mutants.flatMap(({ named }) => (named ? [named.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')] : [])),
  );
  return { tests, ...(names.size > 0 && { pattern: [...names].join('|') }) };
}

async function runTests({ file, find, replace, tests, pattern }: Mutant & { readonly pattern?: string }) {
  const url = pathToFileURL(join(PROJECT_DIR, file)).href;
  const env = {
    ...process.env,
    MUTANT: JSON.stringify({ url, find, replace }),
    NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${MUTATE}`,
  };
  const setup = [`--globalSetup=${NO_SETUP}`, `--globalTeardown=${NO_SETUP}`];
  const only = pattern ? [`--testNamePattern=${pattern}`] : [];
  // A mutant that leaves a test waiting must fail within the time of the run.
  const project = ['--selectProjects', 'tests', '--runInBand', '--forceExit', '--testTimeout=40000'];
  const args = [JEST, ...project, ...setup, ...only, '--runTestsByPath', ...tests];
  try {
    const { stderr } = await run(process.execPath, args, { cwd: PROJECT_DIR, env, timeout: 110_000 });
    return { failed: false, output: stderr };
  } catch (error) {
    const { stderr = String(error) } = error as { readonly stderr?: string };
    // Only a failed test counts: a run that did not start proves nothing.
    return { failed: /^Tests: +\d+ failed/m.test(stderr), output: stderr };
  }
}

function chosen(which?: string): readonly Mutant[] {
  if (which === undefined) return sampleOf(MUTANTS, SAMPLE, seed);
  return which === 'all' ? MUTANTS : MUTANTS.filter(({ file }) => new RegExp(which).test(file));
}

/** mulberry32: the same seed draws the same sample. */
function sampleOf(all: readonly Mutant[], size: number, from: number): readonly Mutant[] {
  let state = from;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const drawn = all.map((mutant) => ({ mutant, at: random() })).sort((a, b) => a.at - b.at);
  return drawn.slice(0, size).map(({ mutant }) => mutant);
}
