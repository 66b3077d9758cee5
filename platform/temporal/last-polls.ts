/** When workers last polled each task queue, and how long its tasks wait, according to Temporal. */
import type { Client } from '@temporalio/client';
import { ENVIRONMENTS, type Environment } from '../../domain/core/environment.ts';
import { QUEUE_KINDS, taskQueue } from '../../workflows/core/task-queues.ts';

/** By temporal.api.enums.v1.TaskQueueType: a queue needs pollers for both, workflow tasks and activities. */
const TASK_TYPES = [1, 2] as const;

export const QUEUES = ENVIRONMENTS.flatMap((environment) =>
  QUEUE_KINDS.map((kind) => ({ environment, queue: taskQueue(kind, environment) })),
);

/** Long polls last 60 s; 15 s allow for clock skew and load. */
export const POLLED_WITHIN_MS = 75_000;

export interface LastPoll {
  readonly queue: string;
  readonly environment: Environment;
  /** By Temporal's clock; null if there was none in the last five minutes, which is all that Temporal remembers. */
  readonly at: Date | null;
  /** Age of the oldest task that no worker has taken; 0 without one. */
  readonly oldestSeconds: number;
}

/**
 * For each queue, the older of the last polls for its two types of task. A poll waits up to a minute for a
 * task, so a healthy worker's last poll may be that old.
 * @throws if Temporal does not answer in time
 */
export function readLastPolls(client: Client, timeoutMs: number): Promise<readonly LastPoll[]> {
  return client.withDeadline(Date.now() + timeoutMs, () =>
    whenAllEnded(
      QUEUES.map(async (each) => {
        const polls = await Promise.all(TASK_TYPES.map((type) => lastPoll(client, each.queue, type)));
        const [older] = polls.toSorted((a, b) => Number(a.at) - Number(b.at));
        const oldestSeconds = Math.max(...polls.map((poll) => poll.oldestSeconds));
        return { ...each, at: older?.at ?? null, oldestSeconds };
      }),
    ),
  );
}

/** With versioned builds, only the current one counts: others get no new workflows. */
async function lastPoll(
  client: Client,
  queue: string,
  type: (typeof TASK_TYPES)[number],
): Promise<Pick<LastPoll, 'at' | 'oldestSeconds'>> {
  const { pollers, versioningInfo, stats } = await describeQueue(client, queue, type);
  const current = versioningInfo?.currentDeploymentVersion?.buildId;
  const times = pollers
    .filter(({ deploymentOptions }) => !current || deploymentOptions?.buildId === current)
    .map(({ lastAccessTime }) => Number(lastAccessTime?.seconds ?? 0) * 1_000);
  return {
    at: times.length > 0 ? new Date(Math.max(...times)) : null,
    oldestSeconds: Number(stats?.approximateBacklogAge?.seconds ?? 0),
  };
}

/** Waits until all calls have ended: a call that is retried after its connection has closed ends the process. */
export async function whenAllEnded<T>(calls: readonly Promise<T>[]): Promise<readonly T[]> {
  await Promise.allSettled(calls);
  return Promise.all(calls);
}

/** The pollers of the last five minutes, and the backlog. */
export function describeQueue(client: Client, name: string, taskQueueType: (typeof TASK_TYPES)[number]) {
  const { namespace } = client.options;
  const taskQueue = { name };
  return client.workflowService.describeTaskQueue({ namespace, taskQueue, taskQueueType, reportStats: true });
}
