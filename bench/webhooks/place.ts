/** The benchmark's environment: PostgreSQL, Temporal, merchants and child processes. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { makeWorkerUtils } from 'graphile-worker';
import { z } from 'zod';
import { createWebhookSecret } from '../../contract/webhook/webhook-signature.ts';
import { migrate } from '../../db/core/migrate.ts';
import { openPool, type Pool, sql } from '../../db/core/pool.ts';
import type { EndpointRef } from '../../db/webhook/events.ts';
import { newWebhookEndpointId } from '../../db/webhook/webhook-endpoints.ts';
import { cacheDir } from '../../sandbox/stack/core/directories.ts';
import { freePort } from '../../sandbox/stack/core/ports.ts';
import { createProgress } from '../../sandbox/stack/core/progress.ts';
import { ensureDatabase, type Postgres, startPostgres } from '../../sandbox/stack/postgres/postgres.ts';
import { findTemporal } from '../../sandbox/stack/temporal/temporal-binary.ts';
import { startTemporal, type TemporalServer } from '../../sandbox/stack/temporal/temporal-dev.ts';
import { webhookSecretOf } from '../../secrets/places.ts';
import { SecretBox } from '../../secrets/secret-box.ts';
import { wakeAfterCommits } from '../../temporal/wake-endpoints.ts';
import type { Arrival, Order, Report, Setting } from './messages.ts';

export type Place = Awaited<ReturnType<typeof preparePlace>>;

export async function preparePlace() {
  const dir = await mkdtemp(join(tmpdir(), 'bench-webhooks-'));
  const postgres = await startDatabase(dir);
  const databaseUrl = postgres.url('bench');
  const temporal = await startTemporalServer(dir);
  const connection = await Connection.connect({ address: temporal.address });
  const pool = await openPool({ url: databaseUrl, maxConnections: 16, statementTimeoutMs: 120_000 });
  const wakingPool = await openPool({ url: databaseUrl, maxConnections: 16 });
  const client = new Client({ connection });
  wakeAfterCommits(wakingPool, client, { warn: (_details, message) => console.warn(message) });
  const receiver = await startChild('receiver.ts', {});
  const setting: Setting = {
    databaseUrl,
    temporalAddress: temporal.address,
    receiverUrl: `http://127.0.0.1:${receiver.port}/hooks`,
    secret: createWebhookSecret(),
    secretsKey: Buffer.alloc(32, 3).toString('base64'),
  };
  return {
    pool,
    wakingPool,
    client,
    openShop: (url: string) => openShop(pool, setting, url),
    urls: {
      good: setting.receiverUrl,
      hanging: setting.receiverUrl.replace('/hooks', '/hanging'),
      dead: 'http://127.0.0.1:1/hooks',
    },
    pids: { postgres: postgres.part.pid, temporal: temporal.part.pid },
    receiver: {
      forget: () => void receiver.order({ kind: 'forget' }),
      async arrivals(): Promise<readonly Arrival[]> {
        const answer = receiver.next('arrivals');
        receiver.order({ kind: 'report' });
        return (await answer).arrivals;
      },
    },
    start: (script: string, env: NodeJS.ProcessEnv = {}) =>
      startChild(script, { ...env, BENCH_SETTING: JSON.stringify(setting) }),
    async end() {
      receiver.kill();
      await Promise.all([pool.end(), wakingPool.end(), connection.close()]);
      await Promise.all([postgres.part.stop(), temporal.part.stop()]);
    },
  };
}

/** PostgreSQL with a database that has our schema and graphile-worker's. */
async function startDatabase(dir: string): Promise<Postgres> {
  const postgres = await startPostgres({
    dataDir: join(dir, 'data'),
    port: await freePort(),
    password: 'bench',
    settings: { shared_buffers: '256MB', max_connections: '100' },
    removeAfter: dir,
  });
  await ensureDatabase(postgres, 'bench');
  const databaseUrl = postgres.url('bench');
  await migrate(databaseUrl);
  const utils = await makeWorkerUtils({ connectionString: databaseUrl });
  await utils.migrate();
  await utils.release();
  return postgres;
}

async function startTemporalServer(dir: string): Promise<TemporalServer> {
  const progress = createProgress((line) => console.error(line));
  const binary = await findTemporal({ env: process.env, cacheDir: cacheDir(process.env), progress });
  return startTemporal({ binary, port: await freePort(), dbFile: join(dir, 'temporal.db') });
}

const idRow = z.object({ id: z.string() });

/** Creates a merchant with one endpoint. */
async function openShop(pool: Pool, { secret, secretsKey }: Setting, url: string): Promise<EndpointRef> {
  const merchantId = await pool.oneFirst(
    sql.type(idRow)`insert into merchants (name) values ('Bench') returning id`,
  );
  const endpointId = await newWebhookEndpointId(pool);
  const sealed = new SecretBox(secretsKey).seal(secret, webhookSecretOf(endpointId));
  await pool.query(sql.unsafe`
    insert into webhook_endpoints (id, merchant_id, environment, url, secret)
    values (${endpointId}, ${merchantId}, 'sandbox', ${url}, ${sql.binary(sealed)})`);
  return { endpointId, merchantId, environment: 'sandbox' };
}

export interface Child {
  readonly pid: number;
  readonly port: number | undefined;
  order(order: Order): void;
  next<Kind extends Report['kind']>(kind: Kind): Promise<Extract<Report, { kind: Kind }>>;
  kill(): void;
}

async function startChild(script: string, env: NodeJS.ProcessEnv): Promise<Child> {
  const child: ChildProcess = fork(join(import.meta.dirname, script), { env: { ...process.env, ...env } });
  const next: Child['next'] = async (kind) => {
    for (;;) {
      const [message] = (await once(child, 'message')) as [Report];
      if (message.kind === kind) return message as Extract<Report, { kind: typeof kind }>;
    }
  };
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`${script} exited with code ${code}`);
  });
  failed.catch(() => {});
  const { port } = await Promise.race([next('ready'), failed]);
  return {
    pid: child.pid ?? 0,
    port,
    order: (order) => void child.send(order),
    next,
    kill: () => void child.kill('SIGKILL'),
  };
}
