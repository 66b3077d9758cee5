/**
 * The checkout workflow with real parts in this process: a database, a Temporal namespace, the sandbox rail with a
 * separate database, and a worker. Without HTTP: clicks are stored and sent as the page's server does.
 */
import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import type { WorkerDeploymentVersion } from '@temporalio/common';
import { NativeConnection } from '@temporalio/worker';
import { type Logger, pino } from 'pino';
import { z } from 'zod';
import type { PageAddresses } from '../../../activities/core/subject-links.ts';
import { type Activities, createActivities } from '../../../activities/index.ts';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { insertClick } from '../../../db/session/clicks.ts';
import { loadSessionView } from '../../../db/session/core/session-view.ts';
import { findSessionToStart } from '../../../db/session/session-sweep.ts';
import type { LookupTimings } from '../../../domain/core/lookup-schedule.ts';
import type { PayAnswer, SessionView } from '../../../domain/session/session.ts';
import type { SecretBox } from '../../../platform/secrets/encryption.ts';
import { methodTokenOf, railCredentialOf } from '../../../platform/secrets/places.ts';
import { wakeAfterCommits } from '../../../platform/temporal/wake-endpoints.ts';
import type { Rail } from '../../../rail/rail.ts';
import { createSandboxRail } from '../../../rail/sandbox/index.ts';
import { type SandboxRail, startSandboxRail } from '../../../sandbox/rail/server.ts';
import { workflowBundle } from '../../../sandbox/stack/temporal/workflow-bundle.ts';
import { createWorkers } from '../../../worker/task-queue-workers.ts';
import { CHECKOUT_WORKFLOW, payUpdate } from '../../../workflows/session/session-messages.ts';
import { sessionStart } from '../../../workflows/session/session-start.ts';
import { pauseSince } from '../core/eventually.ts';
import { insertSession, insertShop, type Shop, TEST_PEPPER, testSecretBox } from '../db/fixtures.ts';
import { createEmptyDatabase, createTestDatabase } from '../db/postgres.ts';
import { createTestNamespace } from '../temporal/temporal.ts';
import '../temporal/quiet-temporal.ts';

const QUICK_TIMINGS: LookupTimings = { reconcileSeconds: [1, 1, 1], reconcileLongSeconds: [2] };

export interface WorldOptions {
  readonly timings?: LookupTimings;
  readonly railCallTimeoutSeconds?: number;
  /** A migrated database on another server than the shared one. */
  readonly databaseUrl?: string;
  readonly challengeSeconds?: number;
  readonly pages?: PageAddresses;
  /** The activities' box; by default it opens values encrypted by `testSecretBox`. */
  readonly secretBox?: SecretBox;
  /** How long a workflow task waits for the rail, read at each charge. */
  readonly withinTaskMs?: () => number;
  /** Another server than the shared one, for example one that skips time. */
  readonly temporal?: {
    readonly client: Client;
    readonly nativeConnection: NativeConnection;
    readonly namespace: string;
  };
  /** Called before every activity: a test that skips time moves the database's clock here. */
  readonly beforeActivity?: (pool: Pool) => Promise<void>;
  /** Silent unless `TEST_LOG_LEVEL` is set. */
  readonly logger?: Logger;
  readonly wrapRail?: (rail: Rail) => Rail;
  /** The activities' pool. */
  readonly wrapPool?: (pool: Pool) => Pool;
  /** Wraps the activities, for example to break something between an activity's work and its return. */
  readonly wrapActivities?: (activities: Activities) => Activities;
}

export type SessionWorld = Awaited<ReturnType<typeof createSessionWorld>>;

