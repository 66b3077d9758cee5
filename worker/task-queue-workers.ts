/** The Temporal workers: one per task queue, so that neither slow webhook receivers nor the sandbox delay a payment. */
import type { VersioningBehavior, WorkerDeploymentVersion } from '@temporalio/common';
import { type NativeConnection, type Worker as TemporalWorker, Worker } from '@temporalio/worker';
import type { Activities } from '../activities/index.ts';
import { ENVIRONMENTS, type Environment } from '../domain/core/environment.ts';
import { isTracing } from '../platform/observability/spans.ts';
import { workerIdentity } from '../platform/temporal/old-workers.ts';
import { QUEUE_KINDS, type QueueKind, taskQueue } from '../workflows/core/task-queues.ts';
import { tracedActivities } from './traced-activities.ts';

/** A drain holds its slot while its receiver hangs, so there must be more slots than hanging endpoints. */
const WEBHOOK_ACTIVITY_SLOTS = 1_000;

/**
 * Sandbox concurrency in one process, whose CPU both environments share: a moved clock runs renewals as fast as it
 * can, about forty a second. The eight sticky pollers reserve a slot each. First tasks share the other eight, of
 * which four may be waiting for a rail (activities/payment/attempt.ts).
 */
const SANDBOX_SLOTS = {
  maxConcurrentWorkflowTaskExecutions: 16,
  maxConcurrentLocalActivityExecutions: 16,
  maxConcurrentActivityTaskExecutions: 16,
};

/**
 * Renewals are not urgent, and a burst of them takes all the available CPU time: on two cores, with 16 slots and 8
 * pollers, a buyer's click took five times as long alongside them. With these values it takes twice as long, at the
 * cost of a fifth of the renewals per second (docs/performance.md#renewals). Three sticky pollers reserve a slot each;
 * of the other five, four may be waiting for a rail.
 */
const BILLING_SLOTS = {
  maxConcurrentWorkflowTaskExecutions: 8,
  maxConcurrentWorkflowTaskPolls: 4,
};

/**
 * How long a workflow task waits for the worker that has the run in its cache (sticky queue) before any worker may
 * take it. If that worker has died, the buyer waits this long; the default is 10 s. A live worker takes a task
 * within milliseconds. A worker that needs longer is overloaded: another one is faster, although it must replay the
 * history (about 30 events, a few ms).
 */
const LIVE_WORKER_TAKES_A_TASK_WITHIN = '2 s';

/**
 * After this time, running calls are cancelled: a delivery is repeated, the outcome of a charge is looked up.
 */
const CALLS_END_WITHIN = '10 s';

/**
 * After this time, the worker fails. SIGKILL follows SIGTERM after 15 s in development and after 30 s in production.
 */
const STOPS_WITHIN = '13 s';

/**
 * How a run behaves at a deploy if builds are versioned. A session ends within days, on the build that began it. A
 * subscription lasts years and a refund may wait for an operator: they follow the current build (`patched`).
 */
const AT_A_DEPLOY: Readonly<Record<QueueKind, VersioningBehavior>> = {
  checkout: 'PINNED',
  billing: 'AUTO_UPGRADE',
  webhooks: 'AUTO_UPGRADE',
};

export interface WorkersOptions {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly bundle: { readonly code: string } | { readonly codePath: string };
  /** The queues to serve; all by default. */
  readonly queues?: readonly QueueKind[];
  /** If absent, the workers are not versioned and take every task. */
  readonly version?: WorkerDeploymentVersion;
  /** Each environment has its own database pool (rule 37). */
  readonly activities: Readonly<Record<Environment, Activities>>;
  /**
   * For tests: runs workflow code in the calling thread, without deadlock detection. The separate thread per
   * queue would take 0.4 s of CPU time to start.
   */
  readonly inThisThread?: boolean;
}

export function createWorkers(options: WorkersOptions): Promise<TemporalWorker[]> {
  const {
    connection,
    namespace,
    bundle,
    activities,
    queues = QUEUE_KINDS,
    version,
    inThisThread = false,
  } = options;
  const identity = workerIdentity();
  const create = (kind: QueueKind, environment: Environment) =>
    Worker.create({
      connection,
      namespace,
      identity,
      taskQueue: taskQueue(kind, environment),
      workflowBundle: bundle,
      // Omitted unless requested: `false` would override TEMPORAL_DEBUG.
      ...(inThisThread && { debugMode: true }),
      activities: activities[environment],
      ...(version && {
        workerDeploymentOptions: {
          version,
          useWorkerVersioning: true,
          defaultVersioningBehavior: AT_A_DEPLOY[kind],
        },
      }),
      ...(isTracing() && { interceptors: { activity: [tracedActivities] } }),
      ...(environment === 'sandbox' && SANDBOX_SLOTS),
      ...(kind === 'billing' && BILLING_SLOTS),
      ...(kind === 'webhooks' && { maxConcurrentActivityTaskExecutions: WEBHOOK_ACTIVITY_SLOTS }),
      stickyQueueScheduleToStartTimeout: LIVE_WORKER_TAKES_A_TASK_WITHIN,
      shutdownGraceTime: CALLS_END_WITHIN,
      shutdownForceTime: STOPS_WITHIN,
    });
  return Promise.all(ENVIRONMENTS.flatMap((environment) => queues.map((kind) => create(kind, environment))));
}
