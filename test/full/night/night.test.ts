/**
 * The short breakages of `npm run night`: an operator is notified of each, and it clears after the runbook's steps.
 * @needs promtool @reads deploy/observability
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { BREAKS } from '../../night/breaks.ts';
import { type Night, openNight } from '../../night/night.ts';
import { sufferThrough } from '../../night/watch.ts';

let night: Night;
beforeAll(async () => {
  night = await openNight(0.5);
});
afterAll(() => night?.stop());

const short = BREAKS.filter(({ isLong }) => !isLong).map((each) => [each.name, each] as const);

test.each(short)(
  '%s is reported, and clears after the steps of its runbook section',
  async (_, each) => {
    const told = await sufferThrough(night, each);
    expect(told).toMatchObject({ toldAfter: expect.any(Number), clearedAfter: expect.any(Number) });
    expect(told.words).not.toBe('');
  },
  900_000,
);
