/** The Temporal workers: one per task queue, so that slow webhook receivers never delay a payment. */
import { type NativeConnection, type Worker as TemporalWorker, Worker } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import { TASK_QUEUES } from '../workflows/core/messages.ts';

/** A drain holds its slot while its receiver hangs, so there must be more slots than hanging endpoints. */
const WEBHOOK_ACTIVITY_SLOTS = 1_000;

export interface WorkersOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly bundle: { readonly code: string } | { readonly codePath: string };
  readonly activities: Activities;
}

export function createWorkers(options: WorkersOptions): Promise<TemporalWorker[]> {
  const { connection, namespace, bundle, activities } = options;
  const create = (taskQueue: string) =>
    Worker.create({
      connection,
      namespace,
      taskQueue,
      workflowBundle: bundle,
      activities,
      ...(taskQueue === TASK_QUEUES.webhooks && {
        maxConcurrentActivityTaskExecutions: WEBHOOK_ACTIVITY_SLOTS,
      }),
      shutdownGraceTime: '3 s',
      shutdownForceTime: '4 s',
    });
  return Promise.all(Object.values(TASK_QUEUES).map(create));
}
