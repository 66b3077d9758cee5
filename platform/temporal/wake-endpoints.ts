/**
 * Signals endpoints' workflows that deliveries are due. Call it after the commit that wrote them. A failed
 * wake-up is retried, since other writers rely on it (`endpointsToWake`). If it still fails, the delivery is
 * late but not lost: the sweep signals every overdue endpoint (rule 22).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Pool } from '../../db/core/pool.ts';
import { endpointsToWake } from '../../db/webhook/endpoint-sleep.ts';
import { type EndpointRef, onEvents } from '../../db/webhook/events.ts';
import { wakeSignal } from '../../workflows/core/messages.ts';
import { DELIVER_EVENTS_WORKFLOW, deliverEventsStart } from '../../workflows/webhook/endpoint-messages.ts';
import type { Log } from '../observability/logger.ts';
import { coalesced } from './coalesce.ts';

const DEADLINE_MS = 2_000;
const TRIES = 3;
const PAUSE_MS = 500;

/** Starts the endpoint's workflow or signals it. Never throws. */
export async function wakeEndpoint(
  client: Client,
  endpoint: EndpointRef,
  logger: Pick<Log, 'warn'>,
  tries = TRIES,
): Promise<void> {
  for (let tried = 1; ; tried += 1) {
    try {
      await client.withDeadline(Date.now() + DEADLINE_MS, () =>
        client.workflow.signalWithStart(DELIVER_EVENTS_WORKFLOW, {
          ...deliverEventsStart(endpoint),
          signal: wakeSignal,
          signalArgs: [],
        }),
      );
      return;
    } catch (error) {
      if (tried === tries) {
        const { endpointId } = endpoint;
        logger.warn({ endpointId, err: error }, 'endpoint not signalled; the sweep will signal it');
        return;
      }
      await pause(PAUSE_MS);
    }
  }
}

/**
 * Registers a listener for this pool: after each commit that recorded events, their sleeping endpoints are found and
 * woken. Concurrent commits share one query, which costs the same for one event as for ten. Queries do not wait for
 * signals, and writers wait for neither.
 */
export function wakeAfterCommits(pool: Pool, client: Client, logger: Pick<Log, 'warn'>): void {
  const wake = coalesced<string>(async (eventIds) => {
    try {
      for (const endpoint of await endpointsToWake(pool, eventIds))
        void wakeEndpoint(client, endpoint, logger);
    } catch (error) {
      logger.warn({ eventIds, err: error }, 'endpoints not signalled; the sweep will signal them');
    }
  });
  onEvents(pool, wake);
}
