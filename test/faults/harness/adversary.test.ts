import { expect, test } from '@jest/globals';
import { planOf } from './adversary.ts';
import type { Blow } from './blows/blow.ts';
import { Random } from './core/random.ts';

const blows: readonly Blow[] = ['a', 'b', 'c', 'd', 'e', 'f'].map((kind) => ({
  kind,
  ...(kind === 'e' && { isMeasured: true }),
  strike: async (random) => `${random.next()}`,
}));
const SEEDS = Array.from({ length: 50 }, (_, seed) => seed);

test('no kind of fault is repeated before every kind has occurred', () => {
  for (const seed of SEEDS) {
    const kinds = planOf(blows, 12, new Random(seed)).map(({ blow }) => blow.kind);
    expect(kinds.slice(0, 6).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(kinds.slice(6).toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  }
});

test('a run with fewer faults than kinds still includes the measured kinds, in any position', () => {
  const places = SEEDS.map((seed) =>
    planOf(blows, 3, new Random(seed)).findIndex(({ blow }) => blow.kind === 'e'),
  );
  expect(new Set(places)).toEqual(new Set([0, 1, 2]));
});

test('a fault’s random choices do not depend on those of earlier faults', async () => {
  const [once, often] = [planOf(blows, 6, new Random(7)), planOf(blows, 6, new Random(7))];
  for (let n = 0; n < 5; n++) often[0]?.choices.next();
  const struck = (plan: typeof once) =>
    Promise.all(plan.slice(1).map(({ blow, choices }) => blow.strike(choices)));
  expect(await struck(often)).toEqual(await struck(once));
});

test('an unknown fault name is rejected, instead of running without faults', () => {
  expect(() => planOf([], 1, new Random(1))).toThrow('No fault has that name.');
});
