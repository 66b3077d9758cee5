/**
 * Tells endpoints' workflows that something is due. To be called after the commit that wrote the deliveries.
 * A wake-up that fails is harmless: the deliveries are in the database, and the sweep signals every endpoint
 * that is overdue (money-safety rule 22).
 */
import type { Client } from '@temporalio/client';
import { type EndpointRef, endpointsToWake } from '../db/events.ts';
import type { Db } from '../db/pool.ts';
import { deliverEventsStart } from '../workflows/endpoint-messages.ts';
import { DELIVER_EVENTS_WORKFLOW, wakeSignal } from '../workflows/messages.ts';

const DEADLINE_MS = 2_000;

export interface WakeLogger {
  warn(details: object, message: string): void;
}

/** Starts the workflows that do not run yet and signals the others. Never throws. */
export async function wakeEndpoints(
  client: Client,
  endpoints: readonly EndpointRef[],
  logger: WakeLogger,
): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => wakeOnce(client, endpoint, logger)));
}

/** The whole step after a commit: asks which endpoints of these events sleep too long, and wakes them. Never throws. */
export async function wakeEndpointsOf(
  deps: { readonly pool: Db; readonly client: Client; readonly logger: WakeLogger },
  eventIds: readonly string[],
): Promise<void> {
  try {
    await wakeEndpoints(deps.client, await endpointsToWake(deps.pool, eventIds), deps.logger);
  } catch (error) {
    deps.logger.warn({ eventIds, err: error }, 'endpoints not woken; the sweep will');
  }
}

interface Waking {
  readonly underWay: Promise<void>;
  /** For all who came while one was under way. */
  next?: Promise<void>;
}
const waking = new WeakMap<Client, Map<string, Waking>>();

/**
 * One signal at a time to each endpoint, and one more for all who asked meanwhile: a burst of events to an
 * endpoint that is just waking up must not become a burst of signals. The one under way is not enough for
 * those: the workflow may have looked before their commit.
 */
function wakeOnce(client: Client, endpoint: EndpointRef, logger: WakeLogger): Promise<void> {
  const ofClient = waking.get(client) ?? new Map<string, Waking>();
  waking.set(client, ofClient);
  const { endpointId } = endpoint;
  const current = ofClient.get(endpointId);
  if (current) {
    current.next ??= current.underWay.then(() => wakeOnce(client, endpoint, logger));
    return current.next;
  }
  const underWay = signal(client, endpoint, logger).finally(() => ofClient.delete(endpointId));
  ofClient.set(endpointId, { underWay });
  return underWay;
}

async function signal(client: Client, endpoint: EndpointRef, logger: WakeLogger): Promise<void> {
  try {
    await client.withDeadline(Date.now() + DEADLINE_MS, () =>
      client.workflow.signalWithStart(DELIVER_EVENTS_WORKFLOW, {
        ...deliverEventsStart(endpoint),
        signal: wakeSignal,
        signalArgs: [],
      }),
    );
  } catch (error) {
    logger.warn({ endpointId: endpoint.endpointId, err: error }, 'endpoint not woken; the sweep will');
  }
}
