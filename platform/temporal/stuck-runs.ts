/**
 * Runs that exist and cannot go on (rule 45). When Temporal is restored under running workers, a worker's cached run
 * is ahead of the restored history. Either it answers the next tasks with commands of the lost interval, after which no
 * worker can replay that history, and every task fails; or it takes each new event for one that it knows, and completes
 * the tasks with nothing, until the history is as long as it was. And a run that waits for the end of its start delay
 * hears no signal (rule 15).
 */
import {
  type Client,
  ScheduleNotFoundError,
  type WorkflowExecutionDescription,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { SWEEP_SCHEDULE_ID } from '../../workflows/sweep/sweep-messages.ts';
import { PRUNE_EVENTS_SCHEDULE_ID } from '../../workflows/webhook/prune-messages.ts';
import { grpcCodeOf } from './grpc-code.ts';
import { type Events, isTaskAhead, readNewestEvents } from './newest-events.ts';
import { isReturnAhead } from './return-ahead.ts';

export type FoundRun = WorkflowExecutionDescription | null;

/** A task may be lost with its worker and be retried; one that fails twice will keep failing. */
const TRIES = 3;
/** Temporal's own count of them, which a signal between two tries does not begin anew. */
const PROBLEMS = 'TemporalReportedProblems';
/** Temporal sets the attribute after as many failures (`deploy/temporal/dynamic-config.yaml`), and clears it. */
const TASKS_FAIL =
  // By value, which PostgreSQL finds in an index: `IS NOT NULL` would read every open run.
  'ExecutionStatus = "Running" AND TemporalReportedProblems IN ("category=WorkflowTaskFailed", "category=WorkflowTaskTimedOut")';
/** Temporal lists the newest first: with a smaller limit, replaced runs that fail again would hide older ones. */
const MOST_LISTED = 10_000;
/** Events that a run may leave without having heard a signal: a run that is ahead repeats its last command. */
const OF_TASKS = [
  'workflowTaskScheduledEventAttributes',
  'workflowTaskStartedEventAttributes',
  'workflowTaskCompletedEventAttributes',
  'upsertWorkflowSearchAttributesEventAttributes',
] as const;
const START_TO_CLOSE = 1;
/** Shorter than the sweep's interval of one minute. */
const STANDS_STILL_MS = 50_000;
const MOST_SEEN = 10_000;
/** The failure's type when the worker passed over the update. */
const UNPROCESSED = 'UnprocessedUpdate';

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
  if (!doTasksFail(run) && !(isLongOverdue && (await isStuckByHistory(client, run)))) return true;
  await end(client, run);
  return false;
}

/** A task of the run waits for a worker or is with one: the run is about to read its row, signal or not. */
export function hasTask({ raw }: WorkflowExecutionDescription): boolean {
  return Boolean(raw.pendingWorkflowTask);
}

/** A wrong judgement replaces a run every ten minutes at most. */
const YOUNG_MS = 600_000;

/**
 * Ends a run of `reconcile` that cannot go on. A return has a schedule of its own and no due time, so that the sweep
 * does not wake it: one that is ahead is found by what it did when its timer woke it. The next run asks the rail first
 * (rule 4).
 */
export async function endStuckReturn(client: Client, run: FoundRun): Promise<void> {
  if (!run || !(await endUnlessHealthy(client, run, false))) return;
  const isYoung = Date.now() - run.startTime.getTime() < YOUNG_MS;
  if (isYoung || !isIdle(run) || !isReturnAhead(await readNewestEvents(client, run))) return;
  await end(client, run);
}

const INVALID_ARGUMENT = 3;
const FAILED_PRECONDITION = 9;

/** @returns workflow ids of runs whose tasks fail, by Temporal's own list; null where it refuses, as before 1.30 */
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
 * For a call that cannot wait for the sweep.
 *
 * @param error of an update: the server refuses it at once while the run's tasks keep failing, and as unprocessed if
 *   the worker's run is ahead and has passed it over
 * @param sentAt before the update was sent: a younger run has followed the one that passed it over
 * @returns whether the run was stuck, and is gone
 */
export async function endIfStuck(
  client: Client,
  workflowId: string,
  error: unknown,
  sentAt: Date,
): Promise<boolean> {
  if (wasPassedOver(error)) {
    const run = await findRun(client, workflowId);
    if (run?.status.name === 'RUNNING' && run.startTime < sentAt) await end(client, run);
    return true;
  }
  if (grpcCodeOf(error) !== FAILED_PRECONDITION) return false;
  return !(await endUnlessHealthy(client, await findRun(client, workflowId), false));
}

