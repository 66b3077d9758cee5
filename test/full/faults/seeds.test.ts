/**
 * Runs of the fault harness that once found a broken promise find none now. The commit hash selects one of
 * them; SEEDS=all runs all, and SEEDS=<pattern> those whose file matches. @reads test/faults/seeds
 */
import { expect, test } from '@jest/globals';
import { Random } from '../../faults/harness/core/random.ts';
import { runFaults } from '../../faults/harness/run.ts';
import { readSeeds } from '../../faults/harness/seeds.ts';
import { seedOfCommit } from '../../support/core/seed-of-commit.ts';

const which = process.env.SEEDS;
const seeds = readSeeds();
const chosen =
  which === undefined
    ? [new Random(seedOfCommit()).pick(seeds)]
    : seeds.filter(({ name }) => which === 'all' || new RegExp(which).test(name));

test.each(chosen)(
  'the run $name finds no broken promise',
  async ({ options }) => {
    const tell = (line: string) => process.stderr.write(`seed: ${line}\n`);
    const { records, violations } = await runFaults({ ...options, settleSeconds: 150, tell });
    // Printed immediately and not only in the summary, which may be cut from a long log.
    for (const violation of violations)
      tell(`violation of seed ${options.seed}: ${JSON.stringify(violation)}`);
    expect(violations).toEqual([]);
    expect(records.faults).toHaveLength(options.faults - (options.without?.length ?? 0));
  },
  900_000,
);
