/** Raises the priority of a session whose buyer is waiting (rule 42). */
import type { Client } from '@temporalio/client';

/** Temporal's default is 3; 1 goes first. */
const BEFORE_OTHERS = 2;

/**
 * Raises the priority of a running workflow's later tasks.
 * @throws ServiceError, including from servers older than 1.32, which cannot change priorities
 */
export async function raisePriority(client: Client, workflowId: string, merchantId: string): Promise<void> {
  await client.workflowService.updateWorkflowExecutionOptions({
    namespace: client.options.namespace,
    workflowExecution: { workflowId },
    // The update replaces the whole priority, including the fairness key, so send both.
    workflowExecutionOptions: { priority: { priorityKey: BEFORE_OTHERS, fairnessKey: merchantId } },
    updateMask: { paths: ['priority'] },
  });
}
