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
import { OWNER } from '../../../../sandbox/stack/demo/dev-accounts.ts';
import { devToken } from '../../../../sandbox/stack/demo/dev-token.ts';
import { newIdentityKey } from '../../../../sandbox/stack/demo/secrets.ts';
import { addressesOf, partsOf } from '../../../../sandbox/stack/parts.ts';
import { ensureDatabase } from '../../../../sandbox/stack/postgres/postgres.ts';
import { workflowBundle } from '../../../../sandbox/stack/temporal/workflow-bundle.ts';
import type { Recorder } from '../core/record.ts';
import { type Link, openLink } from './link.ts';
import { type Plant, preloaded } from './preloads.ts';
import { type Supervised, supervise } from './process.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { type Database, openDatabase, openTemporalServer, type Temporal, withPort } from './servers.ts';

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
  readonly merchant: {
    readonly id: string;
    readonly apiKey: string;
    readonly apiKeyId: string;
    readonly railAccountId: string;
    readonly railSecret: string;
    readonly endpointId: string;
    /** Of its owner, valid for a day. */
    readonly ownerToken: string;
  };
  readonly storefront: { readonly clientId: string; readonly origin: string };
  readonly products: Readonly<Record<'oneTime' | 'recurring' | 'trial', string>>;
  /** A plan in an offering of its own. */
  readonly otherOffering: { readonly offeringId: string; readonly planId: string };
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
    const links: Link[] = [];
    const link = async (name: string, ...targets: readonly number[]) => {
      const opened = await openLink(name, targets);
      closing.push(opened.close);
      links.push(opened);
      return opened.port;
    };
    const toTemporalDatabase = (port: number) => link('Temporal to its PostgreSQL', port);
    const [database, railDatabase, temporal, bundle] = await Promise.all([
      openDatabase(join(dir, 'postgres'), true),
      openDatabase(join(dir, 'rail-postgres')),
      openTemporalServer(join(dir, 'temporal'), options.isTemporalOnPostgres, toTemporalDatabase),
      workflowBundle(),
    ]);
    closing.push(database.stop, railDatabase.stop, temporal.end);
    const merchants = demoMerchants((_name, make) => make(), { refunds: true });
    const { merchant } = merchants;
    const webhookSecret = merchant.webhookEndpoint?.secret ?? '';
    const receiver = await openReceiver(recorder, webhookSecret);
    closing.push(receiver.close);
    const ports = await freePorts();
    const apiPorts = [await freePort(), await freePort()];
    const front = await link('clients to the APIs', ...apiPorts);
    const toReceiver = await link('workers to receiver', receiver.port);
    const railToFront = await link('rail to API', front);
    const toRailDatabase = await link(
      'the rail to its PostgreSQL',
      Number(new URL(railDatabase.url('rail')).port),
    );

    const addresses = {
      ...addressesOf({ ...ports, api: front }),
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
    const otherOffering = await addOffering(databaseUrl, merchant.id, recurring);
    const identitySecret = randomBytes(32).toString('hex');
    const specs = partsOf({
      ports,
      addresses,
      databaseUrl,
      railDatabaseUrl: withPort(railDatabase.url('rail'), toRailDatabase),
      shopDataDir: dir,
      ...keys,
      identityKey: newIdentityKey(),
      identitySecret,
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
    const accounts = railAccountsVia(specs, railToFront, front);
    const rail = start('rail', 'rail', `${railUrl}/healthz`, { RAIL_ACCOUNTS: accounts, LOG_LEVEL: 'warn' });
    const identity = start('identity', 'identity', `${addresses.identityUrl}/healthz`, {});
    const serviceEnv = async (name: string) => ({
      ...common,
      DATABASE_URL: withPort(
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
    for (const each of [rail, identity, ...apis, ...workers]) {
      if (!(await each.untilHealthy(60_000))) throw new Error(`${each.name} does not start: see ${logs}`);
    }
    const apiKey = merchant.apiKeys.find(({ environment }) => environment === 'sandbox');
    if (!apiKey) throw new Error('the merchant has no key of the sandbox');
    return {
      apiUrl: addresses.apiUrl,
      railUrl,
      merchant: {
        id: merchant.id,
        apiKey: apiKey.key,
        apiKeyId: apiKey.id,
        railAccountId: merchant.railAccount.id,
        railSecret: merchant.railAccount.secret,
        endpointId: merchant.webhookEndpoint?.id ?? '',
        ownerToken: await devToken(addresses.identityUrl, OWNER, identitySecret),
      },
      storefront: {
        clientId: merchant.storefrontClient?.id ?? '',
        origin: new URL(addresses.webhookUrl).origin,
      },
      products: productIds(merchant),
      otherOffering,
      references: Object.values(merchant.products).map(({ reference }) => reference),
      secrets: [
        apiKey.key,
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

/** A plan like another one, in an offering of its own. */
async function addOffering(url: string, merchantId: string, like: string): Promise<Place['otherOffering']> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(
    `with offering as (insert into offerings (merchant_id, name) values ($1, 'Tea') returning id),
      plan as (
        insert into products (merchant_id, offering_id, name) select $1, id, 'Tea club' from offering
        returning id, offering_id),
      price as (
        insert into prices (product_id, amount, currency, tax_rate, billing_mode, interval, interval_count)
        select plan.id, 1100, currency, tax_rate, billing_mode, interval, interval_count
        from prices, plan where product_id = $2)
    select id as "planId", offering_id as "offeringId" from plan`,
    [merchantId, like],
  );
  await client.end();
  return rows[0];
}

type Specs = ReturnType<typeof partsOf>;

/** The rail's accounts, whose webhooks go over a link. */
function railAccountsVia(specs: Specs, port: number, frontPort: number): string {
  const accounts = specs.find(({ spec }) => spec.name === 'rail')?.spec.env?.RAIL_ACCOUNTS ?? '[]';
  return accounts.replaceAll(`127.0.0.1:${frontPort}/rails`, `127.0.0.1:${port}/rails`);
}

async function freePorts(): Promise<Ports> {
  const names = ['shop', 'api', 'rail', 'identity', 'worker', 'observe', 'prometheus'] as const;
  const more = ['apiMetrics', 'workerMetrics', 'temporal', 'temporalUi', 'postgres'] as const;
  const ports: Record<string, number> = {};
  for (const name of [...names, ...more]) ports[name] = await freePort();
  return ports as Ports;
}
