import { expect, test } from '@jest/globals';
import { Random } from './core/random.ts';
import { drawOperations, type Hands, OF_TRIALS, OPERATIONS, operate, RACES } from './people/operations.ts';

const DRAWN = [null, ...OPERATIONS.filter((each) => !OF_TRIALS.some((ofTrial) => ofTrial === each))];

test.each([1, 2, 3])('every race is drawn first, and nothing is drawn twice in a round (seed %i)', (seed) => {
  const drawn = drawOperations(new Random(seed));
  const next = (count: number) => Array.from({ length: count }, () => drawn.next().value);
  const first = next(RACES.length);
  expect(first.toSorted()).toEqual(RACES.toSorted());
  expect(new Set([...first, ...next(DRAWN.length - RACES.length)])).toEqual(new Set(DRAWN));
  expect(new Set(next(DRAWN.length))).toEqual(new Set(DRAWN));
});

/** Every step succeeds except the given ones. */
function handsWith(given: Partial<Hands>): Hands {
  const yes = async () => true;
  return {
    post: async () => ({ status: 201, body: {} }),
    renew: yes,
    periodEnd: async () => '2026-03-01T00:00:00.000Z',
    dearerPlan: 'ap_prod_1',
    failTwice: yes,
    untilCharge: yes,
    unpaidInvoice: async () => 'ap_inv_1',
    payByLink: yes,
    ...given,
  };
}

test('every operation whose steps succeed counts', async () => {
  const counted = await Promise.all(OPERATIONS.map((each) => operate(each, 'ap_sub_1', handsWith({}))));
  expect(counted).toEqual(OPERATIONS.map(() => true));
});

test('no operation counts without a response', async () => {
  const hands = handsWith({ post: async () => ({ status: 0, body: null }) });
  for (const each of OPERATIONS)
    expect([each, await operate(each, 'ap_sub_1', hands)]).toEqual([each, false]);
});

test.each([
  ['pays as it is retried', { unpaidInvoice: async () => undefined }],
  ['pays by link as it is retried', { payByLink: async () => false }],
  ['pays as it is retried', { failTwice: async () => false }],
  ['resumes as its pause ends', { periodEnd: async () => null }],
  ['undoes its cancellation as it ends', { untilCharge: async () => false }],
] as const)('a race does not count if the competing step fails: %s', async (race, given) => {
  expect(await operate(race, 'ap_sub_1', handsWith(given))).toBe(false);
});
