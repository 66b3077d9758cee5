import { describe, expect, test } from '@jest/globals';
import { coalesced } from '../../../platform/temporal/coalesce.ts';

/** Runs that end when the test says so. */
function held() {
  const runs: { readonly items: readonly number[]; end(): void }[] = [];
  const give = coalesced<number>((items) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    runs.push({ items, end: resolve });
    return promise;
  });
  const given = async () => {
    await Promise.resolve();
    return runs.map(({ items }) => items);
  };
  /** Ends the run with this number. */
  const end = async (number: number) => {
    runs[number]?.end();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { give, given, end };
}

describe('coalesced runs', () => {
  test('merge all items added in one go', async () => {
    const { give, given } = held();
    give([1]);
    give([2]);
    expect(await given()).toEqual([[1, 2]]);
  });

  test('begin immediately if idle', async () => {
    const { give, given, end } = held();
    give([1]);
    expect(await given()).toEqual([[1]]);
    await end(0);
    give([2]);
    expect(await given()).toEqual([[1], [2]]);
  });

  test('merge all items added during a run into the next run, which begins after it', async () => {
    const { give, given, end } = held();
    give([1]);
    expect(await given()).toEqual([[1]]);
    give([2]);
    give([3, 4]);
    expect(await given()).toEqual([[1]]);
    await end(0);
    expect(await given()).toEqual([[1], [2, 3, 4]]);
    give([5]);
    await end(1);
    expect(await given()).toEqual([[1], [2, 3, 4], [5]]);
  });
});
