import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';

/**
 * Starts a workflow unless it exists. Its id is its row's id, so an existing one means that another starter was faster
 * or that the answer to an earlier start was lost.
 * @returns false when the workflow is running, or has run and may not run again
 */
export async function unlessStarted(start: () => Promise<unknown>): Promise<boolean> {
  try {
    await start();
    return true;
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    return false;
  }
}
