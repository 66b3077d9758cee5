import { ApplicationFailure } from '@temporalio/workflow';
import type { Inbox } from './inbox.ts';
import { ROW_NOT_FOUND } from './messages.ts';
import { thrownBy } from './thrown-by.ts';

/**
 * Runs a workflow's loop. If the workflow's row does not exist, refuses every pending command and fails the run. The
 * sweep starts another run if the row comes back (rules 27 and 30).
 */
export async function failingWithoutRow<Command, Result>(
  inbox: Inbox<Command>,
  loop: () => Promise<Result>,
): Promise<Result> {
  try {
    return await loop();
  } catch (error) {
    const missing = rowNotFoundIn(error);
    if (!missing) throw error;
    inbox.refuseAll(missing);
    await inbox.close((late) => late.refuse(missing));
    throw missing;
  }
}

/** Returns the failure of an activity whose row is missing; null for any other failure. */
export function rowNotFoundIn(error: unknown): ApplicationFailure | null {
  const cause = thrownBy(error);
  return cause instanceof ApplicationFailure && cause.type === ROW_NOT_FOUND
    ? ApplicationFailure.nonRetryable(cause.message, ROW_NOT_FOUND)
    : null;
}
