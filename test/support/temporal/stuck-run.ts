import { expect } from '@jest/globals';
import type { Client, WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { eventually } from '../core/eventually.ts';

/** Starts a run whose tasks keep failing, as with a history that no code can replay. Its queue needs a worker. */
export async function startStuckRun(
  client: Client,
  workflowId: string,
  taskQueue: string,
): Promise<WorkflowHandleWithFirstExecutionRunId> {
  const stuck = await client.workflow.start('typeOfAnotherBuild', { taskQueue, workflowId });
  await eventually(async () => {
    const { raw } = await stuck.describe();
    expect(raw.pendingWorkflowTask?.attempt).toBeGreaterThanOrEqual(3);
  });
  return stuck;
}

/** Whether this run, not a successor, was terminated. */
export async function isTerminated(client: Client, stuck: WorkflowHandleWithFirstExecutionRunId) {
  const { workflowId, firstExecutionRunId } = stuck;
  const { status } = await client.workflow.getHandle(workflowId, firstExecutionRunId).describe();
  return status.name === 'TERMINATED';
}
