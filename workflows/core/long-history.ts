/** When a run continues as new because its history is long. */
import { allHandlersFinished, patched, workflowInfo } from '@temporalio/workflow';

/**
 * False while a command waits: the inbox ends with its run, and signals and cancellations are not sent again. Earlier
 * runs, which did continue as new over a waiting command, replay unchanged.
 */
export function shouldContinueAsNew(inbox: { readonly isEmpty: boolean }): boolean {
  if (!workflowInfo().continueAsNewSuggested || !allHandlersFinished()) return false;
  return inbox.isEmpty || !patched('no-new-run-over-a-waiting-command');
}
