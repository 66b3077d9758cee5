/** A short run of the fault harness with a fresh seed; `npm run faults -- --seed N` repeats it. */
import { expect, test } from '@jest/globals';
import { runFaults } from '../../faults/harness/run.ts';

test('no promise breaks in a storm of 10 faults over 40 purchases', async () => {
  const seed = Math.floor(Math.random() * 1_000_000);
  const tell = (line: string) => process.stderr.write(`storm: ${line}\n`);
  const { records, violations } = await runFaults({
    ...{ seed, purchases: 40, faults: 10, minutes: 0.7 },
    ...{ sessionSeconds: 45, settleSeconds: 180, tell },
  });
  expect({ seed, violations }).toEqual({ seed, violations: [] });
  expect(records.faults).toHaveLength(10);
  expect(records.sessions.filter(({ state }) => state === 'succeeded').length).toBeGreaterThan(5);
}, 480_000);
