/** Several API and worker processes of one stack. */
import { freePort, type Ports } from './core/ports.ts';

export interface Replica {
  /** Of the API, or of the worker's health. */
  readonly port: number;
  readonly metricsPort: number;
}

export interface Replicas {
  readonly apis: readonly Replica[];
  readonly workers: readonly Replica[];
}

export interface HowMany {
  readonly apis: number;
  readonly workers: number;
}

/** A single process has the port that its clients know; of several APIs, the front has it. */
export async function chooseReplicas(ports: Ports, { apis, workers }: HowMany): Promise<Replicas> {
  return {
    apis:
      apis === 1
        ? [{ port: ports.api, metricsPort: ports.apiMetrics }]
        : await replicas(apis, { metricsPort: ports.apiMetrics }),
    workers: await replicas(workers, { port: ports.worker, metricsPort: ports.workerMetrics }),
  };
}

function replicas(count: number, first: Partial<Replica>): Promise<Replica[]> {
  return Promise.all(
    Array.from({ length: count }, async (_, index) => ({
      port: await freePort(),
      metricsPort: await freePort(),
      ...(index === 0 && first),
    })),
  );
}
