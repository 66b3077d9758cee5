import { describe, expect, test } from '@jest/globals';
import { Coalesced } from '../../../platform/temporal/coalesce.ts';

/** Runs that end when the test says so. */
function held() {
  const runs: { readonly items: readonly number[]; end(): void }[] = [];
  const turns = new Coalesced<number, string>((items) => {
    const { promise, resolve } = Promise.withResolvers<string>();
    runs.push({ items, end: () => resolve(`ran with ${items}`) });
    return promise;
  });
  return { turns, runs };
}

describe('coalesced runs', () => {
  test('begin at once if idle', async () => {
    const { turns, runs } = held();
    const first = turns.ask([1]);
    runs[0]?.end();
    expect(await first).toBe('ran with 1');
  });

  test('gather all requests during a run into one next run, which begins after it', async () => {
    const { turns, runs } = held();
    const first = turns.ask([1]);
    const others = [turns.ask([2]), turns.ask([3, 4])];
    expect(runs).toHaveLength(1);
    runs[0]?.end();
    await first;
    await Promise.resolve();
    expect(runs.map(({ items }) => items)).toEqual([[1], [2, 3, 4]]);
    const last = turns.ask([5]);
    runs[1]?.end();
    expect(await Promise.all(others)).toEqual(['ran with 2,3,4', 'ran with 2,3,4']);
    await Promise.resolve();
    runs[2]?.end();
    expect(await last).toBe('ran with 5');
  });
});