export async function createSessionWorld(options: WorldOptions = {}) {
  const { timings = QUICK_TIMINGS } = options;
  const [database, railDatabase] = await Promise.all([
    options.databaseUrl ? { url: options.databaseUrl, drop: async () => {} } : createTestDatabase(),
    createEmptyDatabase(),
  ]);
  const pool = await openPool({ url: database.url });
  const railServer: SandboxRail = await startSandboxRail({
    databaseUrl: railDatabase.url,
    accounts: [],
    settleAfterMs: 1_500,
  });
  const sandbox = createSandboxRail({ baseUrl: railServer.url });
  const rail = options.wrapRail?.(sandbox) ?? sandbox;
  const temporal = options.temporal ?? (await connect());
  const shop = await insertShop(pool);
  await useRailAccount(pool, railServer, shop);
  const deps = activityDeps(options, timings, pool, database.url, temporal.client, rail);
  for (const each of new Set([pool, deps.pool])) wakeAfterCommits(each, temporal.client, deps.logger);
  const workers = workersOf(options, deps, pool, temporal);
  const sessionsOf =
    (of: Shop) =>
    async (
      productId = of.products.oneTime,
      values: Parameters<typeof insertSession>[3] = {},
    ): Promise<string> => {
      const { id } = await insertSession(pool, of, productId, values);
      await world.startWorkflowOf(id);
      return id;
    };

  const world = {
    /** Dependencies of the activities. */
    deps,
    pool,
    databaseUrl: database.url,
    client: temporal.client,
    namespace: temporal.namespace,
    shop,
    railUrl: railServer.url,
    faults: railServer.faults,
    timings,
    ...workers,
    ...buyerOf(temporal.client, pool, railServer.url, shop),
    ...observationsOf(pool, railServer.url, shop),

    /** A session with its workflow, as `POST /v1/checkouts` makes it. */
    session: sessionsOf(shop),

    /** The same world with another merchant as the seller. */
    async neighbour() {
      const other = await insertShop(pool);
      await useRailAccount(pool, railServer, other);
      const buyer = buyerOf(temporal.client, pool, railServer.url, other);
      const observations = observationsOf(pool, railServer.url, other);
      return { ...world, ...buyer, ...observations, shop: other, session: sessionsOf(other) };
    },

    async startWorkflowOf(checkoutId: string): Promise<void> {
      const row = await findSessionToStart(pool, checkoutId);
      if (!row) throw new Error(`${checkoutId} cannot be started`);
      await temporal.client.workflow.start(CHECKOUT_WORKFLOW, sessionStart(row, deps.session));
    },

    async close(): Promise<void> {
      await workers.stopWorker();
      await railServer.close();
      await pool.end();
      if (!options.temporal) {
        await temporal.nativeConnection.close();
        await temporal.client.connection.close();
      }
      await Promise.all([database.drop(), railDatabase.drop()]);
    },
  };
  return world;
}

function activityDeps(
  options: WorldOptions,
  timings: LookupTimings,
  pool: Pool,
  databaseUrl: string,
  client: Client,
  rail: Rail,
) {
  const { railCallTimeoutSeconds = 5, challengeSeconds = 600, secretBox = testSecretBox } = options;
  return {
    pool: options.wrapPool?.(pool) ?? pool,
    databaseUrl,
    client,
    rails: new Map([[rail.name, rail]]),
    secretBox,
    apiKeyPepper: TEST_PEPPER,
    logger: options.logger ?? pino({ level: process.env.TEST_LOG_LEVEL ?? 'silent' }),
    session: {
      railCallTimeoutSeconds,
      challengeSeconds,
      maxAttempts: 3,
      timings,
      get withinTaskMs() {
        return options.withinTaskMs?.();
      },
    },
    billing: { dunningLadderDays: [2, 7, 14, 21] },
    ...(options.pages && { pages: options.pages }),
    webhooks: { scheduleSeconds: [0, 1, 1], jitter: 0, timeoutSeconds: 5, allowLoopback: true },
    challengeReturnUrl: (pageToken: string) => `https://pay.example/pay/${pageToken}/challenge/return`,
  };
}

function workersOf(
  options: WorldOptions,
  deps: ReturnType<typeof activityDeps>,
  pool: Pool,
  temporal: Awaited<ReturnType<typeof connect>>,
) {
  const stops: (() => Promise<void>)[] = [];
  return {
    /** @param version of a worker that runs alongside the current one @returns a function that stops it */
    async startWorker(version?: WorkerDeploymentVersion): Promise<() => Promise<void>> {
      const created = createActivities(deps);
      const activities = options.wrapActivities?.(created) ?? created;
      const watched = options.beforeActivity
        ? before(activities, () => options.beforeActivity?.(pool))
        : activities;
      const all = await createWorkers({
        connection: temporal.nativeConnection,
        namespace: temporal.namespace,
        bundle: { codePath: await workflowBundle() },
        activities: { sandbox: watched, production: watched },
        inThisThread: true,
        ...(version && { version }),
      });
      const running = Promise.all(all.map((worker) => worker.run()));
      const stop = async () => {
        for (const worker of all) if (worker.getState() === 'RUNNING') worker.shutdown();
        await running;
      };
      stops.push(stop);
      return stop;
    },

    async stopWorker(): Promise<void> {
      await Promise.all(stops.splice(0).map((stop) => stop()));
    },
  };
}

