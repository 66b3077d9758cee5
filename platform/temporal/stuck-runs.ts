/**
 * Stuck runs exist but make no progress (rule 45). Their histories are not read: Temporal counts a task's failed tries,
 * and any other stuck run has a row that stays overdue.
 */
import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import { grpcCodeOf } from './grpc-code.ts';

export type FoundRun = WorkflowExecutionDescription | null;

/** From this attempt on a task counts as stuck: one failure may be a dead worker; after two, it will keep failing. */
const TRIES = 3;
/** Set by Temporal from its own count of failed tries, which a signal between two tries does not reset. */
const PROBLEMS = 'TemporalReportedProblems';
/**
 * Temporal sets the attribute after three failures (`deploy/temporal/dynamic-config.yaml`), and clears it after a
 * success.
 */
const TASKS_FAIL =
  // Searched by value, for which an index exists: `IS NOT NULL` would read every open run.
  'ExecutionStatus = "Running" AND TemporalReportedProblems IN ("category=WorkflowTaskFailed", "category=WorkflowTaskTimedOut")';
/** Temporal lists the newest first: with a smaller limit, replaced runs that fail again would hide older ones. */
const MOST_LISTED = 10_000;
/** A healthy run with a late row is replaced at most this often. */
const YOUNG_MS = 600_000;

const INVALID_ARGUMENT = 3;
const FAILED_PRECONDITION = 9;

export async function findRun(client: Client, workflowId: string): Promise<FoundRun> {
  try {
    return await client.workflow.getHandle(workflowId).describe();
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    return null;
  }
}

/**
 * Ends a stuck run. Its row is complete, so another run adopts it (rule 12); calls that the old run sent to
 * the rail are looked up, never sent again (rule 3).
 * @param isLongOverdue the sweep has woken the run twice, and its row is still late
 * @returns whether a run was left running
 */
export async function endUnlessHealthy(
  client: Client,
  run: FoundRun,
  isLongOverdue = false,
): Promise<boolean> {
  if (run?.status.name !== 'RUNNING') return false;
  const isOld = Date.now() - run.startTime.getTime() > YOUNG_MS;
  if (!doTasksFail(run) && !(isLongOverdue && isOld && !isBusy(run))) return true;
  await end(client, run);
  return false;
}

/** True if a task of the run is waiting for a worker or running: it will read its row without another signal. */
export function hasTask({ raw }: WorkflowExecutionDescription): boolean {
  return Boolean(raw.pendingWorkflowTask);
}

/**
 * @returns workflow ids of runs with failing tasks, from Temporal's own list; null if the server refuses, as servers
 * before 1.30 do
 */
export async function listStuckRuns(client: Client): Promise<readonly string[] | null> {
  const ids: string[] = [];
  try {
    for await (const { workflowId } of client.workflow.list({ query: TASKS_FAIL })) {
      ids.push(workflowId);
      if (ids.length === MOST_LISTED) break;
    }
  } catch (error) {
    if (grpcCodeOf(error) === INVALID_ARGUMENT) return null;
    throw error;
  }
  return ids;
}

/**
 * Ends a stuck run for a call that cannot wait for the sweep.
 * @param error the error of an update, which the server refuses immediately while the run's tasks keep
 * failing
 * @returns whether the run was stuck and has been ended
 */
export async function endIfStuck(client: Client, workflowId: string, error: unknown): Promise<boolean> {
  return grpcCodeOf(error) === FAILED_PRECONDITION && endIfTasksFail(client, workflowId);
}

/** @returns whether no run is left */
export async function endIfTasksFail(client: Client, workflowId: string): Promise<boolean> {
  return !(await endUnlessHealthy(client, await findRun(client, workflowId)));
}

function doTasksFail({ raw }: WorkflowExecutionDescription): boolean {
  if (!raw.pendingWorkflowTask) return false;
  const attributes = raw.workflowExecutionInfo?.searchAttributes?.indexedFields;
  return (raw.pendingWorkflowTask.attempt ?? 0) >= TRIES || Boolean(attributes?.[PROBLEMS]);
}

/** True during an activity or the first try of a task, which a burst can delay. */
function isBusy({ raw }: WorkflowExecutionDescription): boolean {
  return Boolean(raw.pendingActivities?.length) || raw.pendingWorkflowTask?.attempt === 1;
}

async function end(client: Client, { workflowId, runId }: WorkflowExecutionDescription): Promise<void> {
  try {
    await client.workflow
      .getHandle(workflowId, runId)
      .terminate('cannot continue; another run adopts its row');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
