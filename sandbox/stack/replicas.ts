/** Several API and worker processes of one stack. */
import { freeLowPorts, type Ports } from './core/ports.ts';

export interface Replica {
  /** Port of the API, or of the worker's health. */
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

/** A single process has the port that its clients know; with several APIs, the load balancer has it. */
export async function chooseReplicas(ports: Ports, { apis, workers }: HowMany): Promise<Replicas> {
  return {
    apis:
      apis === 1
        ? [{ port: ports.api, metricsPort: ports.apiMetrics }]
        : await replicas(apis, { metricsPort: ports.apiMetrics }),
    workers: await replicas(workers, { port: ports.worker, metricsPort: ports.workerMetrics }),
  };
}

async function replicas(count: number, first: Partial<Replica>): Promise<Replica[]> {
  const ports = await freeLowPorts(2 * count);
  return Array.from({ length: count }, (_, index) => ({
    port: ports[2 * index] ?? 0,
    metricsPort: ports[2 * index + 1] ?? 0,
    ...(index === 0 && first),
  }));
}
