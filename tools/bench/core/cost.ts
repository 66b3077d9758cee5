/** The cost of operations: CPU time per part, rows written per database. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { BENCH_DATABASE } from './bench-database.ts';
import { median } from './figures.ts';
import type { Place } from './place.ts';
import { cpuSeconds } from './process-tree.ts';

/** PostgreSQL's sessions report their statistics within ten seconds of their last statement. */
const STATISTICS_ARRIVE_MS = 10_500;

/** The cost of one operation. */
export interface Cost {
  readonly cpuMs: Readonly<Record<string, number>>;
  /** Rows inserted, updated and deleted, by database; null on the development server. */
  readonly rows: { readonly service: number; readonly temporal: number | null };
}

export interface Meter {
  /** Cost since the meter was started, per operation. */
  read(operations: number): Promise<Cost>;
}

/** The median of each figure. */
export function medianCost(costs: readonly Cost[]): Cost {
  const middle = (pick: (cost: Cost) => number) => median(costs.map(pick));
  const parts = Object.keys(costs[0]?.cpuMs ?? {});
  const isCounted = costs.every(({ rows }) => rows.temporal !== null);
  return {
    cpuMs: Object.fromEntries(parts.map((part) => [part, middle(({ cpuMs }) => cpuMs[part] ?? 0)])),
    rows: {
      service: middle(({ rows }) => rows.service),
      temporal: isCounted ? middle(({ rows }) => rows.temporal ?? 0) : null,
    },
  };
}

/** Waits until rows that were just written appear in the statistics. */
export function rowsAreCounted(): Promise<void> {
  return pause(STATISTICS_ARRIVE_MS);
}

/** @param alsoPids process ids to measure besides the stack's */
export async function startMeter(place: Place, alsoPids: Readonly<Record<string, number>>): Promise<Meter> {
  const pids = { ...place.pids, ...alsoPids };
  const rowsBefore = await rowsWritten(place);
  const before = await used(pids);
  return {
    async read(operations) {
      const after = await used(pids);
      const cpuMs = Object.entries(after).map(
        ([name, seconds]) => [name, ((seconds - (before[name] ?? 0)) * 1_000) / operations] as const,
      );
      await rowsAreCounted();
      const rows = await rowsWritten(place);
      return {
        cpuMs: Object.fromEntries(cpuMs),
        rows: {
          service: (rows.service - rowsBefore.service) / operations,
          temporal:
            rows.temporal === null || rowsBefore.temporal === null
              ? null
              : (rows.temporal - rowsBefore.temporal) / operations,
        },
      };
    },
  };
}

/** Sums the processes of each part: `worker-2` counts as the worker. */
function byPart(all: Readonly<Record<string, number>>): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const [name, figure] of Object.entries(all)) {
    const part = name.replace(/-\d+$/, '');
    sums[part] = (sums[part] ?? 0) + figure;
  }
  return sums;
}

/** The driver's own time excludes its child processes: those are the parts. */
async function used(pids: Readonly<Record<string, number>>): Promise<Record<string, number>> {
  const { user, system } = process.cpuUsage();
  return { ...byPart(await cpuSeconds(pids)), driver: (user + system) / 1e6 };
}

async function rowsWritten({ databases }: Place) {
  const { service, temporal } = databases;
  return {
    service: await rowsIn(service, ['checkout', BENCH_DATABASE]),
    temporal: temporal === null ? null : await rowsIn(temporal, ['temporal', 'temporal_visibility']),
  };
}

async function rowsIn(url: string, names: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query(
      `select sum(tup_inserted + tup_updated + tup_deleted)::float8 as written
       from pg_stat_database where datname = any($1)`,
      [names],
    );
    return rows[0].written;
  } finally {
    await client.end();
  }
}
