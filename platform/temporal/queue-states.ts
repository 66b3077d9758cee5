/** The task queues according to Temporal: when workers last polled each, and how long its tasks wait. */
import type { Client } from '@temporalio/client';
import { ENVIRONMENTS, type Environment } from '../../domain/core/environment.ts';
import { QUEUE_KINDS, taskQueue } from '../../workflows/core/task-queues.ts';
import { ANSWERS_WITHIN_MS } from './client.ts';

/** By temporal.api.enums.v1.TaskQueueType: a queue needs pollers for both. */
const TASKS = [
  { type: 1, tasks: 'workflow' },
  { type: 2, tasks: 'activity' },
] as const;
type TaskType = (typeof TASKS)[number]['type'];

export const QUEUES = ENVIRONMENTS.flatMap((environment) =>
  QUEUE_KINDS.map((kind) => ({ environment, queue: taskQueue(kind, environment) })),
);

/** Long polls last 60 s; 15 s allow for clock skew and load. */
export const POLLED_WITHIN_MS = 75_000;

/**
 * If tasks wait longer, there are too few workers, or the workers hang. Hanging workers count as polling for a minute,
 * and operators must be paged earlier.
 */
const WAITING_AFTER_SECONDS = 20;

/**
 * While tasks wait, each poll gets a task immediately and the next poll follows; only on an idle queue does a poll last
 * a minute.
 */
const HANGING_AFTER_SECONDS = 15;

export interface QueueState {
  readonly queue: string;
  readonly environment: Environment;
  readonly tasks: 'workflow' | 'activity';
  /** `pid@host` of workers that polled within `POLLED_WITHIN_MS`; Temporal lists stopped ones for five minutes. */
  readonly workers: readonly string[];
  /** By Temporal's clock; null if there was none in the last five minutes: Temporal does not remember earlier polls. */
  readonly last_poll_at: string | null;
  readonly waiting: number;
  /** Age of the oldest task that no worker has taken; 0 without one. */
  readonly oldest_seconds: number;
}

/**
 * Returns the state of each queue and type of task. With versioned builds, only workers of the current build count,
 * because the others get no new workflows.
 * @throws if Temporal does not answer in time
 */
export function readQueues(client: Client, timeoutMs: number): Promise<readonly QueueState[]> {
  return client.withDeadline(Date.now() + timeoutMs, () =>
    whenAllEnded(QUEUES.flatMap((each) => TASKS.map((of) => queueState(client, each, of)))),
  );
}

async function queueState(
  client: Client,
  { queue, environment }: (typeof QUEUES)[number],
  { type, tasks }: (typeof TASKS)[number],
): Promise<QueueState> {
  const { pollers, versioningInfo, stats } = await describeQueue(client, queue, type);
  const current = versioningInfo?.currentDeploymentVersion?.buildId;
  const polls = pollers
    .filter(({ deploymentOptions }) => !current || deploymentOptions?.buildId === current)
    .map(({ identity, lastAccessTime }) => ({
      worker: identity ?? '',
      at: Number(lastAccessTime?.seconds ?? 0) * 1_000,
    }));
  const recent = polls.filter(({ at }) => Date.now() - at <= POLLED_WITHIN_MS);
  return {
    queue,
    environment,
    tasks,
    workers: [...new Set(recent.map(({ worker }) => worker))].sort(),
    last_poll_at: polls.length > 0 ? new Date(Math.max(...polls.map(({ at }) => at))).toISOString() : null,
    waiting: Number(stats?.approximateBacklogCount ?? 0),
    oldest_seconds: Number(stats?.approximateBacklogAge?.seconds ?? 0),
  };
}

/** Selects the states that no worker polls for, and those whose tasks wait too long. */
export function unserved(states: readonly QueueState[], now = new Date()) {
  return {
    missing: states.filter(
      ({ last_poll_at: at }) => at === null || now.getTime() - Date.parse(at) > POLLED_WITHIN_MS,
    ),
    late: states.filter(({ oldest_seconds: age }) => age > WAITING_AFTER_SECONDS),
  };
}

export function namesOf(states: readonly QueueState[]): string {
  return [...new Set(states.map(({ queue }) => queue))].join(', ');
}

/**
 * @param late states whose tasks wait. The newest poll of either type of task counts, because workers with busy
 * activities still poll for workflow tasks
 */
export function whyTasksWait(
  states: readonly QueueState[],
  late: readonly QueueState[],
  now = new Date(),
): string {
  const sincePolls = late.map(({ queue }) => {
    const polls = states.filter((each) => each.queue === queue);
    return now.getTime() - Math.max(...polls.map(({ last_poll_at: at }) => Date.parse(at ?? '')));
  });
  const seconds = Math.round(Math.max(...sincePolls) / 1_000);
  return seconds > HANGING_AFTER_SECONDS
    ? `workers hang: last poll ${seconds} s ago`
    : 'workers poll, so Temporal is slow or there are too few workers: to clear the backlog, pause the rail ("pause-rail <rail>:<environment>") until "queues" shows no waiting tasks';
}

/**
 * For each queue, whether no worker polls it, and whether its tasks wait too long.
 * @throws if Temporal does not answer within three seconds
 */
export async function readUnserved(client: Client) {
  const states = await readQueues(client, ANSWERS_WITHIN_MS);
  return QUEUES.map((each) => {
    const { missing, late } = unserved(states.filter(({ queue }) => queue === each.queue));
    return { ...each, missing: missing.length > 0, late: late.length > 0 };
  });
}

/** Waits until all calls have ended: a call that is retried after its connection has closed ends the process. */
async function whenAllEnded<T>(calls: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}

/** The pollers of the last five minutes, and the backlog. */
export function describeQueue(client: Client, name: string, taskQueueType: TaskType) {
  const { namespace } = client.options;
  const taskQueue = { name };
  return client.workflowService.describeTaskQueue({ namespace, taskQueue, taskQueueType, reportStats: true });
}
