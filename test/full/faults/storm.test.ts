/** A short run of the fault harness with a fresh seed; `npm run faults -- --seed N` repeats it. */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { LOCAL_DIR } from '../../../sandbox/stack/core/directories.ts';
import { tellByFlow } from '../../faults/failpoints/by-flow.ts';
import { CERTAIN_POINTS } from '../../faults/failpoints/points.ts';
import { tellFigures } from '../../faults/harness/figures.ts';
import { runFaults } from '../../faults/harness/run.ts';

test('no promise breaks in a storm of 20 faults over 100 purchases, with kills inside operations', async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const tell = (line: string) => process.stderr.write(`storm: ${line}\n`);
  const outcome = await runFaults({
    seed,
    purchases: 100,
    faults: 20,
    minutes: 1,
    failpoints: true,
    rarePoints: 0.3,
    slowBeside: true,
    restores: true,
    lags: seed % 2 === 1,
    // Nothing is sold for minutes while the rail does not answer: operators.test.ts covers it.
    leaveOut: 'an operator settles doubts',
    sessionSeconds: 45,
    railRetrySeconds: [1, 2, 5, ...Array(20).fill(10)],
    settleSeconds: 180,
    keepIn: join(LOCAL_DIR, 'faults', `seed-${seed}`),
    tell,
  });
  const { records, violations, failpoints } = outcome;
  for (const line of tellFigures(outcome)) tell(line);
  // Printed immediately and not only in the summary, which may be cut from a long log.
  for (const violation of violations) tell(`violation of seed ${seed}: ${JSON.stringify(violation)}`);
  expect({ seed, violations }).toEqual({ seed, violations: [] });
  expect(records.faults).toHaveLength(20);
  expect(records.sessions.filter(({ state }) => state === 'succeeded').length).toBeGreaterThan(20);
  tell(`${outcome.deaths} processes killed at ${failpoints.length} points`);
  for (const line of tellByFlow(failpoints)) tell(line);
  expect(CERTAIN_POINTS.filter((point) => !failpoints.includes(point))).toEqual([]);
}, 1_500_000);
