/** Webhook delivery as in production, with a separate namespace and database. */
import { Client, Connection } from '@temporalio/client';
import { workflowBundle } from '../../../sandbox/stack/temporal/workflow-bundle.ts';
import '../temporal/quiet-temporal.ts';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { PageAddresses } from '../../../activities/core/subject-links.ts';
import type { WebhookSettings } from '../../../activities/core/webhook-settings.ts';
import { createDeliverActivities, type DeliverActivities } from '../../../activities/webhook/deliver.ts';
import { openPool, type Pool } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { type EventToRecord, recordEvent } from '../../../db/webhook/events.ts';
import { wakeAfterCommits } from '../../../platform/temporal/wake-endpoints.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import { createTestDatabase } from '../db/postgres.ts';
import { secretBox } from '../db/webhooks.ts';
import { createTestNamespace, type TestNamespace } from '../temporal/temporal.ts';

const quietLogger = { warn() {}, error() {}, info() {} };

/** Short waits, no jitter, receivers on this machine, which may respond only after seconds under load. */
export const QUICK: WebhookSettings = {
  scheduleSeconds: [0, 1, 2],
  jitter: 0,
  timeoutSeconds: 20,
  allowLoopback: true,
  idleSeconds: 0.5,
};

export interface Delivery {
  readonly pool: Pool;
  readonly client: Client;
  /** Like a state change: event in a transaction, wake-up after the commit. @returns the event's id */
  record(event: EventToRecord): Promise<string>;
  stop(): Promise<void>;
}

interface TemporalConnections {
  readonly client: Client;
  readonly nativeConnection: NativeConnection;
  readonly namespace: string;
}

export interface DeliveryPlace {
  /** Defaults to a new database, dropped afterwards. */
  readonly databaseUrl?: string;
  /** Defaults to a new namespace. */
  readonly temporal?: TestNamespace | TemporalConnections;
  readonly pages?: PageAddresses;
  /** Runs before each drain. */
  readonly beforeDrain?: (pool: Pool) => Promise<void>;
  /** The worker's slots; defaults to the SDK's hundred. */
  readonly drainsAtOnce?: number;
}

export async function startDelivery(
  webhooks: WebhookSettings = QUICK,
  place: DeliveryPlace = {},
): Promise<Delivery> {
  const ownDatabase = place.databaseUrl ? undefined : await createTestDatabase();
  const databaseUrl = place.databaseUrl ?? ownDatabase?.url ?? '';
  const pool = await openPool({ url: databaseUrl });
  const temporal = await connect(place.temporal ?? (await createTestNamespace()));
  const { client, nativeConnection, namespace } = temporal;
  wakeAfterCommits(pool, client, quietLogger);
  const deps = { pool, databaseUrl, client, secretBox, webhooks, logger: quietLogger, pages: place.pages };
  const activities = createDeliverActivities(deps);
  const deliverDue: DeliverActivities['deliverDue'] = async (endpoint) => {
    await place.beforeDrain?.(pool);
    return activities.deliverDue(endpoint);
  };
  const worker = await Worker.create({
    connection: nativeConnection,
    namespace,
    taskQueue: taskQueue('webhooks', 'sandbox'),
    workflowBundle: { codePath: await workflowBundle() },
    // Workflow code in this thread: another one takes 0.4 s of CPU time to start.
    debugMode: true,
    activities: { ...activities, deliverDue },
    ...(place.drainsAtOnce !== undefined && { maxConcurrentActivityTaskExecutions: place.drainsAtOnce }),
    shutdownGraceTime: '0 s',
  });
  const running = worker.run();
  return {
    pool,
    client,
    record: (event) => inTransaction(pool, (tx) => recordEvent(tx, event)),
    async stop() {
      worker.shutdown();
      await running;
      await temporal.close();
      await pool.end();
      await ownDatabase?.drop();
    },
  };
}

async function connect(place: TestNamespace | TemporalConnections) {
  if ('client' in place) return { ...place, close: async () => {} };
  const { address, namespace } = place;
  const connection = await Connection.connect({ address });
  const nativeConnection = await NativeConnection.connect({ address });
  const close = async () => {
    await Promise.all([nativeConnection.close(), connection.close()]);
  };
  return { client: new Client({ connection, namespace }), nativeConnection, namespace, close };
}
