/**
 * The service as in production, on one machine: two API processes behind a balancer, two workers, PostgreSQL,
 * Temporal, the sandbox rail with its own database, and a breakable link between any two of them.
 */
import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { prepareDatabase } from '../../../../bin/prepare-database.ts';
import { freePort, freePorts, type Ports } from '../../../../sandbox/stack/core/ports.ts';
import {
  type DemoMerchant,
  type DemoMerchants,
  demoMerchants,
  productIds,
} from '../../../../sandbox/stack/demo/demo-merchants.ts';
import { OWNER, PLATFORM } from '../../../../sandbox/stack/demo/dev-accounts.ts';
import { devToken } from '../../../../sandbox/stack/demo/dev-token.ts';
import { newIdentityKey } from '../../../../sandbox/stack/demo/secrets.ts';
import { type Addresses, addressesOf, partsOf } from '../../../../sandbox/stack/parts.ts';
import { ensureDatabase } from '../../../../sandbox/stack/postgres/postgres.ts';
import { workflowBundle } from '../../../../sandbox/stack/temporal/workflow-bundle.ts';
import type { Recorder } from '../core/record.ts';
import { type Database, openDatabase } from './database.ts';
import { LAG_SECONDS } from './lagging.ts';
import { type Link, Links } from './link.ts';
import { addOfferings, type OtherOffering } from './offerings.ts';
import { type Preloads, preloaded } from './preloads.ts';
import type { Supervised } from './process.ts';
import { type AccountAtRail, type Processes, partOf, startProcesses } from './processes.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { openTemporalServer, type Temporal } from './temporal.ts';

export interface Place {
  readonly apiUrl: string;
  readonly railUrl: string;
  readonly merchant: {
    readonly id: string;
    readonly apiKey: string;
    readonly apiKeyId: string;
    readonly railAccountId: string;
    readonly railSecret: string;
    /** Another account of the merchant at the rail, which sends webhooks once it was in use. */
    readonly otherAccount: AccountAtRail;
    readonly endpointId: string;
    /** The owner's token, valid for a day. */
    readonly ownerToken: string;
  };
  /** A platform person's token, valid for a day. */
  readonly platformToken: string;
  readonly storefront: { readonly clientId: string; readonly origin: string };
  readonly products: Readonly<Record<'oneTime' | 'recurring' | 'trial', string>>;
  readonly otherOffering: OtherOffering;
  readonly references: readonly string[];
  readonly secrets: readonly string[];
  readonly railWebhookSecret: string;
  /** Where the rail's webhooks arrive, over a link. */
  readonly railWebhooksUrl: string;
  readonly workers: readonly Supervised[];
  readonly apis: readonly Supervised[];
  readonly rail: Supervised;
  readonly metrics: Processes['metrics'];
  readonly links: readonly Link[];
  readonly receiver: Receiver;
  readonly database: Database;
  readonly temporal: Temporal;
  readonly logFiles: readonly string[];
  /** Environment for operators' commands. */
  readonly env: NodeJS.ProcessEnv;
  stop(): Promise<void>;
}

export interface PlaceOptions extends Preloads {
  readonly dir: string;
  readonly recorder: Recorder;
  readonly isTemporalOnPostgres: boolean;
  readonly sessionSeconds: number;
  readonly railRetrySeconds?: readonly number[];
  readonly isLagging: boolean;
  readonly hasMetrics?: boolean;
  /** Variables of APIs and workers besides their own. */
  readonly env?: NodeJS.ProcessEnv;
}

type Close = () => Promise<unknown>;

