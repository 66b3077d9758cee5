/** The local stack behind `npm start`: the service and its surroundings on one machine. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { choosePorts, freePort, type Ports, releasePorts } from './core/ports.ts';
import type { Progress } from './core/progress.ts';
import { type DemoMerchant, demoMerchants } from './demo/demo-merchants.ts';
import { OWNER, PLATFORM } from './demo/dev-accounts.ts';
import { devToken } from './demo/dev-token.ts';
import { openSecrets, type StackSecrets, stackSecrets } from './demo/secrets.ts';
import { type DevJson, devJson, processesOf, removeDevJson, writeDevJson } from './dev-json.ts';
import { endLeftovers, filesIn } from './files.ts';
import { type Front, startFront } from './load-balancer.ts';
import { prepareObserve } from './observe.ts';
import { addressesOf, type PartsContext, partsOf } from './parts.ts';
import { keepBaseline } from './postgres/baseline.ts';
import { ensureDatabase, type Postgres, startPostgres } from './postgres/postgres.ts';
import { untilHealthy } from './process/health.ts';
import type { Supervisor } from './process/supervise.ts';
import { chooseReplicas, type HowMany, type Replicas } from './replicas.ts';
import { findTemporal } from './temporal/temporal-binary.ts';
import { startTemporal } from './temporal/temporal-dev.ts';
import { startTemporalOnPostgres } from './temporal/temporal-postgres.ts';
import { findTemporalServer } from './temporal/temporal-server-binary.ts';
import { workflowBundle } from './temporal/workflow-bundle.ts';

const READY_WITHIN_MS = 120_000;

/** Input of `prepareDatabase`, which migrates the database and seeds the merchants. */
export interface Preparation {
  readonly databaseUrl: string;
  readonly apiKeyPepper: string;
  readonly secretsKey: string;
  readonly merchants: readonly DemoMerchant[];
  readonly webhookUrl: string;
}

export interface StackOptions {
  /** Production's server, with a PostgreSQL that only it uses, instead of the development server. */
  readonly temporalOnPostgres?: boolean;
  /** If absent, one of each. */
  readonly howMany?: HowMany;
  /** Databases and received events, if not in `localDir`: a database belongs to one Temporal server. */
  readonly dataDir?: string;
  /** Gives the sandbox rail its own PostgreSQL, to separate its cost from the service's. */
  readonly railDatabaseApart?: boolean;
  /** Server settings for every PostgreSQL that the stack starts. */
  readonly postgresSettings?: Readonly<Record<string, string>>;
  readonly env: NodeJS.ProcessEnv;
  readonly localDir: string;
  readonly cacheDir: string;
  readonly progress: Progress;
  readonly supervisor: Supervisor;
  /** Adds Prometheus and a page of metrics, alerts and traces. */
  readonly observe?: boolean;
  prepareDatabase(preparation: Preparation): Promise<void>;
}

export interface Stack {
  /** Starts all parts in order; resolves when they are ready. */
  start(): Promise<DevJson>;
  /** Null before the start, and always with the development server. */
  temporalDatabaseUrl(): string | null;
  /** The load balancer in front of several APIs; null before the start, and with one API. */
  front(): Front | null;
  stop(): Promise<void>;
}

export function createStack(options: StackOptions): Stack {
  const { env, localDir, cacheDir, supervisor } = options;
  const files = filesIn(options);
  const claimsDir = join(cacheDir, 'ports');
  let ports: Ports | undefined;
  let front: Front | null = null;
  let temporalPostgres: Postgres | undefined;

  return {
    temporalDatabaseUrl: () => temporalPostgres?.url('temporal') ?? null,
    front: () => front,
    async start() {
      removeDevJson(files.devJson);
      for (const dir of [localDir, options.dataDir ?? localDir]) mkdirSync(dir, { recursive: true });
      keepBaseline(files);
      // Before choosing ports: after a SIGKILL, the last run's programs may still hold them.
      await endLeftovers(files);
      const { note } = options.progress;
      ports = await choosePorts({ env, lastTime: readJson(files.ports), claimsDir, note });
      writeFileSync(files.ports, JSON.stringify(ports));

      const secret = openSecrets(files.secrets);
      const secrets = stackSecrets(secret);
      const merchants = demoMerchants(secret, { refunds: env.SANDBOX_REFUNDS !== '0' });
      const replicas = await chooseReplicas(ports, options.howMany ?? { apis: 1, workers: 1 });
      const context = {
        ports,
        replicas,
        addresses: addressesOf(ports, { hasTemporalUi: !options.temporalOnPostgres }),
        merchants,
        ...secrets,
      };
      const [postgres, bundle, railPostgres, ofTemporal] = await Promise.all([
        startDatabase(options, context),
        workflowBundle(),
        options.railDatabaseApart ? startDatabaseOf('rail', options, secrets) : undefined,
        startTemporalServer(options, context),
      ]);
      temporalPostgres = ofTemporal;
      const databaseUrl = postgres.url('checkout');
      await prepareDatabase(options, context, postgres);
      if (options.observe) await startObserve(options, context);
      if (replicas.apis.length > 1) {
        front = await startFront(
          ports.api,
          replicas.apis.map(({ port }) => port),
        );
      }
      await startParts(options, {
        ...context,
        databaseUrl,
        railDatabaseUrl: (railPostgres ?? postgres).url('rail'),
        shopDataDir: files.shop,
        identityDataDir: files.identity,
        workflowBundle: bundle,
        isObserved: options.observe ?? false,
      });
      const dev = await describeRun(options, { ...context, databaseUrl });
      writeDevJson(files.devJson, dev);
      return dev;
    },
    async stop() {
      removeDevJson(files.devJson);
      await supervisor.stop();
      front?.close();
      if (ports) await releasePorts(ports, claimsDir);
    },
  };
}

