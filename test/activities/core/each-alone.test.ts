/** How a sweep's chore logs failing items, before and after its deadline (rule 41). */
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import type { Client } from '@temporalio/client';
import { eachAlone } from '../../../activities/core/each-alone.ts';
import { withinBudget } from '../../../platform/temporal/chore-budget.ts';

let logged: unknown[] = [];
const logger = { error: (...what: unknown[]) => void logged.push(what) };
/** Sets no time limit; each item below ends by itself. */
const client = { withDeadline: (_at: unknown, chore: () => unknown) => chore() } as unknown as Client;

beforeEach(() => {
  logged = [];
});

test('a failing item is logged and does not stop the other items', async () => {
  const done: number[] = [];
  await withinBudget(client, 5, () =>
    eachAlone(logger, [1, 2, 3], async (item) => {
      if (item === 2) throw new Error('refused');
      done.push(item);
    }),
  );
  expect(done).toEqual([1, 3]);
  expect(logged).toEqual([[{ err: new Error('refused') }, 'sweep item failed']]);
});

test('calls aborted at the chore’s deadline are not logged, and no new calls start', async () => {
  const begun: number[] = [];
  let work: Promise<unknown> = Promise.resolve();
  const items = Array.from({ length: 30 }, (_, n) => n);
  const chore = withinBudget(client, 0.05, () => {
    work = eachAlone(logger, items, async (item) => {
      begun.push(item);
      await pause(100);
      throw new Error('4 DEADLINE_EXCEEDED');
    });
    return work;
  });
  await expect(chore).rejects.toThrow('longer than 0.05 s');
  await work;
  expect(begun).toHaveLength(10);
  expect(logged).toEqual([]);
});

test('a chore that finishes after its deadline is reported even if its timer has not fired yet', async () => {
  const chore = withinBudget(client, 0.02, () =>
    eachAlone(logger, ['one'], async () => {
      for (const end = performance.now() + 40; performance.now() < end; );
      throw new Error('4 DEADLINE_EXCEEDED');
    }),
  );
  await expect(chore).rejects.toThrow('longer than 0.02 s');
  expect(logged).toEqual([]);
});