export async function openPlace(options: PlaceOptions): Promise<Place> {
  const closing: Close[] = [];
  const stop = async () => {
    for (const close of closing.toReversed()) await close().catch(() => {});
  };
  try {
    return { ...(await open(options, closing)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** @param closing collects the functions that end the parts, in the order of their starts */
async function open(options: PlaceOptions, closing: Close[]): Promise<Omit<Place, 'stop'>> {
  const logsDir = join(options.dir, 'logs');
  await mkdir(logsDir, { recursive: true });
  const links = new Links((link) => closing.push(() => link.close()));
  const { database, railDatabase, temporal, bundle } = await openServers(options, links);
  closing.push(database.stop, railDatabase.stop, temporal.end);
  const merchants = demoMerchants((_name, make) => make(), { refunds: true });
  const { merchant } = merchants;
  const receiver = await openReceiver(options.recorder, merchant.webhookEndpoint?.secret ?? '');
  closing.push(receiver.close);
  const network = await openNetwork(links, railDatabase, receiver);
  const keys = newKeys();
  const otherAccount = newAccount();
  const { databaseUrl, otherOffering } = await makeDatabase(database, network, keys, merchants);
  const specs = partsOf({
    ...network,
    ...keys,
    databaseUrl,
    shopDataDir: options.dir,
    merchants,
    workflowBundle: bundle,
  });
  const processes = await startProcesses({
    specs,
    links,
    logsDir,
    sessionSeconds: options.sessionSeconds,
    railRetrySeconds: options.railRetrySeconds,
    otherAccount,
    lagSeconds: options.isLagging ? LAG_SECONDS : 0,
    hasMetrics: options.hasMetrics ?? false,
    env: options.env,
    preloads: options,
    databaseUrl,
    railPort: network.ports.rail,
    temporalPort: temporal.port,
    apiPorts: network.apiPorts,
    frontPort: network.ports.api,
    railToFrontPort: network.railToFrontPort,
    onStart: (process) => closing.push(process.stop),
  });
  const { addresses } = network;
  return {
    apiUrl: addresses.apiUrl,
    railUrl: addresses.railUrl,
    merchant: { ...(await asItsOwner(merchant, addresses.identityUrl, keys)), otherAccount },
    platformToken: await devToken(addresses.identityUrl, PLATFORM, keys.identitySecret),
    storefront: {
      clientId: merchant.storefrontClient?.id ?? '',
      origin: new URL(addresses.webhookUrl).origin,
    },
    products: productIds(merchant),
    otherOffering,
    references: Object.values(merchant.products).map(({ reference }) => reference),
    secrets: [...secretsOf(merchant, keys), otherAccount.secret, otherAccount.webhookSecret],
    railWebhookSecret: merchant.railAccount.webhookSecret,
    railWebhooksUrl: `http://127.0.0.1:${network.railToFrontPort}/rails/sandbox`,
    ...processes,
    links: links.all,
    receiver,
    database,
    temporal,
    env: {
      ...partOf(specs, 'worker').spec.env,
      DATABASE_URL: databaseUrl,
      TEMPORAL_ADDRESS: `127.0.0.1:${temporal.port}`,
      // Operators' commands are killed at failpoints as well.
      ...(options.failpointsDir && preloaded({ failpointsDir: options.failpointsDir })),
    },
  };
}

async function openServers({ dir, isTemporalOnPostgres }: PlaceOptions, links: Links) {
  const toTemporalDatabase = (port: number) => links.to('Temporal to its PostgreSQL', port);
  const [database, railDatabase, temporal, bundle] = await Promise.all([
    openDatabase(join(dir, 'postgres'), true),
    openDatabase(join(dir, 'rail-postgres')),
    openTemporalServer(join(dir, 'temporal'), isTemporalOnPostgres, toTemporalDatabase),
    workflowBundle(),
  ]);
  return { database, railDatabase, temporal, bundle };
}

/** The ports and addresses of all parts; connections that faults break pass through links. */
interface Network {
  /** The API's port is the balancer's. */
  readonly ports: Ports;
  readonly apiPorts: readonly number[];
  readonly railToFrontPort: number;
  readonly addresses: Addresses;
  readonly railDatabaseUrl: string;
}

async function openNetwork(links: Links, railDatabase: Database, receiver: Receiver): Promise<Network> {
  const apiPorts = [await freePort(), await freePort()];
  const ports = { ...(await freePorts()), api: await links.to('clients to the APIs', ...apiPorts) };
  const receiverPort = await links.to('workers to receiver', receiver.port);
  return {
    ports,
    apiPorts,
    railToFrontPort: await links.to('rail to API', ports.api),
    addresses: { ...addressesOf(ports), webhookUrl: `http://127.0.0.1:${receiverPort}/webhooks` },
    railDatabaseUrl: await links.through('the rail to its PostgreSQL', railDatabase.url('rail')),
  };
}

interface Keys {
  readonly apiKeyPepper: string;
  readonly secretsKey: string;
  readonly identityKey: string;
  readonly identitySecret: string;
}

function newKeys(): Keys {
  return {
    apiKeyPepper: randomBytes(32).toString('hex'),
    secretsKey: randomBytes(32).toString('base64'),
    identityKey: newIdentityKey(),
    identitySecret: randomBytes(32).toString('hex'),
  };
}

const newAccount = (): AccountAtRail => ({
  id: 'acct_other',
  secret: `rsk_${randomBytes(32).toString('hex')}`,
  webhookSecret: `whsec_${randomBytes(32).toString('base64')}`,
});

/** The service's database with the demo merchants, and with plans between which a subscription can change. */
async function makeDatabase(database: Database, network: Network, keys: Keys, merchants: DemoMerchants) {
  await ensureDatabase(database.server(), 'checkout');
  const databaseUrl = database.url('checkout');
  await prepareDatabase({
    databaseUrl,
    ...keys,
    merchants: Object.values(merchants),
    webhookUrl: network.addresses.webhookUrl,
  });
  return { databaseUrl, otherOffering: await addOfferings(databaseUrl, merchants.merchant) };
}

async function asItsOwner(
  merchant: DemoMerchant,
  identityUrl: string,
  { identitySecret }: Keys,
): Promise<Omit<Place['merchant'], 'otherAccount'>> {
  const apiKey = sandboxKeyOf(merchant);
  return {
    id: merchant.id,
    apiKey: apiKey.key,
    apiKeyId: apiKey.id,
    railAccountId: merchant.railAccount.id,
    railSecret: merchant.railAccount.secret,
    endpointId: merchant.webhookEndpoint?.id ?? '',
    ownerToken: await devToken(identityUrl, OWNER, identitySecret),
  };
}

function secretsOf(merchant: DemoMerchant, keys: Keys): readonly string[] {
  return [
    sandboxKeyOf(merchant).key,
    merchant.webhookEndpoint?.secret ?? '',
    merchant.railAccount.secret,
    merchant.railAccount.webhookSecret,
    keys.apiKeyPepper,
    keys.secretsKey,
  ];
}

function sandboxKeyOf({ apiKeys }: DemoMerchant): DemoMerchant['apiKeys'][number] {
  const apiKey = apiKeys.find(({ environment }) => environment === 'sandbox');
  if (!apiKey) throw new Error('the merchant has no sandbox key');
  return apiKey;
}
