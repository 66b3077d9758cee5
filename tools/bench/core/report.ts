/** The figures as a table. */
import type { Cost } from './cost.ts';
import type { Figures } from './load.ts';
import type { Statements } from './statements.ts';

export interface Comparison {
  readonly atOnce: number;
  /** Floors and rivals; this service is the last. */
  readonly contestants: readonly { readonly name: string; readonly figures: Figures }[];
  readonly statements: Statements | null;
  readonly peakMemoryMiB: Readonly<Record<string, number>>;
}

/** The program that sends the requests, which is not part of the service. */
const NOT_COUNTED = ['driver'];
/** CPU time below this counts as idle. */
const IDLE_MS = 0.05;
/** Fewer statements or rows per operation come from background work and are not listed. */
const LISTED = 0.02;

export function tableOf({ contestants, atOnce, statements, peakMemoryMiB }: Comparison): string {
  const all = contestants.map(({ figures }) => figures);
  const lines: string[][] = [[`${atOnce} at once`, ...contestants.map(({ name }) => name)]];
  const add = (label: string, pick: (figures: Figures) => string) => lines.push([label, ...all.map(pick)]);
  add('per second', ({ perSecond }) => perSecond.toFixed(1));
  for (const wait of waitsOf(contestants)) {
    add(`${wait}, p50 / p95 / p99 ms`, ({ delays }) => {
      const { p50Ms, p95Ms, p99Ms } = delays[wait] ?? {};
      return p50Ms === undefined ? '' : [p50Ms, p95Ms, p99Ms].map((ms) => ms?.toFixed(0)).join(' / ');
    });
  }
  add('CPU ms', (figures) => totalCpuMs(figures).toFixed(1));
  for (const part of union(all, ({ cost }) => cost.cpuMs)) {
    if (all.every(({ cost }) => (cost.cpuMs[part] ?? 0) < IDLE_MS)) continue;
    add(`  ${part}${NOT_COUNTED.includes(part) ? ' (not counted)' : ''}`, ({ cost }) =>
      (cost.cpuMs[part] ?? 0).toFixed(1),
    );
  }
  add("rows written in Temporal's database", ({ cost }) => cost.rows.temporal?.toFixed(1) ?? 'not measured');
  add("rows written in the service's PostgreSQL", ({ cost }) => cost.rows.service.toFixed(1));
  const widths = contestants.map((_, column) => widthOf(lines, column + 1));
  const [first, ...rest] = [widthOf(lines, 0), ...widths];
  const table = lines.map(([label = '', ...cells]) =>
    [label.padEnd(first ?? 0), ...cells.map((cell, column) => cell.padEnd(rest[column] ?? 0))].join('  '),
  );
  return ['', ...table, ...ratiosOf(contestants), memory(peakMemoryMiB), ...statementsOf(statements)].join(
    '\n',
  );
}

/** Ratios of our figures to each other contestant's, where both have the figure. */
function ratiosOf(contestants: Comparison['contestants']): string[] {
  const ours = contestants.at(-1);
  if (!ours) return [];
  return contestants.slice(0, -1).flatMap(({ name, figures }) => [
    `throughput: ${(ours.figures.perSecond / figures.perSecond).toFixed(2)} of ${name}`,
    ...Object.entries(figures.delays).flatMap(([wait, { p50Ms }]) => {
      const oursMs = ours.figures.delays[wait]?.p50Ms;
      return oursMs === undefined ? [] : [`${wait}, p50: ${(oursMs / p50Ms).toFixed(2)} times ${name}`];
    }),
  ]);
}

function memory(peakMemoryMiB: Comparison['peakMemoryMiB']): string {
  const peaks = Object.entries(peakMemoryMiB).map(([name, size]) => `${name} ${size.toFixed(0)}`);
  return `peak memory, MiB: ${peaks.join(', ')}`;
}

export function statementsOf(statements: Statements | null): string[] {
  if (!statements) return [];
  const { calls, runningMs, each, tables } = statements;
  return [
    `statements: ${calls.toFixed(1)}, running ${runningMs.toFixed(1)} ms; by count:`,
    ...each
      .filter(({ calls }) => calls >= LISTED)
      .map(({ calls, runningMs, text }) => `  ${calls.toFixed(2)}  ${runningMs.toFixed(3)} ms  ${text}`),
    "rows in the service's database, by table: inserted, updated, deleted:",
    ...tables
      .filter(({ inserted, updated, deleted }) => inserted + updated + deleted >= LISTED)
      .map((rows) =>
        [rows.inserted, rows.updated, rows.deleted]
          .map((count) => count.toFixed(2))
          .join(' ')
          .concat(`  ${rows.table}`),
      ),
  ];
}

/** The phases that any contestant waited for. */
export function waitsOf(contestants: Comparison['contestants']): string[] {
  const all = contestants.map(({ figures }) => figures);
  return [...union(all, ({ delays }) => delays)];
}

function union(all: readonly Figures[], pick: (figures: Figures) => object): Set<string> {
  return new Set(all.flatMap((figures) => Object.keys(pick(figures))));
}

function widthOf(lines: readonly string[][], column: number): number {
  return Math.max(...lines.map((line) => line[column]?.length ?? 0));
}

export function totalCpuMs({ cost }: Pick<Figures, 'cost'>): number {
  return Object.entries(cost.cpuMs).reduce(
    (sum, [part, ms]) => sum + (NOT_COUNTED.includes(part) ? 0 : ms),
    0,
  );
}

/** The CPU time of an operation, in total and by part. */
export function cpuLine(cost: Cost): string {
  const parts = Object.entries(cost.cpuMs).filter(
    ([part, ms]) => !NOT_COUNTED.includes(part) && ms >= IDLE_MS,
  );
  const each = parts.map(([part, ms]) => `${part} ${ms.toFixed(1)}`).join(', ');
  return `${totalCpuMs({ cost }).toFixed(1)} (${each})`;
}
