/** The task queues according to Temporal: pollers and backlog. */
import type { Client } from '@temporalio/client';
import { describeQueue, POLLED_WITHIN_MS, QUEUES, whenAllEnded } from './last-polls.ts';
import { findRun, listStuckRuns } from './stuck-runs.ts';

const TASKS = [
  { type: 1, tasks: 'workflow' },
  { type: 2, tasks: 'activity' },
] as const;
const MOST_SHOWN = 10;
/** Number of latest events to search for the failed task. */
const EVENTS = 20;

export interface QueueState {
  readonly queue: string;
  readonly environment: string;
  readonly tasks: 'workflow' | 'activity';
  /** `pid@host` of workers that polled within `POLLED_WITHIN_MS`; Temporal lists stopped ones for five minutes. */
  readonly workers: readonly string[];
  readonly last_poll_at: string | null;
  readonly waiting: number;
  readonly oldest_seconds: number;
}

export function isServed({ last_poll_at: at }: QueueState): boolean {
  return at !== null && Date.now() - Date.parse(at) <= POLLED_WITHIN_MS;
}

/** @throws if Temporal does not answer in time */
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
  const { pollers, stats } = await describeQueue(client, queue, type);
  const polls = pollers.map(({ identity, lastAccessTime }) => ({
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

export interface FailingRun {
  readonly workflow_id: string;
  readonly type: string;
  readonly tries: number;
  readonly error: string;
}

/**
 * The first few runs whose workflow tasks fail.
 * @returns null if the server does not list them (before 1.30)
 */
export async function readFailingRuns(client: Client): Promise<readonly FailingRun[] | null> {
  const ids = await listStuckRuns(client);
  return ids && Promise.all(ids.slice(0, MOST_SHOWN).map((id) => failingRun(client, id)));
}

async function failingRun(client: Client, workflowId: string): Promise<FailingRun> {
  const run = await findRun(client, workflowId);
  return {
    workflow_id: workflowId,
    type: run?.type ?? '',
    tries: run?.raw.pendingWorkflowTask?.attempt ?? 0,
    error: await lastTaskError(client, workflowId),
  };
}

/** The first line of the latest failure of a workflow task. */
async function lastTaskError(client: Client, workflowId: string): Promise<string> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: EVENTS,
  });
  const failed = history?.events?.find((event) => event.workflowTaskFailedEventAttributes);
  return failed?.workflowTaskFailedEventAttributes?.failure?.message?.split('\n')[0] ?? 'unknown';
}
