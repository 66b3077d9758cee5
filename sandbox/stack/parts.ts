/** The service's and the sandbox's processes, and each one's environment. */
import { join } from 'node:path';
import { CURRENCIES } from '../../domain/core/money.ts';
import { COMPILE_CACHE, PROJECT_DIR } from './core/directories.ts';
import type { Ports } from './core/ports.ts';
import { type DemoMerchants, productIds } from './demo/demo-merchants.ts';
import { AUDIENCE, devAccounts } from './demo/dev-accounts.ts';
import type { PartSpec } from './process/part.ts';
import type { Replicas } from './replicas.ts';

/**
 * How Node starts the API, here as in the image, the compose file and the chart. A long list creates
 * short-lived rows: with half a mebibyte for them, V8 spent 37 % of the API's CPU time collecting. Node
 * takes it on its command line only (docs/performance.md#big-lists).
 */
export const API_NODE_ARGS = ['--max-semi-space-size=8'];

export interface Addresses {
  readonly apiUrl: string;
  readonly shopUrl: string;
  readonly railUrl: string;
  readonly dashboardUrl: string;
  readonly identityUrl: string;
  readonly metrics: { readonly api: string; readonly worker: string };
  readonly observeUrl: string;
  /** Absent with Temporal on PostgreSQL, which has no web interface. */
  readonly temporalUiUrl?: string;
  readonly temporalAddress: string;
  readonly webhookUrl: string;
  readonly eventsUrl: string;
}

export interface PartsContext {
  readonly ports: Ports;
  readonly addresses: Addresses;
  /** If absent, one API and one worker. */
  readonly replicas?: Replicas;
  readonly databaseUrl: string;
  readonly railDatabaseUrl: string;
  /** Where the shop stores received events. */
  readonly shopDataDir: string;
  /** Where the identity provider keeps added people; if absent, in memory. */
  readonly identityDataDir?: string;
  readonly apiKeyPepper: string;
  readonly secretsKey: string;
  /** The identity provider's private signing key, as a JWK. */
  readonly identityKey: string;
  readonly identitySecret: string;
  readonly merchants: DemoMerchants;
  /** The path of the bundle that the worker runs. */
  readonly workflowBundle: string;
  /** Traces go to the page of `--observe`. */
  readonly isObserved?: boolean;
}

export interface HealthyPart {
  readonly spec: PartSpec;
  readonly healthUrl: string;
}

/** Clears the user's Temporal settings and profiles, which are for another server. */
function noTemporalSettings(): NodeJS.ProcessEnv {
  const names = Object.keys(process.env).filter((name) =>
    /^TEMPORAL_(PROFILE|API_KEY|TLS|CODEC|GRPC_META)/.test(name),
  );
  return { ...Object.fromEntries(names.map((name) => [name, undefined])), TEMPORAL_CONFIG_FILE: '' };
}

export function addressesOf(ports: Ports, { hasTemporalUi = true } = {}): Addresses {
  const on = (port: number) => `http://127.0.0.1:${port}`;
  const shopUrl = on(ports.shop);
  return {
    shopUrl,
    apiUrl: on(ports.api),
    dashboardUrl: `${on(ports.api)}/dashboard`,
    railUrl: on(ports.rail),
    identityUrl: on(ports.identity),
    metrics: { api: `${on(ports.apiMetrics)}/metrics`, worker: `${on(ports.workerMetrics)}/metrics` },
    observeUrl: on(ports.observe),
    ...(hasTemporalUi && { temporalUiUrl: on(ports.temporalUi) }),
    temporalAddress: `127.0.0.1:${ports.temporal}`,
    webhookUrl: `${shopUrl}/webhooks`,
    eventsUrl: `${shopUrl}/events`,
  };
}

/** The runbook as shown on the page of `--observe`. */
const runbookUrl = (observeUrl: string) => `${observeUrl}/docs/on-call.md`;

