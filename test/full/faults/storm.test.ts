/**
 * A short run of the fault harness with a fresh seed, which selects six kinds of faults and half of the failpoints.
 * Over many seeds, all of them occur. `npm run faults -- --seed N` makes the long run.
 */
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { LOCAL_DIR } from '../../../sandbox/stack/core/directories.ts';
import { tellByFlow } from '../../faults/failpoints/by-flow.ts';
import { CERTAIN_POINTS } from '../../faults/failpoints/points.ts';
import { tellFigures } from '../../faults/harness/figures.ts';
import { runFaults } from '../../faults/harness/run.ts';

test('no promise breaks in a storm of 6 faults over 50 purchases, with kills inside operations', async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const tell = (line: string) => process.stderr.write(`storm: ${line}\n`);
  const outcome = await runFaults({
    seed,
    purchases: 50,
    faults: 6,
    minutes: 0.5,
    failpoints: true,
    pointShares: { certain: 0.5, others: 0.15 },
    slowBeside: true,
    restores: true,
    lags: seed % 2 === 1,
    // Nothing is sold for minutes while the rail does not answer: operators.test.ts covers it.
    leaveOut: 'an operator settles doubts',
    sessionSeconds: 45,
    railRetrySeconds: [1, 2, 5, ...Array(20).fill(10)],
    settleSeconds: 400,
    keepIn: join(LOCAL_DIR, 'faults', `seed-${seed}`),
    tell,
  });
  const { records, violations, armed, failpoints } = outcome;
  for (const line of tellFigures(outcome)) tell(line);
  // Printed immediately and not only in the summary, which may be cut from a long log.
  for (const violation of violations) tell(`violation of seed ${seed}: ${JSON.stringify(violation)}`);
  expect({ seed, violations }).toEqual({ seed, violations: [] });
  expect(records.faults).toHaveLength(6);
  expect(records.sessions.filter(({ state }) => state === 'succeeded').length).toBeGreaterThan(10);
  tell(`${outcome.deaths} processes killed at ${failpoints.length} points`);
  for (const line of tellByFlow(failpoints)) tell(line);
  const isMissed = (point: string) => armed.includes(point) && !failpoints.includes(point);
  expect(CERTAIN_POINTS.filter(isMissed)).toEqual([]);
}, 1_500_000);
