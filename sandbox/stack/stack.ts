/** The whole service with the world around it, on one machine: `npm start` runs this. */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DemoMerchant, type DemoMerchants, demoMerchants, productIds } from './demo-merchants.ts';
import { OWNER, PLATFORM } from './dev-accounts.ts';
import { type DevJson, type DevMerchant, removeDevJson, writeDevJson } from './dev-json.ts';
import { devToken } from './dev-token.ts';
import { untilHealthy } from './health.ts';
import { type Addresses, addressesOf, partsOf } from './parts.ts';
import { choosePorts, type Ports, releasePorts } from './ports.ts';
import { endPostgresLeftIn, ensureDatabase, type Postgres, startPostgres } from './postgres.ts';
import type { Progress } from './progress.ts';
import { newIdentityKey, openSecrets, type Secrets } from './secrets.ts';
import type { Supervisor } from './supervise.ts';
import { findTemporal } from './temporal-binary.ts';
import { endTemporalLeftOn, startTemporal } from './temporal-dev.ts';

const READY_WITHIN_MS = 60_000;

/** What the stack asks of the service: bring this database up to date, with these merchants in it. */
export interface Preparation {
  readonly databaseUrl: string;
  readonly apiKeyPepper: string;
  readonly secretsKey: string;
  readonly merchants: readonly DemoMerchant[];
  readonly webhookUrl: string;
}

export interface StackOptions {
  readonly env: NodeJS.ProcessEnv;
  readonly localDir: string;
  readonly cacheDir: string;
  readonly progress: Progress;
  readonly supervisor: Supervisor;
  prepareDatabase(preparation: Preparation): Promise<void>;
}

export interface Stack {
  /** Starts everything, in order, and returns when all of it is ready. */
  start(): Promise<DevJson>;
  stop(): Promise<void>;
}

export function createStack(options: StackOptions): Stack {
  const { env, localDir, cacheDir, progress, supervisor } = options;
  const files = filesIn(localDir);
  const claimsDir = join(cacheDir, 'ports');
  let ports: Ports | undefined;

  async function start(): Promise<DevJson> {
    removeDevJson(files.devJson);
    mkdirSync(localDir, { recursive: true });
    // Before the ports are chosen: after a SIGKILL the last run may still be giving its ports back.
    await endWhatIsLeft(files);
    ports = await choosePorts({ env, lastTime: readJson(files.ports), claimsDir });
    writeFileSync(files.ports, JSON.stringify(ports));
    const addresses = addressesOf(ports);
    const secret = openSecrets(files.secrets);
    const merchants = demoMerchants(secret, { refunds: env.SANDBOX_REFUNDS === '1' });
    const keys = {
      apiKeyPepper: secret('apiKeyPepper', () => randomBytes(32).toString('hex')),
      secretsKey: secret('secretsKey', () => randomBytes(32).toString('base64')),
    };
    const [postgres] = await Promise.all([startDatabase(ports, secret), startTemporalServer(ports)]);
    const databaseUrl = postgres.url('checkout');
    const railDatabaseUrl = postgres.url('rail');
    await progress.step('Schema and demo merchants', async () => {
      await ensureDatabase(postgres, 'checkout');
      const { webhookUrl } = addresses;
      await options.prepareDatabase({
        databaseUrl,
        ...keys,
        merchants: Object.values(merchants),
        webhookUrl,
      });
    });
    const shopDataDir = files.shop;
    const identity = {
      identityKey: secret('identityKey', newIdentityKey),
      identitySecret: secret('identitySecret', () => randomBytes(32).toString('hex')),
    };
    const parts = partsOf({
      ports,
      addresses,
      databaseUrl,
      railDatabaseUrl,
      shopDataDir,
      ...keys,
      ...identity,
      merchants,
    });
    await progress.step('API, worker, sandbox rail, identity provider and demo shop', async () => {
      const started = parts.map(({ spec, healthUrl }) => ({ part: supervisor.startPart(spec), healthUrl }));
      await Promise.all(started.map(({ part, healthUrl }) => untilHealthy(part, healthUrl, READY_WITHIN_MS)));
    });
    const tokenOf = (account: string) => devToken(addresses.identityUrl, account, identity.identitySecret);
    const tokens = { token: await tokenOf(OWNER), platformToken: await tokenOf(PLATFORM) };
    const dev = devJson(addresses, databaseUrl, merchants, tokens);
    writeDevJson(files.devJson, dev);
    return dev;
  }

  function startDatabase({ postgres: port }: Ports, secret: Secrets): Promise<Postgres> {
    const password = secret('postgresPassword', () => randomBytes(16).toString('hex'));
    // Should we be killed, PostgreSQL's leash removes the file that says where everything is.
    const removeAfter = files.devJson;
    return progress.step('PostgreSQL', () =>
      startPostgres({ dataDir: files.postgres, port, password, removeAfter, start: supervisor.startProgram }),
    );
  }

  async function startTemporalServer({ temporal: port, temporalUi: uiPort }: Ports): Promise<void> {
    const binary = await findTemporal({ env, cacheDir, progress });
    await progress.step('Temporal development server', () =>
      startTemporal({ binary, port, uiPort, dbFile: files.temporal, start: supervisor.startProgram }),
    );
  }

  return {
    start,
    async stop() {
      removeDevJson(files.devJson);
      await supervisor.stop();
      if (ports) await releasePorts(ports, claimsDir);
    },
  };
}

