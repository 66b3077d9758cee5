/** Clicks of buyers, one after another: before some work and during it. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Buyers } from './buyers.ts';
import { inParallel } from './load.ts';

const CLICK = 'click to answer';
/** Limits clicks to two a second: without a pause, clicks would add load to the measurement. */
const EVERY_MS = 500;

export function oneByOne(buyers: Buyers) {
  async function clickMs(): Promise<number> {
    const { delays, received } = await buyers.click(await buyers.getReady(await buyers.create()));
    await received;
    return delays[CLICK] ?? Number.NaN;
  }

  return {
    /** @returns the delays of this many clicks, in milliseconds */
    some: (count: number) => inParallel(count, clickMs, 1),
    /**
     * Clicks at most twice a second until `work` has ended.
     * @returns its result and the clicks' delays
     */
    async beside<T>(work: Promise<T>): Promise<{ readonly result: T; readonly delays: readonly number[] }> {
      let isOver = false;
      const ending = work.finally(() => {
        isOver = true;
      });
      ending.catch(() => {});
      const delays: number[] = [];
      while (!isOver) {
        const next = pause(EVERY_MS);
        delays.push(await clickMs());
        await next;
      }
      return { result: await ending, delays };
    },
  };
}
