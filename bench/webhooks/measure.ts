/** One contestant's figures: draining a backlog, publishing and delivering at once, and delay at a steady rate. */
import { setTimeout as pause } from 'node:timers/promises';
import { median, quantile } from '../core/figures.ts';
import type { Contestant } from './contestants.ts';
import { type CpuPerDelivery, cpuMeter } from './cpu.ts';
import { nowMs } from './messages.ts';
import type { Child, Place } from './place.ts';
import { delays, publishSteadily, type SteadyRate, untilArrived } from './steady.ts';

const PUBLISHERS = 8;

export interface Sizes extends SteadyRate {
  readonly drained: number;
  readonly published: number;
}

interface Throughput {
  readonly perSecond: number;
  readonly cpu: CpuPerDelivery;
}

export interface Figures {
  readonly drained: Throughput;
  readonly atOnce: Throughput;
  /** From commit to receipt. */
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export async function measure(place: Place, contestant: Contestant, sizes: Sizes): Promise<Figures> {
  place.receiver.forget();
  await contestant.fill(sizes.drained);
  const child = await place.start(contestant.script);
  const drained = await drain(place, contestant, child, sizes.drained);
  const atOnce = await publishAtOnce(place, contestant, child, sizes.published);
  await pause(2_000);
  place.receiver.forget();
  const committed = await publishSteadily(sizes, [contestant]);
  const { arrivals } = await untilArrived(place, committed.size);
  const sorted = delays(arrivals, committed);
  const stopped = child.next('stopped');
  child.order({ kind: 'stop' });
  await stopped;
  child.kill();
  return { drained, atOnce, p50Ms: quantile(sorted, 0.5), p99Ms: quantile(sorted, 0.99) };
}

/** Measured from the first arrival to the last, without the start-up time. */
async function drain(place: Place, contestant: Contestant, child: Child, count: number): Promise<Throughput> {
  const cpu = await cpuMeter(child.pid, place.pids.postgres);
  // Ours needs a wake-up; graphile-worker polls when it starts.
  await contestant.publish();
  const { firstMs, lastMs } = await untilArrived(place, count + 1);
  return { perSecond: count / ((lastMs - firstMs) / 1_000), cpu: await cpu(count) };
}

async function publishAtOnce(
  place: Place,
  contestant: Contestant,
  child: Child,
  count: number,
): Promise<Throughput> {
  place.receiver.forget();
  const cpu = await cpuMeter(child.pid, place.pids.postgres);
  const startedMs = nowMs();
  let published = 0;
  const publisher = async () => {
    while (published < count) {
      published += 1;
      await contestant.publish();
    }
  };
  await Promise.all(Array.from({ length: PUBLISHERS }, publisher));
  const { lastMs } = await untilArrived(place, count);
  return { perSecond: count / ((lastMs - startedMs) / 1_000), cpu: await cpu(count) };
}

/** The plain loop's requests per second. */
export async function measurePlainLoop(place: Place, body: string, count: number): Promise<number> {
  const child = await place.start('plain-loop.ts', { BENCH_BODY: body, BENCH_COUNT: `${count}` });
  const stopped = child.next('stopped');
  child.order({ kind: 'start' });
  const { sent = 0, seconds = 1 } = await stopped;
  child.kill();
  return sent / seconds;
}

/** The median of each figure. */
export function medianOf(rounds: readonly Figures[]): Figures {
  const middle = (pick: (figures: Figures) => number) => median(rounds.map(pick));
  const throughput = (pick: (figures: Figures) => Throughput): Throughput => ({
    perSecond: middle((figures) => pick(figures).perSecond),
    cpu: {
      senderMs: middle((figures) => pick(figures).cpu.senderMs),
      postgresMs: middle((figures) => pick(figures).cpu.postgresMs),
      publisherMs: middle((figures) => pick(figures).cpu.publisherMs),
    },
  });
  return {
    drained: throughput(({ drained }) => drained),
    atOnce: throughput(({ atOnce }) => atOnce),
    p50Ms: middle(({ p50Ms }) => p50Ms),
    p99Ms: middle(({ p99Ms }) => p99Ms),
  };
}
