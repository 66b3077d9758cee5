/** When a run makes room for the next one because its history grows long. */
import { allHandlersFinished, patched, workflowInfo } from '@temporalio/workflow';

/**
 * Not while a command waits: the inbox ends with its run, and nobody sends a signal or a cancellation again.
 * Runs that began before this was asked, and did leave over a waiting command, are replayed as they went.
 */
export function isTimeForANewRun(inbox: { readonly isEmpty: boolean }): boolean {
  if (!workflowInfo().continueAsNewSuggested || !allHandlersFinished()) return false;
  return inbox.isEmpty || !patched('no-new-run-over-a-waiting-command');
}
