/** Decides when a run continues as new because its history is long. */
import { allHandlersFinished, condition, workflowInfo } from '@temporalio/workflow';

/** The server decides, by the number and size of events. */
export function isHistoryLong(): boolean {
  return workflowInfo().continueAsNewSuggested;
}

interface Waiting {
  readonly isEmpty: boolean;
}

/** False while a command waits: it would be lost with the inbox, since signals and cancellations are not resent. */
export function shouldContinueAsNew(inbox: Waiting): boolean {
  return isHistoryLong() && allHandlersFinished() && inbox.isEmpty;
}

/**
 * True if the history is long and a handler still has to return the loop's last answer. Handlers run only
 * while the loop waits: if every task brings an update, it would never wait, and the server would end the
 * run.
 */
export function mustSendAnswers(inbox: Waiting): boolean {
  return isHistoryLong() && !allHandlersFinished() && inbox.isEmpty;
}

/** Waits until every handler has sent its answer, or another command has arrived. */
export async function untilAnswersSent(inbox: Waiting): Promise<void> {
  await condition(() => allHandlersFinished() || !inbox.isEmpty);
}
