/**
 * Runs that exist and cannot go on (rule 45). When Temporal is restored under running workers, a worker's cached run is
 * ahead of the restored history: it answers the next tasks with commands of the lost time, after which no worker can
 * replay that history, and every task fails. And a run that waits for the end of its start delay hears no signal (rule 15).
 */
import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import { SWEEP_SCHEDULE_ID } from '../workflows/sweep/sweep-messages.ts';

export type FoundRun = WorkflowExecutionDescription | null;

/** A task that was lost with its worker twice is not stuck. */
const TRIES = 3;

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
 * @param isUnheard an earlier wake-up had no effect: the run must at least be doing something
 * @returns whether a run goes on
 */
export async function goesOn(client: Client, run: FoundRun, isUnheard: boolean): Promise<boolean> {
  if (run?.status.name !== 'RUNNING') return false;
  if (!isStuck(run, isUnheard)) return true;
  const { workflowId, runId } = run;
  try {
    await client.workflow.getHandle(workflowId, runId).terminate('cannot go on; another run adopts its row');
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
  }
  return false;
}

/** While a sweep runs, its Schedule starts no other: one that cannot go on would be the last. */
export async function endStuckSweep(client: Client): Promise<void> {
  const { info } = await client.schedule.getHandle(SWEEP_SCHEDULE_ID).describe();
  for (const { workflow } of info.runningActions)
    await goesOn(client, await findRun(client, workflow.workflowId), true);
}

function isStuck({ raw }: WorkflowExecutionDescription, isUnheard: boolean): boolean {
  const { pendingWorkflowTask, pendingActivities } = raw;
  if (pendingWorkflowTask) return (pendingWorkflowTask.attempt ?? 0) >= TRIES;
  return isUnheard && !pendingActivities?.length;
}
