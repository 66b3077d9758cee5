/**
 * Sends a message to a row's workflow. If the run does not exist or is stuck (rule 45), starts it from the row and
 * sends the message again. Messages are idempotent: an update has an id, a signal makes the run read its row.
 */
import { type WorkflowHandle, WorkflowNotFoundError, WorkflowUpdateFailedError } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import type { Log } from '../observability/logger.ts';
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

export type Sent<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** The workflow refused the update, or ended before accepting it. */
  | { readonly kind: 'refused' }
  /** The update may have arrived: send it again with the same update id. */
  | { readonly kind: 'unknown' };

/**
 * Sends an update to a session. The answer proves nothing about money: the caller always reads the state from PostgreSQL again.
 *
 * @param notNeeded aborting ends the wait, not the update
 */
export async function sendUpdate<Answer, Args extends [unknown]>(
  { logger, ...deps }: StarterDeps & { readonly logger: Pick<Log, 'info' | 'warn'> },
  checkoutId: string,
  update: UpdateDefinition<Answer, Args>,
  message: { readonly args: Args; readonly updateId: string },
  withinMs: number,
  notNeeded = new AbortController().signal,
): Promise<Sent<Answer>> {
  try {
    const answer = await deps.client.withAbortSignal(notNeeded, () =>
      send(deps, checkoutId, (run) => run.executeUpdate(update, message), withinMs),
    );
    return { kind: 'answered', answer };
  } catch (error) {
    if (notNeeded.aborted) return { kind: 'unknown' };
    const { updateId } = message;
    const details = { checkoutId, update: update.name, updateId, err: (error as Error).message };
    if (error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError) {
      logger.info(details, 'update refused by the workflow');
      return { kind: 'refused' };
    }
    logger.warn(details, 'update outcome unknown');
    return { kind: 'unknown' };
  }
}
