/**
 * The whole service as real processes with a separate database and Temporal namespace: API, worker, sandbox rail and
 * shop, with the demo merchants. Parts can be killed and restarted with another environment.
 */

import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { prepareDatabase } from '../../../bin/prepare-database.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';
import { freePorts } from '../../../sandbox/stack/core/ports.ts';
import { type DemoMerchant, demoMerchants, productIds } from '../../../sandbox/stack/demo/demo-merchants.ts';
import { OWNER } from '../../../sandbox/stack/demo/dev-accounts.ts';
import { devToken } from '../../../sandbox/stack/demo/dev-token.ts';
import { newIdentityKey } from '../../../sandbox/stack/demo/secrets.ts';
import { type Addresses, addressesOf, type HealthyPart, partsOf } from '../../../sandbox/stack/parts.ts';
import { workflowBundle } from '../../../sandbox/stack/temporal/workflow-bundle.ts';
import { createEmptyDatabase, createTestDatabase, type TestDatabase } from '../db/postgres.ts';
import { createTestNamespace, type TestNamespace } from '../temporal/temporal.ts';
import { type RunningProcess, startProcess } from './process.ts';

type PartName = 'api' | 'worker' | 'rail' | 'shop' | 'identity';

export interface StackOptions {
  /** Overrides the defaults, for every part: shorter times, for example. */
  readonly env?: NodeJS.ProcessEnv;
  /** If absent, all but the identity provider. */
  readonly parts?: readonly PartName[];
  /** Defaults to a new namespace on the shared server. */
  readonly temporal?: TestNamespace;
  /** Defaults to new databases on the shared server, dropped at the end. */
  readonly databaseUrl?: string;
  readonly railDatabaseUrl?: string;
  /** Whether the rail accounts declare refunds; false by default. */
  readonly refunds?: boolean;
}

export interface TestStack {
  readonly apiUrl: string;
  readonly dashboardUrl: string;
  readonly railUrl: string;
  readonly identityUrl: string;
  readonly shopUrl: string;
  readonly workerHealthUrl: string;
  readonly metrics: { readonly api: string; readonly worker: string };
  readonly databaseUrl: string;
  /** The key under which its secrets are encrypted. */
  readonly secretsKey: string;
  readonly temporal: TestNamespace;
  readonly merchant: { readonly id: string; readonly apiKey: string; readonly railAccountId: string };
  readonly products: { readonly oneTime: string; readonly recurring: string; readonly trial: string };
  /** The demo merchant's endpoint at the shop: its secret, and where the shop lists verified events. */
  readonly webhook: { readonly url: string; readonly secret: string; readonly eventsUrl: string };
  part(name: PartName): RunningProcess;
  /** An access token of the demo merchant's owner; the part `identity` has to run. */
  ownerToken(): Promise<string>;
  /** SIGKILL, and waits until the process is gone. */
  kill(name: PartName): Promise<void>;
  /** Starts a part that was killed or never started; `env` overrides its variables. */
  start(name: PartName, env?: NodeJS.ProcessEnv, how?: { untilHealthy: boolean }): Promise<void>;
  /** `kill`, then `start`. */
  restart(name: PartName, env?: NodeJS.ProcessEnv): Promise<void>;
  /** Creates a session over HTTP, as the demo merchant's server would. */
  createCheckout(productId: string, more?: Readonly<Record<string, unknown>>): Promise<CreatedSession>;
  stop(): Promise<void>;
}

export interface CreatedSession {
  readonly id: string;
  readonly sessionId: string;
  readonly hostedUrl: string;
  readonly expiresAt: string;
}

const READY_WITHIN_MS = 120_000;
const UNLESS_TOLD: readonly PartName[] = ['rail', 'shop', 'api', 'worker'];
/** The workflows of one queue get no separate thread: threads take half of the CPU time of a worker's start. */
const NO_THREADS = { TEMPORAL_DEBUG: '1' };