export function partsOf(context: PartsContext): readonly HealthyPart[] {
  const { addresses, ports, merchants } = context;
  const service = {
    DATABASE_URL: context.databaseUrl,
    ...noTemporalSettings(),
    TEMPORAL_ADDRESS: addresses.temporalAddress,
    TEMPORAL_NAMESPACE: 'default',
    ...(addresses.temporalUiUrl && { TEMPORAL_UI_URL: addresses.temporalUiUrl }),
    PUBLIC_URL: addresses.apiUrl,
    API_KEY_PEPPER: context.apiKeyPepper,
    SECRETS_KEY: context.secretsKey,
    SANDBOX_RAIL_URL: addresses.railUrl,
    WORKFLOW_BUNDLE: context.workflowBundle,
    WEBHOOK_ALLOW_LOOPBACK: '1',
    // Limits are raised or off, because one machine plays every buyer and merchant.
    RATE_LIMIT_PER_SANDBOX_CLIENT: '60000',
    RATE_LIMIT_PAGE_PER_ADDRESS: '60000',
    STOREFRONT_SESSIONS_PER_ADDRESS: '3000',
    STOREFRONT_SESSIONS_PER_HOUR: '1000000',
    DECLINES_PER_ADDRESS: '0',
    DECLINES_PER_CLIENT: '0',
    DECLINES_PER_MERCHANT: '0',
    DECLINES_PER_CARD: '0',
    OIDC_ISSUER: addresses.identityUrl,
    OIDC_AUDIENCE: AUDIENCE,
    OIDC_DASHBOARD_SCOPE: 'openid merchants',
    ...(context.isObserved && {
      OTEL_EXPORTER_OTLP_ENDPOINT: addresses.observeUrl,
      RUNBOOK_URL: runbookUrl(addresses.observeUrl),
      METRICS_PER_MERCHANT: '1',
    }),
  };
  const rail = {
    RAIL_PORT: `${ports.rail}`,
    RAIL_PUBLIC_URL: addresses.railUrl,
    RAIL_DATABASE_URL: context.railDatabaseUrl,
    RAIL_ACCOUNTS: JSON.stringify(railAccounts(context)),
  };
  const identity = {
    IDENTITY_PORT: `${ports.identity}`,
    IDENTITY_ISSUER: addresses.identityUrl,
    IDENTITY_AUDIENCE: AUDIENCE,
    IDENTITY_DASHBOARD_URL: addresses.dashboardUrl,
    IDENTITY_KEY: context.identityKey,
    IDENTITY_SECRET: context.identitySecret,
    IDENTITY_ACCOUNTS: JSON.stringify(devAccounts(merchants)),
    IDENTITY_DATA_DIR: context.identityDataDir,
  };
  const shop = {
    SHOP_PORT: `${ports.shop}`,
    SHOP_PUBLIC_URL: addresses.shopUrl,
    SHOP_API_URL: addresses.apiUrl,
    SHOP_API_KEY: merchants.merchant.apiKeys[0]?.key,
    SHOP_WEBHOOK_SECRET: merchants.merchant.webhookEndpoint?.secret,
    SHOP_CLIENT_ID: merchants.merchant.storefrontClient?.id,
    SHOP_PRODUCTS: JSON.stringify(productIds(merchants.merchant)),
    SHOP_DATA_DIR: context.shopDataDir,
  };
  return [
    ...serviceParts(context, service),
    part('rail', 'sandbox/rail/main.ts', rail, addresses.railUrl),
    part('identity', 'sandbox/identity/main.ts', identity, addresses.identityUrl),
    part('shop', 'sandbox/shop/main.ts', shop, addresses.shopUrl),
  ];
}

function serviceParts({ ports, replicas }: PartsContext, service: NodeJS.ProcessEnv): readonly HealthyPart[] {
  const {
    apis = [{ port: ports.api, metricsPort: ports.apiMetrics }],
    workers = [{ port: ports.worker, metricsPort: ports.workerMetrics }],
  } = replicas ?? {};
  const numbered = (name: string, index: number) => (index === 0 ? name : `${name}-${index + 1}`);
  return [
    ...apis.map(({ port, metricsPort }, index) => {
      const env = { ...service, API_PORT: `${port}`, API_METRICS_PORT: `${metricsPort}` };
      return part(numbered('api', index), 'bin/api.ts', env, `http://127.0.0.1:${port}`, API_NODE_ARGS);
    }),
    ...workers.map(({ port, metricsPort }, index) => {
      const env = { ...service, WORKER_HEALTH_PORT: `${port}`, WORKER_METRICS_PORT: `${metricsPort}` };
      return part(numbered('worker', index), 'bin/worker.ts', env, `http://127.0.0.1:${port}`);
    }),
  ];
}

/** Longer than the twelve seconds that a stopping API gives its requests. */
const STOPS_WITHIN_MS = 15_000;

function part(
  name: string,
  script: string,
  env: NodeJS.ProcessEnv,
  url: string,
  nodeArgs: readonly string[] = [],
): HealthyPart {
  const spec = {
    name,
    command: process.execPath,
    args: [...nodeArgs, join(PROJECT_DIR, script)],
    cwd: PROJECT_DIR,
    env: { NODE_COMPILE_CACHE: COMPILE_CACHE, ...env },
    graceMs: STOPS_WITHIN_MS,
  };
  return { spec, healthUrl: `${url}/healthz` };
}

function railAccounts({ merchants, addresses }: PartsContext): readonly object[] {
  return Object.values(merchants).map(({ name, railAccount: { id, secret, status, webhookSecret } }) => ({
    id,
    secret,
    status,
    webhookSecret,
    merchantName: name,
    pageOrigins: [addresses.apiUrl],
    currencies: CURRENCIES,
    wallets: ['apple_pay'],
    webhookUrl: `${addresses.apiUrl}/rails/sandbox/${id}/webhooks`,
  }));
}
