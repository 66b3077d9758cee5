/**
 * Workers that were started before an instant at which Temporal was restored: they cache newer histories than Temporal
 * has. Temporal identifies workers by the identity with which they poll.
 */
import { hostname } from 'node:os';
import type { Client } from '@temporalio/client';
import { describeQueue, QUEUES } from './queue-states.ts';

const WORKFLOW_TASKS = 1;

export function workerIdentity(): string {
  return `${process.pid}@${hostname()} since ${new Date().toISOString()}`;
}

export interface Polling {
  /** Identities of workers started before the instant. */
  readonly old: readonly string[];
  /** Queues without a worker started since. */
  readonly unserved: readonly string[];
}

/** Temporal lists a stopped worker for another five minutes. */
export async function workersSince(client: Client, instant: string): Promise<Polling> {
  const polling = await Promise.all(
    QUEUES.map(async ({ queue }) => {
      const { pollers } = await describeQueue(client, queue, WORKFLOW_TASKS);
      return pollers.map(({ identity }) => identity ?? '');
    }),
  );
  const isOld = (identity: string) => !((identity.split(' since ')[1] ?? '') >= instant);
  return {
    old: [...new Set(polling.flat().filter(isOld))],
    unserved: QUEUES.filter((_queue, at) => polling[at]?.every(isOld)).map(({ queue }) => queue),
  };
}
