/** The figures as a table. */
import type { Figures } from './load.ts';
import type { Statements } from './statements.ts';

export interface Comparison {
  readonly atOnce: number;
  readonly floor: Figures;
  readonly ours: Figures;
  readonly statements: Statements | null;
  readonly peakMemoryMiB: Readonly<Record<string, number>>;
}

/** Not the service's: the program that sends the requests. */
const NOT_COUNTED = ['driver'];
/** Below this, a part had nothing to do. */
const IDLE_MS = 0.05;

export function tableOf(comparison: Comparison, names: readonly [string, string]): string {
  const { floor, ours, atOnce, statements, peakMemoryMiB } = comparison;
  const lines: [string, string, string][] = [[`${atOnce} at once`, ...names]];
  const add = (label: string, pick: (figures: Figures) => string) =>
    lines.push([label, pick(floor), pick(ours)]);
  add('per second', ({ perSecond }) => perSecond.toFixed(1));
  for (const wait of Object.keys(ours.delays)) {
    add(`${wait}, p50 / p95 / p99 ms`, ({ delays }) => {
      const { p50Ms, p95Ms, p99Ms } = delays[wait] ?? {};
      return p50Ms === undefined ? '' : [p50Ms, p95Ms, p99Ms].map((ms) => ms?.toFixed(0)).join(' / ');
    });
  }
  add('CPU ms', (figures) => totalCpuMs(figures).toFixed(1));
  for (const part of Object.keys(ours.cost.cpuMs)) {
    if ([floor, ours].every(({ cost }) => (cost.cpuMs[part] ?? 0) < IDLE_MS)) continue;
    add(`  ${part}${NOT_COUNTED.includes(part) ? ' (not counted)' : ''}`, ({ cost }) =>
      (cost.cpuMs[part] ?? 0).toFixed(1),
    );
  }
  add("rows written in Temporal's database", ({ cost }) => cost.rows.temporal?.toFixed(1) ?? 'not measured');
  add("rows written in the service's database", ({ cost }) => cost.rows.service.toFixed(1));
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  const table = lines.map((line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '));
  return [
    '',
    ...table,
    `ratio of throughput: ${(ours.perSecond / floor.perSecond).toFixed(2)}`,
    `peak memory, MiB: ${Object.entries(peakMemoryMiB)
      .map(([name, size]) => `${name} ${size.toFixed(0)}`)
      .join(', ')}`,
    ...(statements
      ? [
          `statements: ${statements.calls.toFixed(1)}, running ${statements.runningMs.toFixed(1)} ms; by count:`,
          ...statements.each
            .filter(({ calls }) => calls >= 0.02)
            .map(
              ({ calls, runningMs, text }) => `  ${calls.toFixed(2)}  ${runningMs.toFixed(3)} ms  ${text}`,
            ),
        ]
      : []),
  ].join('\n');
}

function totalCpuMs({ cost }: Figures): number {
  return Object.entries(cost.cpuMs).reduce(
    (sum, [part, ms]) => sum + (NOT_COUNTED.includes(part) ? 0 : ms),
    0,
  );
}
