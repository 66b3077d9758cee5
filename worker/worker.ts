/** The Temporal workers: one per task queue, so that slow webhook receivers never delay a payment. */
import { type NativeConnection, type Worker as TemporalWorker, Worker } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import { TASK_QUEUES } from '../workflows/core/messages.ts';

/** A drain holds its slot while its receiver hangs, so there must be more slots than hanging endpoints. */
const WEBHOOK_ACTIVITY_SLOTS = 1_000;

/**
 * How long a workflow task waits for the worker that has the run in its cache (sticky queue) before any
 * worker may take it. After that worker's death the buyer waits this long; the default is 10 s. A live worker
 * takes a task within milliseconds. If one needs longer it is overloaded, and another worker is faster
 * although it replays the history (some 30 events, a few ms).
 */
const LIVE_WORKER_TAKES_A_TASK_WITHIN = '2 s';

export interface WorkersOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly bundle: { readonly code: string } | { readonly codePath: string };
  readonly activities: Activities;
  /**
   * For tests: runs workflow code in the calling thread, without detecting deadlocks. Starting the thread that each
   * queue has otherwise takes 0.4 s of processor time.
   */
  readonly inThisThread?: boolean;
}

export function createWorkers(options: WorkersOptions): Promise<TemporalWorker[]> {
  const { connection, namespace, bundle, activities, inThisThread = false } = options;
  const create = (taskQueue: string) =>
    Worker.create({
      connection,
      namespace,
      taskQueue,
      workflowBundle: bundle,
      debugMode: inThisThread,
      activities,
      ...(taskQueue === TASK_QUEUES.webhooks && {
        maxConcurrentActivityTaskExecutions: WEBHOOK_ACTIVITY_SLOTS,
      }),
      stickyQueueScheduleToStartTimeout: LIVE_WORKER_TAKES_A_TASK_WITHIN,
      shutdownGraceTime: '3 s',
      shutdownForceTime: '4 s',
    });
  return Promise.all(Object.values(TASK_QUEUES).map(create));
}
