/**
 * The service as it runs in production, on one machine: two API processes behind a balancer, two workers, PostgreSQL,
 * Temporal, the sandbox rail with a database of its own, and a link that can be broken between any two of them.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { prepareDatabase } from '../../../../bin/prepare-database.ts';
import { freePort, type Ports } from '../../../../sandbox/stack/core/ports.ts';
import { demoMerchants, productIds } from '../../../../sandbox/stack/demo/demo-merchants.ts';
import { newIdentityKey } from '../../../../sandbox/stack/demo/secrets.ts';
import { addressesOf, partsOf } from '../../../../sandbox/stack/parts.ts';
import { ensureDatabase } from '../../../../sandbox/stack/postgres/postgres.ts';
import { workflowBundle } from '../../../../sandbox/stack/temporal/workflow-bundle.ts';
import type { Recorder } from '../core/record.ts';
import { type Link, openLink } from './link.ts';
import { type Plant, preloaded } from './preloads.ts';
import { type Supervised, supervise } from './process.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { type Database, openDatabase, openTemporalServer, type Temporal } from './servers.ts';

/** Waits of minutes and days, in seconds. A rail call ends before a frozen process wakes up. */
const SHORT_TIMES = {
  RECONCILE_SCHEDULE_SECONDS: '1,1,2,2,3',
  RECONCILE_LONG_SCHEDULE_SECONDS: '3',
  WEBHOOK_SCHEDULE_SECONDS: `0,1,1,2,2,${Array(40).fill('4').join()}`,
  WEBHOOK_JITTER: '0',
  WEBHOOK_TIMEOUT_SECONDS: '4',
  RAIL_CALL_TIMEOUT_SECONDS: '4',
  CHALLENGE_LIFETIME_SECONDS: '25',
  // No thread for the workflows of each queue: half of the processor time that a worker's start takes.
  TEMPORAL_DEBUG: '1',
  LOG_LEVEL: 'info',
};

export interface Place {
  readonly apiUrl: string;
  readonly railUrl: string;
  readonly merchant: { readonly id: string; readonly apiKey: string; readonly railAccountId: string };
  readonly storefront: { readonly clientId: string; readonly origin: string };
  readonly products: Readonly<Record<'oneTime' | 'recurring' | 'trial', string>>;
  readonly references: readonly string[];
  readonly secrets: readonly string[];
  readonly railWebhookSecret: string;
  readonly workers: readonly Supervised[];
  readonly apis: readonly Supervised[];
  readonly rail: Supervised;
  readonly links: readonly Link[];
  readonly receiver: Receiver;
  readonly database: Database;
  readonly temporal: Temporal;
  readonly logFiles: readonly string[];
  /** What commands of operators need. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export interface PlaceOptions {
  readonly dir: string;
  readonly recorder: Recorder;
  readonly isTemporalOnPostgres: boolean;
  readonly sessionSeconds: number;
  /** Processes of the service have failpoints, armed while this directory exists. */
  readonly failpointsDir?: string;
  readonly plant?: Plant;
}