/** While a sweep runs, its Schedule starts no other: a stuck one would be the last. */
export async function endStuckSweep(client: Client): Promise<void> {
  for (const workflowId of await runningActions(client, SWEEP_SCHEDULE_ID)) {
    const run = await findRun(client, workflowId);
    if (run?.status.name === 'RUNNING' && (doTasksFail(run) || isIdle(run))) await end(client, run);
  }
}

/** A stuck deletion of old events would keep its Schedule from starting another, every night. */
export async function endStuckPrune(client: Client): Promise<void> {
  for (const workflowId of await runningActions(client, PRUNE_EVENTS_SCHEDULE_ID))
    await endIfStandsStill(client, workflowId);
}

/**
 * Ends a run that cannot go on. One that sleeps for a moment at most is ahead of a restored history if it waits for
 * nothing and nothing has happened to it since this process last looked.
 * @param longestSleepMs longer than it ever sleeps
 * @returns whether none is running now
 */
export async function endIfStandsStill(
  client: Client,
  workflowId: string,
  longestSleepMs = STANDS_STILL_MS,
): Promise<boolean> {
  const run = await findRun(client, workflowId);
  if (run?.status.name !== 'RUNNING') return true;
  const isStuck = doTasksFail(run) || hasStoodStill(run, longestSleepMs);
  if (isStuck) {
    await end(client, run);
    seenIdle.delete(run.runId);
  }
  return isStuck;
}

async function runningActions(client: Client, scheduleId: string): Promise<readonly string[]> {
  try {
    const { info } = await client.schedule.getHandle(scheduleId).describe();
    return info.runningActions.map(({ workflow }) => workflow.workflowId);
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return [];
    throw error;
  }
}

function wasPassedOver(error: unknown): boolean {
  if (!(error instanceof WorkflowUpdateFailedError)) return false;
  return error.cause instanceof ApplicationFailure && error.cause.type === UNPROCESSED;
}

function doTasksFail({ raw }: WorkflowExecutionDescription): boolean {
  if (!raw.pendingWorkflowTask) return false;
  const attributes = raw.workflowExecutionInfo?.searchAttributes?.indexedFields;
  return (raw.pendingWorkflowTask.attempt ?? 0) >= TRIES || Boolean(attributes?.[PROBLEMS]);
}

/** A healthy run is idle between two look-ups, too. */
function isIdle(run: WorkflowExecutionDescription): boolean {
  return !hasTask(run) && !run.raw.pendingActivities?.length;
}

async function isStuckByHistory(client: Client, run: WorkflowExecutionDescription): Promise<boolean> {
  const newestFirst = await readNewestEvents(client, run);
  return haveTasksFailed(newestFirst) || (isIdle(run) && isDeaf(newestFirst));
}

/** By run id: the history length at which this process first saw the run idle, and when, by its own clock (rule 19). */
const seenIdle = new Map<string, { readonly length: number; readonly atMs: number }>();

function hasStoodStill(run: WorkflowExecutionDescription, longestSleepMs: number): boolean {
  const { runId, historyLength: length } = run;
  const before = seenIdle.get(runId);
  if (!isIdle(run)) {
    seenIdle.delete(runId);
    return false;
  }
  if (before?.length === length) return performance.now() - before.atMs > longestSleepMs;
  if (seenIdle.size >= MOST_SEEN) seenIdle.clear();
  seenIdle.set(runId, { length, atMs: performance.now() });
  return false;
}

/**
 * Each signal restarts the server's count of failed tries, and a server before 1.30 has no other count; so count them
 * in the history.
 */
function haveTasksFailed(newestFirst: Events): boolean {
  const done = newestFirst.findIndex((event) => event.workflowTaskCompletedEventAttributes);
  const failures = newestFirst
    .slice(0, done === -1 ? undefined : done)
    .filter(
      ({ workflowTaskFailedEventAttributes: failed, workflowTaskTimedOutEventAttributes: timedOut }) =>
        failed || timedOut?.timeoutType === START_TO_CLOSE,
    );
  return failures.length >= TRIES - 1;
}

/**
 * Nothing followed the newest signal: no task, or one that left no trace. A run that hears a signal reads its row (an
 * endpoint's drains, which reads it too) and continues by itself, however late its row stays: behind the fence no session
 * expires (rule 29).
 */
function isDeaf(newestFirst: Events): boolean {
  // A signal may have come since the run was seen idle.
  if (isTaskAhead(newestFirst)) return false;
  const others = newestFirst.find((event) => OF_TASKS.every((each) => !event[each]));
  return Boolean(others?.workflowExecutionSignaledEventAttributes);
}

async function end(client: Client, { workflowId, runId }: WorkflowExecutionDescription): Promise<void> {
  try {
    await client.workflow.getHandle(workflowId, runId).terminate('cannot go on; another run adopts its row');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
}
