/**
 * Sends an update to a session's workflow within a request: under a deadline, and starting the workflow if it does not
 * exist. The answer proves nothing about money: the caller always reads the state from PostgreSQL again.
 */
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { Changes } from '../../db/core/changes.ts';
import type { Session } from '../../db/session/read/find-session.ts';
import { send } from '../../platform/temporal/send.ts';
import { raiseClickPriority } from './click-priority.ts';
import type { PageContext } from './context.ts';

/** Time for the workflow to store the attempt; p50 is 27 ms. */
const UPDATE_DEADLINE_MS = 8_000;

export type Sent<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** The workflow refused the update, or ended before accepting it. */
  | { readonly kind: 'refused' }
  /** The update may have arrived: send it again with the same update id. */
  | { readonly kind: 'unknown' };

export async function sendUpdate<Answer, Args extends [unknown]>(
  context: PageContext,
  session: Session,
  update: UpdateDefinition<Answer, Args>,
  args: Args,
  updateId: string,
  /** Aborting ends the wait, not the update. */
  notNeeded: AbortSignal = new AbortController().signal,
): Promise<Sent<Answer>> {
  const { pool, temporal, config, logger, updateDeadlineMs = UPDATE_DEADLINE_MS } = context;
  const deps = { pool, client: temporal, session: config.session };
  try {
    await raiseClickPriority(context, session);
    const answer = await temporal.withAbortSignal(notNeeded, () =>
      send(deps, session.id, (run) => run.executeUpdate(update, { args, updateId }), updateDeadlineMs),
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

/**
 * Waits until a click's attempt appears in its row. The update that creates the attempt is answered only when its
 * workflow task ends, which may wait for the rail (docs/decisions/0020-an-attempt-is-one-activity.md).
 *
 * @param find reads the session; returns null while the session has no attempt of this click
 * @param signal ends the wait; the promise then stays pending
 */
export function attemptSeen<Found>(
  changes: Changes,
  checkoutId: string,
  find: () => Promise<Found | null>,
  signal: AbortSignal,
): Promise<Found> {
  return new Promise((resolve) => {
    const unsubscribe = changes.subscribe(checkoutId, () => {
      find().then(
        (found) => found && resolve(found),
        // Ignore a failed read: the answer to the update is still pending.
        () => {},
      );
    });
    signal.addEventListener('abort', unsubscribe, { once: true });
  });
}
