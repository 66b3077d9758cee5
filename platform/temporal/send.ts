/**
 * Sends a message to a row's workflow. If the run does not exist or is stuck (rule 45), starts it from the row and
 * sends the message again. Messages are idempotent: an update has an id, a signal makes the run read its row.
 */
import { type WorkflowHandle, WorkflowNotFoundError } from '@temporalio/client';
import { type StarterDeps, startAgain } from './start-workflows.ts';
import { endIfStuck } from './stuck-runs.ts';

/** A worker answers in about 30 ms. If none is running, the sweep's next round sends the message again. */
const ANSWER_WITHIN_MS = 3_000;

/**
 * @param id the id of a session, subscription or refund, which is also its workflow's
 * @param withinMs time limit of each of at most two tries: a stuck run uses up the first
 * @throws WorkflowNotFoundError if the row has ended and has no run; other errors of Temporal and of the workflow
 */
export async function send<Answer>(
  deps: StarterDeps,
  id: string,
  message: (run: WorkflowHandle) => Promise<Answer>,
  withinMs = ANSWER_WITHIN_MS,
): Promise<Answer> {
  const { client } = deps;
  const run = client.workflow.getHandle(id);
  const sendMessage = () => client.withDeadline(Date.now() + withinMs, () => message(run));
  try {
    return await sendMessage();
  } catch (error) {
    const hasNoRun = error instanceof WorkflowNotFoundError || (await endIfStuck(client, id, error));
    if (!hasNoRun) throw error;
    await startAgain(deps, id);
    return await sendMessage();
  }
}
