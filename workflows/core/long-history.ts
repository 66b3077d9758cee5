/** Decides when a run continues as new because its history is long. */
import { allHandlersFinished, condition, workflowInfo } from '@temporalio/workflow';

/** The server decides, by the number and size of events. */
export function isHistoryLong(): boolean {
  return workflowInfo().continueAsNewSuggested;
}

/**
 * Waits until every handler has sent the loop's last answer, before a long history is continued as new: handlers run
 * only while the loop waits, which it would otherwise never do if every task brought an update. Returns false if a
 * command is pending, because it would be lost with the inbox: signals and cancellations are not resent.
 */
export async function isIdle(inbox: { readonly isEmpty: boolean }): Promise<boolean> {
  if (inbox.isEmpty) await condition(() => allHandlersFinished() || !inbox.isEmpty);
  return inbox.isEmpty && allHandlersFinished();
}
