import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';

/**
 * Runs a start. A workflow that exists already is no failure: its id is its row's, so another starter was faster, or
 * the answer to an earlier start was lost.
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
