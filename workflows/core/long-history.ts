/** When a run continues as new because its history is long. */
import { allHandlersFinished, condition, patched, workflowInfo } from '@temporalio/workflow';

interface Waiting {
  readonly isEmpty: boolean;
}

/**
 * False while a command waits: the inbox ends with its run, and signals and cancellations are not sent again. Runs of
 * earlier releases, which did continue as new despite a waiting command, replay unchanged.
 */
export function shouldContinueAsNew(inbox: Waiting): boolean {
  if (!workflowInfo().continueAsNewSuggested || !allHandlersFinished()) return false;
  return inbox.isEmpty || !patched('no-new-run-over-a-waiting-command');
}

/**
 * A long history, and the handler has not yet returned the main loop's last answer, because it continues only when the
 * loop waits. If each task brings an update, there is no other moment for the loop, and the history grows until the
 * server ends the run.
 */
export function mustSendAnswers(inbox: Waiting): boolean {
  if (!workflowInfo().continueAsNewSuggested || allHandlersFinished() || !inbox.isEmpty) return false;
  return patched('answers-are-sent-before-a-new-run');
}

/** Until no handler has an answer to send, or another command waits. */
export async function answersSent(inbox: Waiting): Promise<void> {
  await condition(() => allHandlersFinished() || !inbox.isEmpty);
}
