/** Formats the figures, as text and as JSON. */
import { loadavg } from 'node:os';
import type { Machine } from '../core/figures.ts';
import type { CpuPerDelivery } from './cpu.ts';
import type { Figures, Sizes } from './measure.ts';
import type { NeighbourFigures } from './neighbours.ts';

export interface Measured {
  readonly plainLoopPerSecond: number;
  readonly graphileWorker: Figures;
  readonly deliverEvents: Figures;
  readonly neighbours: NeighbourFigures;
}

/** The document of `--json`. */
export function asData(before: Machine, sizes: Sizes, measured: Measured) {
  return { machine: before, loadAverageAfter: loadavg(), sizes, ...measured, ratios: ratiosOf(measured) };
}

export function inWords(name: string, figures: Figures, { ratePerSecond }: Sizes): string {
  const { drained, atOnce, p50Ms, p99Ms } = figures;
  return [
    `${name}: drained ${round(drained.perSecond)}/s, published and delivered at once ${round(atOnce.perSecond)}/s`,
    `  commit to receipt at ${ratePerSecond}/s: p50 ${round(p50Ms)} ms, p99 ${round(p99Ms)} ms`,
    `  CPU per delivery, drained: ${costs(drained.cpu)}; at once: ${costs(atOnce.cpu)}`,
  ].join('\n');
}

export function summary(measured: Measured, { ratePerSecond }: Sizes): string {
  const { graphileWorker, deliverEvents, neighbours } = measured;
  const ratios = ratiosOf(measured);
  return [
    '',
    `deliverEvents / graphile-worker, drained: ${ratios.drained} (aim: 1)`,
    `deliverEvents / graphile-worker, at once: ${ratios.atOnce} (aim: 1)`,
    `deliverEvents / plain loop, drained: ${ratios.drainedToPlainLoop}`,
    `p99 from commit to receipt at ${ratePerSecond}/s: ${round(deliverEvents.p99Ms)} ms against ` +
      `${round(graphileWorker.p99Ms)} ms of graphile-worker (aim: below 150 ms)`,
    `p99 of ten endpoints: ${round(neighbours.aloneP99Ms)} ms alone, ${round(neighbours.amongP99Ms)} ms beside five ` +
      `dead and five hanging ones with the same load: ratio ${ratios.neighbours} (aim: at most 1.2)`,
  ].join('\n');
}

function ratiosOf({ plainLoopPerSecond, graphileWorker, deliverEvents, neighbours }: Measured) {
  const ratio = (a: number, b: number) => Math.round((a / b) * 100) / 100;
  return {
    drained: ratio(deliverEvents.drained.perSecond, graphileWorker.drained.perSecond),
    atOnce: ratio(deliverEvents.atOnce.perSecond, graphileWorker.atOnce.perSecond),
    drainedToPlainLoop: ratio(deliverEvents.drained.perSecond, plainLoopPerSecond),
    neighbours: ratio(neighbours.amongP99Ms, neighbours.aloneP99Ms),
  };
}

function costs({ senderMs, postgresMs, publisherMs }: CpuPerDelivery): string {
  const ms = (value: number) => `${value.toFixed(2)} ms`;
  return `sender ${ms(senderMs)}, PostgreSQL ${ms(postgresMs)}, publisher ${ms(publisherMs)}`;
}

function round(value: number): number {
  return Math.round(value);
}
