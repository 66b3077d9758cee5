/**
 * Starts a session's workflow on the request's path, under a short deadline. Not coming through is no failure:
 * the row says so, and the worker's relay starts the workflow within 2 s of Temporal's return.
 */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import type { CreatedSession } from '../../db/session/create-session.ts';
import { markSessionStarted } from '../../db/session/session-sweep.ts';
import type { Scope } from '../../domain/environment.ts';
import { sessionStart, sessionWorkflow } from '../../workflows/session/session-messages.ts';
import type { ApiContext } from '../http/context.ts';
import { withoutSecrets } from '../http/safe-error.ts';

const START_DEADLINE_MS = 1_500;
/** After a failure the next requests leave it to the relay at once, instead of waiting one by one. */
const LEAVE_TO_RELAY_MS = 1_000;

export type StartSession = (checkout: CreatedSession, scope: Scope) => Promise<void>;

export function createStartSession({ pool, temporal, logger, config }: ApiContext): StartSession {
  let relayOnlyUntil = 0;
  return async (checkout, scope) => {
    if (performance.now() < relayOnlyUntil) return;
    const start = sessionStart(
      {
        id: checkout.id,
        ...scope,
        productName: checkout.product_name,
        amount: checkout.amount,
        currency: checkout.currency,
        expiresAt: checkout.expires_at,
        msToExpiry: checkout.ms_to_expiry,
      },
      config.checkout.timings,
    );
    try {
      await temporal.withDeadline(Date.now() + START_DEADLINE_MS, () =>
        temporal.workflow.start(sessionWorkflow(start.workflowId), start),
      );
    } catch (error) {
      // The relay was faster, or an answer to our own first try was lost: the workflow is there.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) {
        relayOnlyUntil = performance.now() + LEAVE_TO_RELAY_MS;
        logger.warn(
          { checkoutId: checkout.id, error: withoutSecrets(error) },
          'the relay will start the workflow',
        );
        return;
      }
    }
    await markSessionStarted(pool, checkout.id).catch((error) =>
      logger.warn({ checkoutId: checkout.id, error: withoutSecrets(error) }, 'the start was not recorded'),
    );
  };
}