function buyerOf(client: Client, pool: Pool, railUrl: string, shop: Shop) {
  const buyer = {
    /** Far in the future: most tests that move clocks by years do not expect an expired card. */
    cardExpiry: { expMonth: 12, expYear: 2_099 },

    /** A click on "Pay" with a test card. */
    async pay(checkoutId: string, card: string, claimId: string = randomUUID()): Promise<PayAnswer> {
      await buyer.storeClick(checkoutId, card, claimId);
      return buyer.sendPay(checkoutId, claimId);
    },

    async storeClick(
      checkoutId: string,
      card: string,
      claimId: string,
      validSeconds = 30,
      keepsMethod = false,
    ): Promise<void> {
      const token = await railPost(`${railUrl}/tokens`, {
        account: shop.railAccountId,
        number: card,
        ...buyer.cardExpiry,
        cvc: '123',
      });
      const methodToken = testSecretBox.seal((token as { token: string }).token, methodTokenOf(claimId));
      const request = {
        claimId,
        checkoutId,
        methodType: 'card',
        methodToken,
        email: 'canary-buyer@example.eu',
        keepsMethod,
      };
      if (!(await insertClick(pool, request, validSeconds))) throw new Error('the session is not payable');
    },

    sendPay(checkoutId: string, claimId: string): Promise<PayAnswer> {
      return client.workflow
        .getHandle(checkoutId)
        .executeUpdate(payUpdate, { args: [{ claimId }], updateId: claimId });
    },

    /** Answers the open challenge as the buyer would. @returns the address that the bank redirects to */
    async answerChallenge(checkoutId: string, result: 'approve' | 'fail'): Promise<string | null> {
      const url = await pool.oneFirst(sql.type(z.object({ challenge_url: z.string() }))`
        select challenge_url from payments where checkout_id = ${checkoutId} and status = 'requires_action'
      `);
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ result }),
        redirect: 'manual',
      });
      if (response.status !== 303) throw new Error(`the challenge page answered ${response.status}`);
      return response.headers.get('location');
    },
  };
  return buyer;
}

function observationsOf(pool: Pool, railUrl: string, shop: Shop) {
  return {
    view: (checkoutId: string) => loadSessionView(pool, checkoutId),

    async until(checkoutId: string, state: SessionView['state'], withinMs = 60_000): Promise<SessionView> {
      for (const start = performance.now(); ; await pauseSince(start)) {
        const view = await loadSessionView(pool, checkoutId);
        if (view.state === state) return view;
        if (performance.now() - start > withinMs)
          throw new Error(`${checkoutId} is ${JSON.stringify(view)}, not ${state}`);
      }
    },

    /** The rail's money movements, in order. */
    async ledger(): Promise<readonly LedgerEntry[]> {
      const response = await fetch(`${railUrl}/ledger?account=${shop.railAccountId}`);
      return (await response.json()) as LedgerEntry[];
    },

    /** Requests to the rail, in order. */
    async railRequests(): Promise<readonly { operation: string; reference: string | null }[]> {
      const response = await fetch(`${railUrl}/requests?account=${shop.railAccountId}`);
      return (await response.json()) as { operation: string; reference: string | null }[];
    },

    async payments(checkoutId: string) {
      return pool.any(sql.type(
        z.object({ id: z.string(), status: z.string(), failure_code: z.string().nullable() }),
      )`
        select id, status, failure_code from payments where checkout_id = ${checkoutId} order by attempt_no
      `);
    },

    async events(): Promise<readonly string[]> {
      return pool.anyFirst(sql.type(z.object({ type: z.string() }))`
        select type from events where merchant_id = ${shop.merchantId} order by occurred_at
      `);
    },
  };
}

async function useRailAccount(pool: Pool, railServer: SandboxRail, { railAccountId }: Shop): Promise<void> {
  const secret = `secret-${randomUUID()}`;
  await railServer.putAccount({ id: railAccountId, secret });
  const credential = testSecretBox.seal(
    JSON.stringify({ account: railAccountId, secret, webhookSecret: 'webhook-secret-of-tests' }),
    railCredentialOf(railAccountId),
  );
  await pool.query(sql.unsafe`
    update rail_accounts set credential = ${sql.binary(credential)} where id = ${railAccountId}
  `);
}

async function railPost(url: string, body: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

interface LedgerEntry {
  readonly reference: string;
  readonly operation: string;
  readonly amount: number;
  readonly currency: string;
  readonly outcome: string;
  readonly at: string;
}

async function connect() {
  const { address, namespace } = await createTestNamespace();
  const [connection, nativeConnection] = await Promise.all([
    Connection.connect({ address }),
    NativeConnection.connect({ address }),
  ]);
  return { client: new Client({ connection, namespace }), nativeConnection, namespace };
}

/** The same activities, each preceded by `first`. */
function before<T extends object>(activities: T, first: () => Promise<void> | undefined): T {
  const wrapped = Object.entries(activities).map(([name, activity]) => [
    name,
    async (...args: unknown[]) => {
      await first();
      return (activity as (...args: unknown[]) => unknown)(...args);
    },
  ]);
  return Object.fromEntries(wrapped) as T;
}
