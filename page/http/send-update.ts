/**
 * Sends an update to a session's workflow within a request: under a deadline, and starting the workflow if it does
 * not exist. The answer is no evidence about money: the caller always reads the state from PostgreSQL again.
 */
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { Session } from '../../db/session/find-session.ts';
import { unlessStarted } from '../../temporal/unless-started.ts';
import { sessionStart, sessionWorkflow } from '../../workflows/session/session-messages.ts';
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
): Promise<Sent<Answer>> {
  const { temporal, logger, updateDeadlineMs = UPDATE_DEADLINE_MS } = context;
  const send = () => temporal.workflow.getHandle(session.id).executeUpdate(update, { args, updateId });
  try {
    const answer = await temporal.withDeadline(Date.now() + updateDeadlineMs, async () => {
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
        await startWorkflow(context, session);
        return await send();
      }
    });
    return { kind: 'answered', answer };
  } catch (error) {
    const details = {
      checkoutId: session.id,
      update: update.name,
      updateId,
      reason: (error as Error).message,
    };
    if (error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError) {
      logger.info(details, 'update refused by the workflow');
      return { kind: 'refused' };
    }
    logger.warn(details, 'update outcome unknown');
    return { kind: 'unknown' };
  }
}

/** The API's start failed or is still under way. */
async function startWorkflow({ temporal, config }: PageContext, session: Session): Promise<void> {
  const start = sessionStart(
    {
      id: session.id,
      merchantId: session.merchant_id,
      environment: session.environment,
      productName: session.terms.product.name,
      amount: session.amount,
      currency: session.currency,
      expiresAt: session.expires_at,
      msToExpiry: session.ms_to_expiry,
    },
    config.checkout.timings,
  );
  await unlessStarted(() => temporal.workflow.start(sessionWorkflow(start.workflowId), start));
}
