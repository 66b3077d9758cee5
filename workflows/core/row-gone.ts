import { ApplicationFailure, allHandlersFinished, condition } from '@temporalio/workflow';
import type { Inbox } from './inbox.ts';
import { ROW_GONE } from './messages.ts';
import { thrownBy } from './thrown-by.ts';

/**
 * Runs a workflow's loop. If the workflow's row is gone, refuses every pending command and fails the run. The
 * sweep starts another run if the row comes back (rules 27 and 30).
 */
export async function failingWhenGone<Command, Result>(
  inbox: Inbox<Command>,
  loop: () => Promise<Result>,
): Promise<Result> {
  try {
    return await loop();
  } catch (error) {
    const gone = goneIn(error);
    if (!gone) throw error;
    inbox.refuseAll(gone);
    while (!allHandlersFinished()) {
      await condition(allHandlersFinished, '1 s');
      inbox.refuseAll(gone);
    }
    throw gone;
  }
}

/** Returns the failure of an activity whose row is gone; null for any other failure. */
export function goneIn(error: unknown): ApplicationFailure | null {
  const cause = thrownBy(error);
  return cause instanceof ApplicationFailure && cause.type === ROW_GONE
    ? ApplicationFailure.nonRetryable(cause.message, ROW_GONE)
    : null;
}
