/** Measures ten endpoints alone, then next to five dead and five hanging ones, round by round. */
import { setTimeout as pause } from 'node:timers/promises';
import { pauseEndpoint } from '../../db/webhook/endpoint-status.ts';
import type { EndpointRef } from '../../db/webhook/events.ts';
import { median, quantile } from '../core/figures.ts';
import { type Contestant, deliverEvents } from './contestants.ts';
import { TIMEOUT_SECONDS } from './messages.ts';
import type { Place } from './place.ts';
import { delays, publishSteadily, type SteadyRate, untilArrived } from './steady.ts';

export interface NeighbourFigures {
  /** One figure per round. */
  readonly aloneP99sMs: readonly number[];
  readonly amongP99sMs: readonly number[];
  /** Their medians. */
  readonly aloneP99Ms: number;
  readonly amongP99Ms: number;
}

interface Shop extends Contestant {
  readonly endpoint: EndpointRef;
}

/** By then all drains are awake, none has gone back to sleep, and the bad endpoints have failed. */
const AWAKE_AFTER_MS = 4_000;
const WARM_UP_SECONDS = 5;
/** 100 events a second in all: 2,000 events to 20 endpoints. */
const STEADY_SECONDS = 20;

export async function measureNeighbours(
  place: Place,
  ratePerSecond: number,
  rounds: number,
  tell: (line: string) => void,
): Promise<NeighbourFigures> {
  // The good endpoints get half of the events, the bad ones the other half.
  const rate = { ratePerSecond: ratePerSecond / 2, steadySeconds: STEADY_SECONDS };
  const child = await place.start('ours.ts');
  const good = await open(place, place.urls.good, 10);
  // Warm-up: the first deliveries start workflows, open connections and fill PostgreSQL's plan caches.
  await delaysOf(place, { ...rate, steadySeconds: WARM_UP_SECONDS }, good, []);
  const [aloneP99sMs, amongP99sMs]: [number[], number[]] = [[], []];
  for (let round = 1; round <= rounds; round += 1) {
    await wake(good);
    aloneP99sMs.push(quantile(await delaysOf(place, rate, good, []), 0.99));

    const bad = [...(await open(place, place.urls.dead, 5)), ...(await open(place, place.urls.hanging, 5))];
    await wake([...good, ...bad]);
    amongP99sMs.push(quantile(await delaysOf(place, rate, good, bad), 0.99));

    tell(`p99 of ten endpoints: ${inMs(aloneP99sMs)} alone, ${inMs(amongP99sMs)} beside ten bad ones`);
    await Promise.all(bad.map(({ endpoint }) => pauseEndpoint(place.pool, endpoint, { actor: 'bench' })));
    await pause(TIMEOUT_SECONDS * 1_000);
  }
  child.kill();
  return { aloneP99sMs, amongP99sMs, aloneP99Ms: median(aloneP99sMs), amongP99Ms: median(amongP99sMs) };
}

async function wake(shops: readonly Shop[]): Promise<void> {
  await Promise.all(shops.map(({ publish }) => publish()));
  await pause(AWAKE_AFTER_MS);
}

const inMs = (figures: readonly number[]) => `${Math.round(figures.at(-1) ?? Number.NaN)} ms`;

function open(place: Place, url: string, count: number): Promise<Shop[]> {
  const openOne = async (): Promise<Shop> => {
    const endpoint = await place.openShop(url);
    return { ...deliverEvents(place.pool, place.wakingPool, endpoint), endpoint };
  };
  return Promise.all(Array.from({ length: count }, openOne));
}

/** Delays of the good endpoints' events while the bad endpoints receive as many. */
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
