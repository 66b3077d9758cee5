/** Statistics, and the report's description of the machine. */
import { cpus, loadavg, type } from 'node:os';

/** Exact for odd counts only. */
export function median(figures: readonly number[]): number {
  return quantile(
    [...figures].sort((a, b) => a - b),
    0.5,
  );
}

export function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export type Machine = ReturnType<typeof describeMachine>;

/** Prints and returns the machine and its load, which every figure depends on. */
export function announceMachine(tell: (line: string) => void = console.error): Machine {
  const machine = describeMachine();
  tell(`${machine.cpus} x ${machine.cpu}, ${machine.node}, load average ${machine.loadAverage.join(' ')}`);
  return machine;
}

function describeMachine() {
  const [cpu] = cpus();
  return {
    system: type(),
    cpus: cpus().length,
    cpu: cpu?.model ?? '?',
    node: process.version,
    loadAverage: loadavg().map((load) => Math.round(load * 100) / 100),
  };
}
