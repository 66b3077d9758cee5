/** Several API and worker processes of one stack. */
import { freePort, type Ports } from './core/ports.ts';

export interface Copy {
  /** Of the API, or of the worker's health. */
  readonly port: number;
  readonly metricsPort: number;
}

export interface Copies {
  readonly apis: readonly Copy[];
  readonly workers: readonly Copy[];
}

export interface HowMany {
  readonly apis: number;
  readonly workers: number;
}

/** A single process has the port that its clients know; of several APIs, the front has it. */
export async function chooseCopies(ports: Ports, { apis, workers }: HowMany): Promise<Copies> {
  return {
    apis:
      apis === 1
        ? [{ port: ports.api, metricsPort: ports.apiMetrics }]
        : await copies(apis, { metricsPort: ports.apiMetrics }),
    workers: await copies(workers, { port: ports.worker, metricsPort: ports.workerMetrics }),
  };
}

function copies(count: number, first: Partial<Copy>): Promise<Copy[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      port: await freePort(),
      metricsPort: await freePort(),
      ...(index === 0 && first),
    })),
  );
}
