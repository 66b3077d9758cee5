/**
 * Starts a session's workflow during the request, under a short deadline. Failure is harmless: the session's row shows
 * that the start is missing, and the worker's relay starts the workflow within 2 s of Temporal's return.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { markStarted } from '../../db/core/mark-started.ts';
import type { CreatedSession } from '../../db/session/create-session.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { unlessStarted, withinRequest } from '../../platform/temporal/unless-started.ts';
import { sessionWorkflow } from '../../workflows/session/session-messages.ts';
import { sessionStart } from '../../workflows/session/session-start.ts';
import type { ApiContext } from '../http/context.ts';

/** After a failure, requests leave starts to the relay for this long, instead of each waiting for the deadline. */
const LEAVE_TO_RELAY_MS = 1_000;
/** How long starts are batched: a fifth of the age at which the relay starts a session without a recorded start. */
const GATHER_MS = 200;

export type StartSession = (session: CreatedSession, scope: Scope) => Promise<void>;

export function createStartSession(context: ApiContext): StartSession {
  const { temporal, logger, config } = context;
  const recordStart = createStartRecorder(context);
  let relayOnlyUntil = 0;
  return async (session, scope) => {
    if (performance.now() < relayOnlyUntil) return;
    const start = sessionStart(
      {
        id: session.id,
        ...scope,
        productName: session.product_name,
        amount: session.amount,
        currency: session.currency,
        expiresAt: session.expires_at,
        msToExpiry: session.ms_to_expiry,
      },
      config.session,
    );
    try {
      await withinRequest(temporal, () =>
        unlessStarted(() => temporal.workflow.start(sessionWorkflow(start.workflowId), start)),
      );
    } catch (error) {
      relayOnlyUntil = performance.now() + LEAVE_TO_RELAY_MS;
      logger.warn({ checkoutId: session.id, err: error }, 'workflow not started; the relay will start it');
      return;
    }
    recordStart(session.id);
  };
}

/**
 * Records started workflows without delaying requests. If a record is lost, the relay starts the workflow again and
 * finds it running. Starts within GATHER_MS share one write, long before the relay looks for missing records.
 */
function createStartRecorder({ pool, logger }: ApiContext): (checkoutId: string) => void {
  let started: string[] = [];
  let writing = false;
  async function write(): Promise<void> {
    writing = true;
    while (started.length > 0) {
      await pause(GATHER_MS);
      const checkoutIds = started;
      started = [];
      await markStarted(pool, 'checkouts', checkoutIds).catch((error) =>
        logger.warn({ checkoutIds, err: error }, 'workflow starts could not be recorded'),
      );
    }
    writing = false;
  }
  return (checkoutId) => {
    started.push(checkoutId);
    if (!writing) void write();
  };
}
