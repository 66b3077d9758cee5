/** A closed loop: a fixed number of callers, each of which begins its next operation when its last has ended. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Cost } from './cost.ts';
import { quantile } from './figures.ts';

export interface Quantiles {
  readonly p50Ms: number;
  readonly p95Ms: number;
  readonly p99Ms: number;
}

/** Delays of one operation, by phase. */
export type Delays = Readonly<Record<string, number>>;

export interface Contestant {
  readonly name: string;
  /** Runs before a round, outside its time and cost. */
  prepare?(operations: number): Promise<void>;
  /** One operation. */
  act(): Promise<Delays>;
  /**
   * Runs after a round and counts in its cost: waits for work that the operations left running, and may add delays.
   */
  finish?(ran: Ran): Promise<Ran>;
}

export interface Ran {
  readonly perSecond: number;
  readonly delays: Readonly<Record<string, Quantiles>>;
}

export interface Figures extends Ran {
  readonly cost: Cost;
}

export async function run(contestant: Contestant, operations: number, atOnce: number): Promise<Ran> {
  const startedAt = performance.now();
  const measured = await inParallel(operations, contestant.act, atOnce);
  const seconds = (performance.now() - startedAt) / 1_000;
  const names = Object.keys(measured[0] ?? {});
  const delays = names.map((name) => [name, quantilesOf(measured.map((each) => each[name] ?? 0))] as const);
  const ran = { perSecond: operations / seconds, delays: Object.fromEntries(delays) };
  return contestant.finish ? contestant.finish(ran) : ran;
}

/** Calls `act` `times` times, with up to `atOnce` calls at a time. */
export async function inParallel<T>(times: number, act: () => Promise<T>, atOnce = 16): Promise<T[]> {
  const results: T[] = [];
  let begun = 0;
  const one = async () => {
    while (begun < times) {
      begun += 1;
      results.push(await act());
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return results;
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

/** @throws Error after a minute, because a lost message would otherwise hang the benchmark */
export function withinAMinute<T>(what: string, work: Promise<T>): Promise<T> {
  const timeout = new AbortController();
  const late = pause(60_000, undefined, { signal: timeout.signal }).then(() => {
    throw new Error(`${what} took more than a minute`);
  });
  late.catch(() => {});
  return Promise.race([work, late]).finally(() => timeout.abort());
}
