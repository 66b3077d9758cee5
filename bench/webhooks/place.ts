/** A PostgreSQL and a Temporal server for one measurement, with a merchant and the children. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, Connection } from '@temporalio/client';
import { makeWorkerUtils } from 'graphile-worker';
import { z } from 'zod';
import { createWebhookSecret } from '../../contract/webhook-signature.ts';
import type { EndpointRef } from '../../db/events.ts';
import { migrate } from '../../db/migrate.ts';
import { openPool, sql } from '../../db/pool.ts';
import { SecretBox } from '../../db/secret-box.ts';
import { cacheDir } from '../../sandbox/stack/places.ts';
import { freePort } from '../../sandbox/stack/ports.ts';
import { ensureDatabase, startPostgres } from '../../sandbox/stack/postgres.ts';
import { createProgress } from '../../sandbox/stack/progress.ts';
import { findTemporal } from '../../sandbox/stack/temporal-binary.ts';
import { startTemporal } from '../../sandbox/stack/temporal-dev.ts';
import type { Arrival, Order, Report, Setting } from './messages.ts';

export type Place = Awaited<ReturnType<typeof preparePlace>>;

export async function preparePlace() {
  const dir = await mkdtemp(join(tmpdir(), 'bench-webhooks-'));
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

  const progress = createProgress((line) => console.error(line));
  const binary = await findTemporal({ env: process.env, cacheDir: cacheDir(process.env), progress });
  const temporal = await startTemporal({ binary, port: await freePort(), dbFile: join(dir, 'temporal.db') });
  const connection = await Connection.connect({ address: temporal.address });
  const client = new Client({ connection });

  const pool = await openPool({ url: databaseUrl, maxConnections: 16, statementTimeoutMs: 120_000 });
  const receiver = await startChild('receiver.ts', {});
  const secret = createWebhookSecret();
  const secretsKey = Buffer.alloc(32, 3).toString('base64');
  const setting: Setting = {
    databaseUrl,
    temporalAddress: temporal.address,
    receiverUrl: `http://127.0.0.1:${receiver.port}/hooks`,
    secret,
    secretsKey,
  };
  const id = z.object({ id: z.string() });

  /** A merchant with one endpoint. */
  async function openShop(url: string): Promise<EndpointRef> {
    const merchantId = await pool.oneFirst(
      sql.type(id)`insert into merchants (name) values ('Bench') returning id`,
    );
    const endpointId = await pool.oneFirst(sql.type(id)`
      insert into webhook_endpoints (merchant_id, environment, url, secret)
      values (${merchantId}, 'sandbox', ${url}, ${sql.binary(new SecretBox(secretsKey).seal(secret))})
      returning id`);
    return { endpointId, merchantId, environment: 'sandbox' };
  }

  return {
    pool,
    client,
    openShop,
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
      await Promise.all([pool.end(), connection.close()]);
      await Promise.all([postgres.part.stop(), temporal.part.stop()]);
    },
  };
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
    throw new Error(`${script} ended with code ${code}`);
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
