/** When a run continues as new because its history is long. */
import { allHandlersFinished, condition, patched, workflowInfo } from '@temporalio/workflow';

interface Waiting {
  readonly isEmpty: boolean;
}

/**
 * False while a command waits: the inbox ends with its run, and signals and cancellations are not sent again. Runs
 * of earlier releases, which did continue as new over a waiting command, replay unchanged.
 */
export function shouldContinueAsNew(inbox: Waiting): boolean {
  if (!workflowInfo().continueAsNewSuggested || !allHandlersFinished()) return false;
  return inbox.isEmpty || !patched('no-new-run-over-a-waiting-command');
}

/**
 * A long history, and the main loop's last answer has not left its handler yet, which goes on only when the loop waits.
 * If each task brings an update, the loop sees no other moment, and the history grows until the server ends the run.
 */
export function mustSendAnswers(inbox: Waiting): boolean {
  if (!workflowInfo().continueAsNewSuggested || allHandlersFinished() || !inbox.isEmpty) return false;
  return patched('answers-are-sent-before-a-new-run');
}

/** Until no handler has an answer to send, or another command waits. */
export async function answersSent(inbox: Waiting): Promise<void> {
  await condition(() => allHandlersFinished() || !inbox.isEmpty);
}
