/**
 * Sends an update to a session's workflow on a request's path: under a deadline, starting the workflow first
 * where it does not exist yet. What comes back is never evidence about money: the caller reads the state
 * again from PostgreSQL, whatever the answer.
 */
import { WorkflowUpdateFailedError } from '@temporalio/client';
import type { UpdateDefinition } from '@temporalio/common';
import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/common';
import type { Session } from '../db/sessions.ts';
import { checkoutStart, sessionWorkflow } from '../workflows/messages.ts';
import type { PageContext } from './context.ts';

/** Until the workflow has stored the attempt; p50 is 27 ms. */
const UPDATE_DEADLINE_MS = 8_000;

export type Sent<Answer> =
  | { readonly kind: 'answered'; readonly answer: Answer }
  /** The workflow refused the update, or was over before it could take it. */
  | { readonly kind: 'refused' }
  /** Nobody knows whether it arrived: the same update id has to be sent again. */
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
      logger.info(details, 'the workflow did not take the update');
      return { kind: 'refused' };
    }
    logger.warn(details, 'it is not known whether the update arrived');
    return { kind: 'unknown' };
  }
}

/** The API's start did not come through, or has not yet; a workflow that stands already is as good. */
async function startWorkflow({ temporal, config }: PageContext, session: Session): Promise<void> {
  const start = checkoutStart(
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
  try {
    await temporal.workflow.start(sessionWorkflow(start.workflowId), start);
  } catch (error) {
    if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
  }
}
