/**
 * Tells endpoints' workflows that something is due. To be called after the commit that wrote the deliveries.
 * A wake-up that fails is tried again, since other writers rely on it (`endpointsToWake`); after that it is late
 * and not lost: the deliveries are in the database, and the sweep signals every endpoint that is overdue
 * (rule 22).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { Db } from '../db/core/pool.ts';
import { type EndpointRef, endpointsToWake } from '../db/webhook/events.ts';
import { wakeSignal } from '../workflows/core/messages.ts';
import { DELIVER_EVENTS_WORKFLOW, deliverEventsStart } from '../workflows/webhook/endpoint-messages.ts';
import { Turns } from './turns.ts';

const DEADLINE_MS = 2_000;
const SIGNALS = 3;
const PAUSE_MS = 500;

export interface WakeLogger {
  warn(details: object, message: string): void;
}

/** Starts the workflows that do not run yet and signals the others. Never throws. */
export async function wakeEndpoints(
  client: Client,
  endpoints: readonly EndpointRef[],
  logger: WakeLogger,
): Promise<void> {
  await Promise.all(endpoints.map((endpoint) => wake(client, endpoint, logger)));
}

interface WakeDeps {
  readonly pool: Db;
  readonly client: Client;
  readonly logger: WakeLogger;
}

/**
 * The whole step after a commit: asks which endpoints of these events sleep too long, and wakes them. Many
 * commits at once share a question, which costs as much for one event as for ten. Never throws.
 */
export async function wakeEndpointsOf(deps: WakeDeps, eventIds: readonly string[]): Promise<void> {
  const { woken } = await questionsOf(deps).ask(eventIds);
  await woken;
}

/** Apart from the question, so that nobody's question waits for somebody else's signal. */
interface Waking {
  readonly woken: Promise<void>;
}
const questions = new WeakMap<Db, Turns<string, Waking>>();

function questionsOf({ pool, client, logger }: WakeDeps): Turns<string, Waking> {
  const known = questions.get(pool);
  if (known) return known;
  const made = new Turns<string, Waking>(async (eventIds) => {
    try {
      return { woken: wakeEndpoints(client, await endpointsToWake(pool, eventIds), logger) };
    } catch (error) {
      logger.warn({ eventIds, err: error }, 'endpoints not woken; the sweep will');
      return { woken: Promise.resolve() };
    }
  });
  questions.set(pool, made);
  return made;
}

async function wake(client: Client, endpoint: EndpointRef, logger: WakeLogger): Promise<void> {
  for (let sent = 1; ; sent += 1) {
    try {
      await signal(client, endpoint);
      return;
    } catch (error) {
      if (sent === SIGNALS) {
        logger.warn({ endpointId: endpoint.endpointId, err: error }, 'endpoint not woken; the sweep will');
        return;
      }
      await pause(PAUSE_MS);
    }
  }
}

async function signal(client: Client, endpoint: EndpointRef): Promise<void> {
  await client.withDeadline(Date.now() + DEADLINE_MS, () =>
    client.workflow.signalWithStart(DELIVER_EVENTS_WORKFLOW, {
      ...deliverEventsStart(endpoint),
      signal: wakeSignal,
      signalArgs: [],
    }),
  );
}