export async function openPlace(options: PlaceOptions): Promise<Place> {
  const { dir, recorder } = options;
  const logs = join(dir, 'logs');
  await mkdir(logs, { recursive: true });
  const closing: (() => Promise<unknown>)[] = [];
  const closeAll = async () => {
    for (const close of closing.toReversed()) await close().catch(() => {});
  };
  try {
    return await open();
  } catch (error) {
    await closeAll();
    throw error;
  }

  async function open(): Promise<Place> {
    const [database, railDatabase, temporal, bundle] = await Promise.all([
      openDatabase(join(dir, 'postgres'), true),
      openDatabase(join(dir, 'rail-postgres')),
      openTemporalServer(join(dir, 'temporal'), options.isTemporalOnPostgres),
      workflowBundle(),
    ]);
    closing.push(database.stop, railDatabase.stop, temporal.end);
    const merchants = demoMerchants((_name, make) => make(), { refunds: true });
    const { merchant } = merchants;
    const webhookSecret = merchant.webhookEndpoint?.secret ?? '';
    const receiver = await openReceiver(recorder, webhookSecret);
    closing.push(receiver.close);
    const ports = await freePorts();
    const links: Link[] = [];
    const link = async (name: string, ...targets: readonly number[]) => {
      const opened = await openLink(name, targets);
      closing.push(opened.close);
      links.push(opened);
      return opened.port;
    };
    const apiPorts = [await freePort(), await freePort()];
    const front = await openLink('front', apiPorts);
    closing.push(front.close);
    const toReceiver = await link('workers to receiver', receiver.port);
    const railToFront = await link('rail to API', front.port);

    const addresses = {
      ...addressesOf({ ...ports, api: front.port }),
      webhookUrl: `http://127.0.0.1:${toReceiver}/webhooks`,
    };
    const keys = {
      apiKeyPepper: randomBytes(32).toString('hex'),
      secretsKey: randomBytes(32).toString('base64'),
    };
    await ensureDatabase(database.server(), 'checkout');
    const databaseUrl = database.url('checkout');
    await prepareDatabase({
      databaseUrl,
      ...keys,
      merchants: Object.values(merchants),
      webhookUrl: addresses.webhookUrl,
    });
    const { recurring, trial } = productIds(merchant);
    await joinInOffering(databaseUrl, merchant.id, [recurring, trial]);
    const specs = partsOf({
      ports,
      addresses,
      databaseUrl,
      railDatabaseUrl: railDatabase.url('rail'),
      shopDataDir: dir,
      ...keys,
      identityKey: newIdentityKey(),
      identitySecret: randomBytes(32).toString('hex'),
      merchants,
      workflowBundle: bundle,
    });
    const logFiles: string[] = [];
    const start = (part: string, name: string, healthUrl: string, env: NodeJS.ProcessEnv): Supervised => {
      const found = specs.find(({ spec }) => spec.name === part);
      if (!found) throw new Error(`there is no part ${part}`);
      const logFile = join(logs, `${name}.log`);
      logFiles.push(logFile);
      const spec = { ...found.spec, name, env: { ...found.spec.env, ...env } };
      const started = supervise({ spec, healthUrl, logFile });
      closing.push(started.stop);
      return started;
    };
    const lifetime = { CHECKOUT_LIFETIME_SECONDS: `${options.sessionSeconds}` };
    const common = { ...SHORT_TIMES, ...lifetime };
    const railUrl = `http://127.0.0.1:${ports.rail}`;
    const accounts = railAccountsVia(specs, railToFront, front.port);
    const rail = start('rail', 'rail', `${railUrl}/healthz`, { RAIL_ACCOUNTS: accounts, LOG_LEVEL: 'warn' });
    const serviceEnv = async (name: string) => ({
      ...common,
      DATABASE_URL: onPort(
        databaseUrl,
        await link(`${name} to PostgreSQL`, Number(new URL(databaseUrl).port)),
      ),
      TEMPORAL_ADDRESS: `127.0.0.1:${await link(`${name} to Temporal`, temporal.port)}`,
      SANDBOX_RAIL_URL: `http://127.0.0.1:${await link(`${name} to the rail`, ports.rail)}`,
      ...preloaded(options),
      API_METRICS_PORT: '0',
      WORKER_METRICS_PORT: '0',
    });
    const apis: Supervised[] = [];
    for (const [index, port] of apiPorts.entries()) {
      const env = { ...(await serviceEnv(`API ${index + 1}`)), API_PORT: `${port}` };
      apis.push(start('api', `API ${index + 1}`, `http://127.0.0.1:${port}/healthz`, env));
    }
    const workers: Supervised[] = [];
    for (const index of [1, 2]) {
      const port = await freePort();
      const env = { ...(await serviceEnv(`worker ${index}`)), WORKER_HEALTH_PORT: `${port}` };
      workers.push(start('worker', `worker ${index}`, `http://127.0.0.1:${port}/healthz`, env));
    }
    for (const each of [rail, ...apis, ...workers]) {
      if (!(await each.untilHealthy(60_000))) throw new Error(`${each.name} does not start: see ${logs}`);
    }
    const apiKey = merchant.apiKeys.find(({ environment }) => environment === 'sandbox')?.key ?? '';
    return {
      apiUrl: addresses.apiUrl,
      railUrl,
      merchant: { id: merchant.id, apiKey, railAccountId: merchant.railAccount.id },
      storefront: {
        clientId: merchant.storefrontClient?.id ?? '',
        origin: new URL(addresses.webhookUrl).origin,
      },
      products: productIds(merchant),
      references: Object.values(merchant.products).map(({ reference }) => reference),
      secrets: [
        apiKey,
        webhookSecret,
        merchant.railAccount.secret,
        merchant.railAccount.webhookSecret,
        keys.apiKeyPepper,
        keys.secretsKey,
      ],
      railWebhookSecret: merchant.railAccount.webhookSecret,
      workers,
      apis,
      rail,
      links,
      receiver,
      database,
      temporal,
      logFiles,
      env: {
        ...specs.find(({ spec }) => spec.name === 'worker')?.spec.env,
        DATABASE_URL: databaseUrl,
        TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
      },
      stop: closeAll,
    };
  }
}

/** Plans of one offering: a subscription can change between them. */
async function joinInOffering(url: string, merchantId: string, plans: readonly string[]): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const offering = "insert into offerings (merchant_id, name) values ($1, 'Coffee') returning id";
  const { rows } = await client.query(offering, [merchantId]);
  await client.query('update products set offering_id = $1 where id = any($2)', [rows[0].id, plans]);
  await client.end();
}

type Specs = ReturnType<typeof partsOf>;

/** The rail's accounts, whose webhooks go over a link. */
function railAccountsVia(specs: Specs, port: number, frontPort: number): string {
  const accounts = specs.find(({ spec }) => spec.name === 'rail')?.spec.env?.RAIL_ACCOUNTS ?? '[]';
  return accounts.replaceAll(`127.0.0.1:${frontPort}/rails`, `127.0.0.1:${port}/rails`);
}

function onPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = `${port}`;
  return changed.href;
}

async function freePorts(): Promise<Ports> {
  const names = ['shop', 'api', 'rail', 'identity', 'worker', 'observe', 'prometheus'] as const;
  const more = ['apiMetrics', 'workerMetrics', 'temporal', 'temporalUi', 'postgres'] as const;
  const ports: Record<string, number> = {};
  for (const name of [...names, ...more]) ports[name] = await freePort();
  return ports as Ports;
}
