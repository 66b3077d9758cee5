/**
 * A sweep ends before its activity times out: a time-out would leave it uncounted and report nothing (rules 29,
 * 41).
 */
import { expect, test } from '@jest/globals';
import { BUDGETS } from '../../../activities/sweep/sweep.ts';
import { SWEEP_TIMEOUT_SECONDS } from '../../../workflows/sweep/sweep-messages.ts';

test('the fence check and all chores together leave two seconds of the activity’s time limit', () => {
  const total = BUDGETS.reduce((sum, seconds) => sum + seconds, 0);
  expect(total).toBeLessThanOrEqual(SWEEP_TIMEOUT_SECONDS - 2);
});
