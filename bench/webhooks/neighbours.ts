/** Ten endpoints alone, then the same ten beside five that are dead and five that hang. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Contestant, deliverEvents } from './contestants.ts';
import type { Place } from './place.ts';
import { delays, publishSteadily, quantile, type SteadyRate, untilArrived } from './steady.ts';

export interface NeighbourFigures {
  readonly aloneP99Ms: number;
  readonly amongP99Ms: number;
}

export async function measureNeighbours(place: Place, rate: SteadyRate): Promise<NeighbourFigures> {
  const child = await place.start('ours.ts');
  const open = async (url: string, count: number) =>
    Promise.all(
      Array.from({ length: count }, async () =>
        deliverEvents(place.pool, place.client, await place.openShop(url)),
      ),
    );
  const good = await open(place.urls.good, 10);
  const bad = [...(await open(place.urls.dead, 5)), ...(await open(place.urls.hanging, 5))];
  // The first deliveries start workflows and open connections.
  place.receiver.forget();
  await Promise.all(good.map(({ publish }) => publish()));
  await untilArrived(place, good.length);
  const alone = await delaysOf(place, rate, good, []);
  await Promise.all([...bad, ...good].map(({ publish }) => publish()));
  await pause(4_000);
  const among = await delaysOf(place, rate, good, bad);
  child.kill();
  return { aloneP99Ms: quantile(alone, 0.99), amongP99Ms: quantile(among, 0.99) };
}

/** Of the good ones' events, while the bad ones get as many. */
async function delaysOf(
  place: Place,
  rate: SteadyRate,
  good: readonly Contestant[],
  bad: readonly Contestant[],
): Promise<number[]> {
  place.receiver.forget();
  const [committed] = await Promise.all([
    publishSteadily(rate, good),
    bad.length > 0 ? publishSteadily(rate, bad) : undefined,
  ]);
  const { arrivals } = await untilArrived(place, committed.size, committed);
  return delays(arrivals, committed);
}
