import { type Client, WorkflowExecutionAlreadyStartedError } from '@temporalio/client';

/**
 * Starts a workflow unless it exists. Its id is its row's id, so an existing workflow means that another process was
 * faster or that the answer to an earlier start was lost.
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

/**
 * How long a request waits for a start. A time-out is harmless: the row stays unmarked, and the worker's relay starts
 * the workflow later.
 */
const REQUEST_WAITS_MS = 1_500;

/** @throws when Temporal does not answer in time */
export function withinRequest(client: Client, start: () => Promise<unknown>): Promise<unknown> {
  return client.withDeadline(Date.now() + REQUEST_WAITS_MS, start);
}