/** Forgets everything that earlier runs left: data, keys, ports. */
export async function forgetAll(localDir: string): Promise<void> {
  const files = filesIn(localDir);
  await endWhatIsLeft(files);
  for (const file of Object.values(files)) rmSync(file, { recursive: true, force: true });
  for (const suffix of ['-journal', '-wal', '-shm']) rmSync(files.temporal + suffix, { force: true });
}

async function endWhatIsLeft({ postgres, temporal }: ReturnType<typeof filesIn>): Promise<void> {
  await Promise.all([endPostgresLeftIn(postgres), endTemporalLeftOn(temporal)]);
}

function filesIn(localDir: string) {
  return {
    devJson: join(localDir, 'dev.json'),
    secrets: join(localDir, 'secrets.json'),
    ports: join(localDir, 'ports.json'),
    postgres: join(localDir, 'postgres'),
    temporal: join(localDir, 'temporal.db'),
    shop: join(localDir, 'shop'),
  };
}

function readJson(file: string): Partial<Ports> {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}

function devJson(
  addresses: Addresses,
  databaseUrl: string,
  merchants: DemoMerchants,
  tokens: Pick<DevJson['dashboard'], 'token' | 'platformToken'>,
): DevJson {
  const { apiUrl, shopUrl, railUrl, temporalUiUrl, temporalAddress, webhookUrl, eventsUrl } = addresses;
  const { merchant, second, noSubscriptions, railActivating, inactive } = merchants;
  const { id, apiKey } = devMerchant(merchant);
  return {
    ...{ apiUrl, shopUrl, railUrl, temporalUiUrl, temporalAddress, databaseUrl },
    merchant: { id, apiKey, liveApiKey: keyOf(merchant, 'production') },
    products: productIds(merchant),
    dashboard: { issuer: addresses.identityUrl, ...tokens },
    webhook: { url: webhookUrl, secret: merchant.webhookEndpoint?.secret ?? '', eventsUrl },
    storefront: { clientId: merchant.storefrontClient?.id ?? '', origin: shopUrl },
    others: {
      second: devMerchant(second),
      noSubscriptions: devMerchant(noSubscriptions),
      railActivating: devMerchant(railActivating),
      inactive: devMerchant(inactive),
    },
  };
}

function devMerchant(merchant: DemoMerchant): DevMerchant {
  return { id: merchant.id, apiKey: keyOf(merchant, 'sandbox'), products: productIds(merchant) };
}

function keyOf(merchant: DemoMerchant, environment: 'sandbox' | 'production'): string {
  const found = merchant.apiKeys.find((apiKey) => apiKey.environment === environment);
  if (!found) throw new Error(`${merchant.name} has no key for ${environment}`);
  return found.key;
}
