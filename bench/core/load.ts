/** A closed loop: each of so many at once begins its next operation when its last has ended. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Cost } from './cost.ts';
import { quantile } from './figures.ts';

export interface Quantiles {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** Delays of one operation, by what was waited for. */
export type Delays = Readonly<Record<string, number>>;

export interface Contestant {
  readonly name: string;
  /** One operation. */
  act(): Promise<Delays>;
}

export interface Ran {
  readonly perSecond: number;
  readonly delays: Readonly<Record<string, Quantiles>>;
}

export interface Figures extends Ran {
  readonly cost: Cost;
}

export async function run(contestant: Contestant, operations: number, atOnce: number): Promise<Ran> {
  const measured: Delays[] = [];
  let begun = 0;
  const one = async () => {
    while (begun < operations) {
      begun += 1;
      measured.push(await contestant.act());
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: atOnce }, one));
  const seconds = (performance.now() - startedAt) / 1_000;
  const names = Object.keys(measured[0] ?? {});
  const delays = names.map((name) => [name, quantilesOf(measured.map((each) => each[name] ?? 0))] as const);
  return { perSecond: operations / seconds, delays: Object.fromEntries(delays) };
}

function quantilesOf(figures: readonly number[]): Quantiles {
  const sorted = [...figures].sort((a, b) => a - b);
  const at = (share: number) => quantile(sorted, share);
  return { p50Ms: at(0.5), p95Ms: at(0.95), p99Ms: at(0.99) };
}

/** Measures how long each of several waits takes from the same start. */
export function stopwatch() {
  const startedAt = performance.now();
  return () => performance.now() - startedAt;
}

/** @throws Error after a minute: a lost message would otherwise hold the benchmark for ever */
export function withinAMinute<T>(what: string, work: Promise<T>): Promise<T> {
  const patience = new AbortController();
  const late = pause(60_000, undefined, { signal: patience.signal }).then(() => {
    throw new Error(`${what} took more than a minute`);
  });
  late.catch(() => {});
  return Promise.race([work, late]).finally(() => patience.abort());
}
