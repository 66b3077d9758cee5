/** Publishes at a steady rate and measures the delay from commit to arrival. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Contestant } from './contestants.ts';
import { type Arrival, nowMs } from './messages.ts';
import type { Place } from './place.ts';

export interface SteadyRate {
  readonly ratePerSecond: number;
  readonly steadySeconds: number;
}

/** Publishes round-robin at the steady rate. Returns each event's commit time. */
export async function publishSteadily(
  { ratePerSecond, steadySeconds }: SteadyRate,
  contestants: readonly Contestant[],
): Promise<ReadonlyMap<string, number>> {
  const committed = new Map<string, number>();
  const pending: Promise<void>[] = [];
  const startedAt = performance.now();
  for (let i = 0; i < ratePerSecond * steadySeconds; i += 1) {
    await pause(Math.max(0, startedAt + (i * 1_000) / ratePerSecond - performance.now()));
    const contestant = contestants[i % contestants.length];
    if (contestant)
      pending.push(contestant.publish().then((eventId) => void committed.set(eventId, nowMs())));
  }
  await Promise.all(pending);
  return committed;
}

export interface Arrived {
  readonly arrivals: readonly Arrival[];
  readonly firstMs: number;
  readonly lastMs: number;
}

/** @param of the events to wait for; by default all */
export async function untilArrived(
  { receiver }: Place,
  count: number,
  of?: ReadonlyMap<string, number>,
): Promise<Arrived> {
  for (;;) {
    const arrivals = await receiver.arrivals();
    const ids = new Set(arrivals.map(({ eventId }) => eventId).filter((id) => !of || of.has(id)));
    if (ids.size >= count) {
      const lastMs = arrivals.reduce((last, { atMs }) => Math.max(last, atMs), 0);
      return { arrivals, firstMs: arrivals[0]?.atMs ?? Number.NaN, lastMs };
    }
    await pause(100);
  }
}

/** Milliseconds from commit to first arrival, ascending. */
export function delays(arrivals: readonly Arrival[], committed: ReadonlyMap<string, number>): number[] {
  const received = new Map<string, number>();
  for (const { eventId, atMs } of arrivals) if (!received.has(eventId)) received.set(eventId, atMs);
  const all = [...committed].map(([eventId, committedAt]) =>
    Math.max(0, (received.get(eventId) ?? Number.NaN) - committedAt),
  );
  return all.sort((a, b) => a - b);
}
