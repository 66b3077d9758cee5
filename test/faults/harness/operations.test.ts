import { expect, test } from '@jest/globals';
import { Random } from './core/random.ts';
import { drawOperations, OF_TRIALS, OPERATIONS, RACES } from './people/operations.ts';

const DRAWN = [null, ...OPERATIONS.filter((each) => !OF_TRIALS.some((ofTrial) => ofTrial === each))];

test.each([1, 2, 3])('every race is drawn first, and nothing is drawn twice in a round (seed %i)', (seed) => {
  const drawn = drawOperations(new Random(seed));
  const next = (count: number) => Array.from({ length: count }, () => drawn.next().value);
  const first = next(RACES.length);
  expect(first.toSorted()).toEqual(RACES.toSorted());
  expect(new Set([...first, ...next(DRAWN.length - RACES.length)])).toEqual(new Set(DRAWN));
  expect(new Set(next(DRAWN.length))).toEqual(new Set(DRAWN));
});
