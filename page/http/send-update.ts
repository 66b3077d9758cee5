/**
 * Sends an update to a session's workflow within a request: under a deadline, and starting the workflow if it does
 * not exist. The answer is no evidence about money: the caller always reads the state from PostgreSQL again.
 */
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { Session } from '../../db/session/find-session.ts';
import { findSessionToStart } from '../../db/session/session-sweep.ts';
import { restartSession, startSession } from '../../temporal/start-workflows.ts';
import { endIfStuck } from '../../temporal/stuck-runs.ts';
import { goBeforeExpiries } from './before-expiries.ts';
import type { PageContext } from './context.ts';

/** Time for the workflow to store the attempt; p50 is 27 ms. */
const UPDATE_DEADLINE_MS = 8_000;

export type Sent<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** The workflow refused the update, or ended before taking it. */
  | { readonly kind: 'refused' }
  /** The update may have arrived: the same update id must be sent again. */
  | { readonly kind: 'unknown' };

export async function sendUpdate<Answer, Args extends [unknown]>(
  context: PageContext,
  session: Session,
  update: UpdateDefinition<Answer, Args>,
  args: Args,
  updateId: string,
  /** Ends the wait, not the update. */
  notNeeded: AbortSignal = new AbortController().signal,
): Promise<Sent<Answer>> {
  const { temporal, logger, updateDeadlineMs = UPDATE_DEADLINE_MS } = context;
  const send = () => temporal.workflow.getHandle(session.id).executeUpdate(update, { args, updateId });
  try {
    await goBeforeExpiries(context, session);
    const sendOrStart = async () => {
      const sentAt = new Date();
      try {
        return await send();
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) await start(context, session.id, startSession);
        // What the stuck run sent to the rail is looked up at once, not after a start delay (rule 15).
        else if (await endIfStuck(temporal, session.id, error, sentAt))
          await start(context, session.id, restartSession);
        else throw error;
        return await send();
      }
    };
    const answer = await temporal.withAbortSignal(notNeeded, () =>
      temporal.withDeadline(Date.now() + updateDeadlineMs, sendOrStart),
    );
    return { kind: 'answered', answer };
  } catch (error) {
    if (notNeeded.aborted) return { kind: 'unknown' };
    const details = {
      checkoutId: session.id,
      update: update.name,
      updateId,
      err: (error as Error).message,
    };
    if (error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError) {
      logger.info(details, 'update refused by the workflow');
      return { kind: 'refused' };
    }
    logger.warn(details, 'update outcome unknown');
    return { kind: 'unknown' };
  }
}

/** The API's start failed or is still under way. A session that is over starts nothing. */
async function start(
  { pool, temporal, config }: PageContext,
  sessionId: string,
  how: typeof restartSession,
): Promise<void> {
  const session = await findSessionToStart(pool, sessionId);
  if (session) await how({ pool, client: temporal, session: config.session }, session);
}
