/**
 * Runs that exist and cannot go on (rule 45). When Temporal is restored under running workers, a worker's cached run
 * is ahead of the restored history. Either it answers the next tasks with commands of the lost time, after which no
 * worker can replay that history, and every task fails; or it takes each new event for one that it knows, and completes
 * the tasks with nothing, until the history is as long as it was. And a run that waits for the end of its start delay
 * hears no signal (rule 15).
 */
import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import { SWEEP_SCHEDULE_ID } from '../workflows/sweep/sweep-messages.ts';
import { grpcCodeOf } from './grpc-code.ts';

export type FoundRun = WorkflowExecutionDescription | null;

/** A task may be lost with its worker and be retried; one that fails twice will keep failing. */
const TRIES = 3;
/** Temporal sets the attribute after as many failures (`deploy/temporal/dynamic-config.yaml`), and clears it. */
const TASKS_FAIL =
  // By value, which PostgreSQL finds in an index: `IS NOT NULL` would read every open run.
  'ExecutionStatus = "Running" AND TemporalReportedProblems IN ("category=WorkflowTaskFailed", "category=WorkflowTaskTimedOut")';
/** Temporal lists the newest first: with a smaller limit, replaced runs that fail again would hide older ones. */
const MOST_LISTED = 10_000;
/** More events than can follow a signal. */
const NEWEST_EVENTS = 50;
const OF_TASKS = [
  'workflowTaskScheduledEventAttributes',
  'workflowTaskStartedEventAttributes',
  'workflowTaskCompletedEventAttributes',
] as const;

export async function findRun(client: Client, workflowId: string): Promise<FoundRun> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return null;
  }
}

/**
 * Ends a run that cannot go on. Its row is complete, so that another run adopts it (rule 12); what the old one sent to
 * the rail is looked up, never sent again (rule 3).
 * @param isLongOverdue the sweep has woken the run before
 * @returns whether a run was left running
 */
export async function endUnlessHealthy(
  client: Client,
  run: FoundRun,
  isLongOverdue: boolean,
): Promise<boolean> {
  if (run?.status.name !== 'RUNNING') return false;
  if (!doTasksFail(run) && !(isLongOverdue && isIdle(run) && (await isDeaf(client, run)))) return true;
  await end(client, run);
  return false;
}

const INVALID_ARGUMENT = 3;
const FAILED_PRECONDITION = 9;

/** @returns workflow ids of runs whose tasks fail, by Temporal's own list; none from a server before 1.30, which has no list */
export async function listStuckRuns(client: Client): Promise<readonly string[]> {
  const ids: string[] = [];
  try {
    for await (const { workflowId } of client.workflow.list({ query: TASKS_FAIL })) {
      ids.push(workflowId);
      if (ids.length === MOST_LISTED) break;
    }
  } catch (error) {
    if (grpcCodeOf(error) !== INVALID_ARGUMENT) throw error;
  }
  return ids;
}

/**
 * For a call that cannot wait for the sweep.
 *
 * @param error of an update: the server refuses it at once while the run's tasks keep failing
 * @returns whether the run was stuck, and none is left
 */
export async function endIfStuck(client: Client, workflowId: string, error: unknown): Promise<boolean> {
  if (grpcCodeOf(error) !== FAILED_PRECONDITION) return false;
  return !(await endUnlessHealthy(client, await findRun(client, workflowId), false));
}

/** While a sweep runs, its Schedule starts no other: a stuck one would be the last. */
export async function endStuckSweep(client: Client): Promise<void> {
  const { info } = await client.schedule.getHandle(SWEEP_SCHEDULE_ID).describe();
  for (const { workflow } of info.runningActions) {
    const run = await findRun(client, workflow.workflowId);
    if (run?.status.name === 'RUNNING' && (doTasksFail(run) || isIdle(run))) await end(client, run);
  }
}

function doTasksFail({ raw }: WorkflowExecutionDescription): boolean {
  return (raw.pendingWorkflowTask?.attempt ?? 0) >= TRIES;
}

/** A healthy run is idle between two look-ups, too. */
function isIdle({ raw }: WorkflowExecutionDescription): boolean {
  return !raw.pendingWorkflowTask && !raw.pendingActivities?.length;
}

/**
 * Nothing followed the newest signal: no task, or one that left no trace. A run that hears a signal reads its row or
 * drains, which does, and goes on by itself, however late its row stays: behind the fence no session expires (rule 29).
 */
async function isDeaf(client: Client, { workflowId, runId }: WorkflowExecutionDescription): Promise<boolean> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: NEWEST_EVENTS,
  });
  const newest = history?.events?.find((event) => OF_TASKS.every((each) => !event[each]));
  return Boolean(newest?.workflowExecutionSignaledEventAttributes);
}

async function end(client: Client, { workflowId, runId }: WorkflowExecutionDescription): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId, runId).terminate('cannot go on; another run adopts its row');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
