/** Decides when a run continues as new because its history is long. */
import { allHandlersFinished, condition, workflowInfo } from '@temporalio/workflow';

/** The server decides, by the number and size of events. */
export function isHistoryLong(): boolean {
  return workflowInfo().continueAsNewSuggested;
}

/**
 * Waits until every handler has sent the loop's last answer, before a long history is continued as new: handlers run
 * only while the loop waits, and if every task brings an update, the loop would never wait. False once a command waits,
 * because it would be lost with the inbox: signals and cancellations are not resent.
 */
export async function isIdle(inbox: { readonly isEmpty: boolean }): Promise<boolean> {
  if (inbox.isEmpty) await condition(() => allHandlersFinished() || !inbox.isEmpty);
  return inbox.isEmpty && allHandlersFinished();
}