export async function startStack(options: StackOptions = {}): Promise<TestStack> {
  const databases = await openDatabases(options);
  const temporal = options.temporal ?? (await createTestNamespace());
  const shopDataDir = await mkdtemp(join(tmpdir(), 'checkout-test-shop-'));
  const merchants = demoMerchants((_name, make) => make(), { refunds: options.refunds ?? false });
  const ports = await freePorts();
  const addresses = { ...addressesOf(ports), temporalAddress: temporal.address };
  const keys = newKeys(options);
  const { databaseUrl, railDatabaseUrl } = databases;
  await prepareDatabase({
    databaseUrl,
    ...keys,
    merchants: Object.values(merchants),
    webhookUrl: addresses.webhookUrl,
  });
  const specs = partsOf({
    ports,
    addresses,
    databaseUrl,
    railDatabaseUrl,
    shopDataDir,
    ...keys,
    merchants,
    workflowBundle: await workflowBundle(),
  });
  const parts = startableParts(specs, { TEMPORAL_NAMESPACE: temporal.namespace, ...options.env });

  const stack: TestStack = {
    ...addresses,
    workerHealthUrl: specs.find(({ spec }) => spec.name === 'worker')?.healthUrl ?? '',
    databaseUrl,
    secretsKey: keys.secretsKey,
    temporal,
    ...asItsDeveloper(merchants.merchant, addresses),
    ...parts,
    ownerToken: () => devToken(addresses.identityUrl, OWNER, keys.identitySecret),
    async stop() {
      await parts.stopAll();
      await databases.drop();
      await rm(shopDataDir, { recursive: true, force: true });
    },
  };
  try {
    await Promise.all((options.parts ?? UNLESS_TOLD).map((name) => stack.start(name)));
  } catch (error) {
    await stack.stop();
    throw error;
  }
  return stack;
}

async function openDatabases(given: StackOptions) {
  const own: TestDatabase[] = [];
  const urlOf = async (create: typeof createTestDatabase) => {
    const database = await create();
    own.push(database);
    return database.url;
  };
  return {
    databaseUrl: given.databaseUrl ?? (await urlOf(createTestDatabase)),
    railDatabaseUrl: given.railDatabaseUrl ?? (await urlOf(createEmptyDatabase)),
    drop: () => Promise.all(own.map((database) => database.drop())),
  };
}

function newKeys({ parts }: StackOptions) {
  return {
    apiKeyPepper: randomBytes(32).toString('hex'),
    secretsKey: randomBytes(32).toString('base64'),
    // Generated only if it signs something, because finding its primes takes a while.
    identityKey: parts?.includes('identity') ? newIdentityKey() : '',
    identitySecret: randomBytes(32).toString('hex'),
  };
}

/** @param env overrides every part's own environment */
function startableParts(specs: readonly HealthyPart[], env: NodeJS.ProcessEnv) {
  const running = new Map<PartName, RunningProcess>();
  const parts = {
    part(name: PartName): RunningProcess {
      const part = running.get(name);
      if (!part) throw new Error(`${name} was not started`);
      return part;
    },
    async kill(name: PartName): Promise<void> {
      await parts.part(name).kill();
      running.delete(name);
    },
    async start(
      name: PartName,
      more: NodeJS.ProcessEnv = {},
      { untilHealthy } = { untilHealthy: true },
    ): Promise<void> {
      const found = specs.find(({ spec }) => spec.name === name);
      const script = found?.spec.args.find((arg) => arg.endsWith('.ts'));
      if (!found || !script) throw new Error(`there is no part ${name}`);
      const part = await startProcess({
        script: relative(PROJECT_DIR, script),
        env: { ...found.spec.env, ...NO_THREADS, ...env, ...more },
        ...(untilHealthy && { healthUrl: found.healthUrl }),
        readyWithinMs: READY_WITHIN_MS,
      });
      running.set(name, part);
    },
    async restart(name: PartName, more?: NodeJS.ProcessEnv): Promise<void> {
      await parts.kill(name);
      await parts.start(name, more);
    },
    stopAll: () => Promise.all([...running.values()].map((part) => part.stop())),
  };
  return parts;
}

function asItsDeveloper(
  merchant: DemoMerchant,
  { apiUrl, webhookUrl, eventsUrl }: Addresses,
): Pick<TestStack, 'merchant' | 'products' | 'webhook' | 'createCheckout'> {
  const apiKey = merchant.apiKeys.find(({ environment }) => environment === 'sandbox')?.key ?? '';
  return {
    merchant: { id: merchant.id, apiKey, railAccountId: merchant.railAccount.id },
    products: productIds(merchant) as TestStack['products'],
    webhook: { url: webhookUrl, secret: merchant.webhookEndpoint?.secret ?? '', eventsUrl },
    async createCheckout(productId, more = {}) {
      const response = await fetch(`${apiUrl}/v1/checkouts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          productId,
          externalCustomerId: `customer-${randomBytes(6).toString('hex')}`,
          ...more,
        }),
      });
      if (response.status !== 201)
        throw new Error(`no session was created: ${response.status} ${await response.text()}`);
      return (await response.json()) as CreatedSession;
    },
  };
}
