/** Each mutant of the sample is noticed by its tests. MUTATION_SEED repeats a sample, MUTANTS=all runs the whole list. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { PROJECT_DIR } from '../../../sandbox/stack/places.ts';
import { MUTANTS, type Mutant } from '../../mutations/mutants.ts';

const run = promisify(execFile);
const JEST = join(PROJECT_DIR, 'node_modules/jest/bin/jest.js');
const MUTATE = pathToFileURL(join(PROJECT_DIR, 'test/mutations/mutate.ts')).href;
/** The servers of this run serve its children too. */
const NO_SETUP = join(PROJECT_DIR, 'test/mutations/no-setup.ts');
/** Some three seconds each. */
const SAMPLE = 10;

const seed = Number(process.env.MUTATION_SEED ?? Date.now() % 1_000_000);
const sample = process.env.MUTANTS === 'all' ? MUTANTS : sampleOf(MUTANTS, SAMPLE, seed);
console.log(`mutants sampled with MUTATION_SEED=${seed}`);

test.each(sample)(
  'a test notices $file without "$find"',
  async (mutant) => {
    const { failed, output } = await runTests(mutant);
    expect({ failed, output: failed ? '' : output }).toEqual({ failed: true, output: '' });
  },
  60_000,
);

test('the same tests pass without a mutant', async () => {
  const tests = [...new Set(sample.flatMap((mutant) => mutant.tests))];
  const { failed, output } = await runTests({ file: 'none', find: '', replace: '', tests });
  expect({ failed, output: failed ? output : '' }).toEqual({ failed: false, output: '' });
}, 120_000);

async function runTests({ file, find, replace, tests }: Mutant) {
  const url = pathToFileURL(join(PROJECT_DIR, file)).href;
  const env = {
    ...process.env,
    MUTANT: JSON.stringify({ url, find, replace }),
    NODE_OPTIONS: `--disable-warning=ExperimentalWarning --import=${MUTATE}`,
  };
  const setup = [`--globalSetup=${NO_SETUP}`, `--globalTeardown=${NO_SETUP}`];
  const args = [JEST, '--selectProjects', 'tests', '--runInBand', ...setup, '--runTestsByPath', ...tests];
  try {
    const { stderr } = await run(process.execPath, args, { cwd: PROJECT_DIR, env });
    return { failed: false, output: stderr };
  } catch (error) {
    const { stderr = String(error) } = error as { readonly stderr?: string };
    // Only a failed test counts: a run that did not begin proves nothing.
    return { failed: /^Tests: +\d+ failed/m.test(stderr), output: stderr };
  }
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