type StackContext = StackSecrets &
  Pick<PartsContext, 'ports' | 'addresses' | 'merchants'> & { readonly replicas: Replicas };

function startDatabase(options: StackOptions, context: StackContext): Promise<Postgres> {
  const { progress, supervisor, howMany, postgresSettings = {} } = options;
  const { ports, postgresPassword } = context;
  const { postgres, devJson } = filesIn(options);
  return progress.step('PostgreSQL', () =>
    startPostgres({
      dataDir: postgres,
      port: ports.postgres,
      password: postgresPassword,
      // Two pools of ten per API and four per worker; PostgreSQL's default is 100 connections.
      settings: { ...(howMany && { max_connections: '400' }), ...postgresSettings },
      // If we are killed, PostgreSQL's leash removes dev.json, whose addresses are then stale.
      removeAfter: devJson,
      start: supervisor.startProgram,
    }),
  );
}

/** Starts a PostgreSQL for one part, in addition to the service's. */
async function startDatabaseOf(
  part: 'rail' | 'temporal',
  options: StackOptions,
  { postgresPassword: password }: StackSecrets,
): Promise<Postgres> {
  const { supervisor, postgresSettings = {} } = options;
  const port = await freePort();
  return startPostgres({
    name: `${part}-postgres`,
    dataDir: filesIn(options)[`${part}Postgres`],
    port,
    password,
    settings: postgresSettings,
    start: supervisor.startProgram,
  });
}

/** @returns the server's PostgreSQL, if it has one */
async function startTemporalServer(
  options: StackOptions,
  context: StackContext,
): Promise<Postgres | undefined> {
  const { env, cacheDir, progress, supervisor } = options;
  const { temporal: port, temporalUi: uiPort } = context.ports;
  const { temporal: dbFile, temporalServer: dir } = filesIn(options);
  if (options.temporalOnPostgres) {
    const programs = await findTemporalServer({ cacheDir, progress });
    return progress.step('Temporal on PostgreSQL', async () => {
      const postgres = await startDatabaseOf('temporal', options, context);
      await startTemporalOnPostgres({ programs, postgres, port, dir, start: supervisor.startProgram });
      return postgres;
    });
  }
  const binary = await findTemporal({ env, cacheDir, progress });
  await progress.step('Temporal development server', () =>
    startTemporal({ binary, port, uiPort, dbFile, start: supervisor.startProgram }),
  );
  return undefined;
}

function prepareDatabase(
  { progress, prepareDatabase: prepare }: StackOptions,
  { addresses, merchants, apiKeyPepper, secretsKey }: StackContext,
  postgres: Postgres,
): Promise<void> {
  return progress.step('Schema and demo merchants', async () => {
    await ensureDatabase(postgres, 'checkout');
    await prepare({
      databaseUrl: postgres.url('checkout'),
      apiKeyPepper,
      secretsKey,
      merchants: Object.values(merchants),
      webhookUrl: addresses.webhookUrl,
    });
  });
}

async function startObserve(
  options: StackOptions,
  { ports, addresses, replicas }: StackContext,
): Promise<void> {
  const { progress, supervisor } = options;
  await progress.step('Metrics, alerts and traces', async () => {
    const { startProgram } = supervisor;
    const dir = filesIn(options).observe;
    const page = supervisor.startPart(
      await prepareObserve({ ports, addresses, replicas, dir, startProgram }),
    );
    await untilHealthy(page, `${addresses.observeUrl}/healthz`, READY_WITHIN_MS);
  });
}

function startParts({ progress, supervisor }: StackOptions, context: PartsContext): Promise<void> {
  return progress.step('API, worker, sandbox rail, identity provider and demo shop', async () => {
    const started = partsOf(context).map(({ spec, healthUrl }) => ({
      part: supervisor.startPart(spec),
      healthUrl,
    }));
    await Promise.all(started.map(({ part, healthUrl }) => untilHealthy(part, healthUrl, READY_WITHIN_MS)));
  });
}

/** Data that scripts and people need about this run. */
async function describeRun(
  { observe, howMany }: StackOptions,
  {
    addresses,
    merchants,
    replicas,
    identitySecret,
    databaseUrl,
  }: StackContext & { readonly databaseUrl: string },
): Promise<DevJson> {
  const tokenOf = (account: string) => devToken(addresses.identityUrl, account, identitySecret);
  const tokens = { token: await tokenOf(OWNER), platformToken: await tokenOf(PLATFORM) };
  return {
    ...devJson(addresses, databaseUrl, merchants, tokens),
    ...(observe && { observeUrl: addresses.observeUrl }),
    ...(howMany && { processes: processesOf(replicas) }),
  };
}

function readJson(file: string): Partial<Ports> {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};
}
