/**
 * A worker, or an operator's command, dies before and after each of the steps that storms rarely reach: manual
 * interventions, and the end of a subscription whose charge they settle.
 */
import { expect, test } from '@jest/globals';
import {
  afterActivity,
  afterMessage,
  beforeActivity,
  beforeMessage,
} from '../../faults/failpoints/points.ts';
import { runFaults } from '../../faults/harness/run.ts';

const around = (names: readonly string[]) =>
  names.flatMap((name) => [beforeActivity(name), afterActivity(name)]);
const RESOLVE_REQUESTED = 'signal resolveRequested';

const WORK = [
  [
    'an operator settles doubts',
    [
      ...around(['resolveSubscription', 'resolveRefund', 'cancelAsRequested']),
      beforeMessage(RESOLVE_REQUESTED),
      afterMessage(RESOLVE_REQUESTED),
    ],
  ],
] as const;

test.each(WORK)(
  'no promise breaks while %s, and a process is killed at each of its steps',
  async (kind, points) => {
    const tell = (line: string) => process.stderr.write(`operators: ${line}\n`);
    const run = { seed: 1, purchases: 0, faults: 1, minutes: 0, only: kind };
    const { violations, failpoints } = await runFaults({ ...run, failpoints: true, points, tell });
    expect(violations).toEqual([]);
    expect(failpoints.toSorted()).toEqual(points.toSorted());
  },
  1_200_000,
);
