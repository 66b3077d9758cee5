/**
 * Reads the service's environment, here only. Every value has a default, except those specific to an installation.
 */
import { z } from 'zod';
import { DUNNING_LADDER_DAYS } from '../domain/dunning.ts';
import {
  DEFAULT_RETENTION,
  LEAST_RETENTION,
  type Retention,
  type RetentionKind,
} from '../domain/retention.ts';
import { readTemporalConfig } from './temporal-config.ts';

const seconds = (fallback: number) => z.coerce.number().positive().default(fallback);
/** `Number` reads an empty text as 0: a variable that is set to nothing would be a wait of no time. */
const numberList = (fallback: string, each: z.ZodNumber) =>
  z
    .string()
    .default(fallback)
    .transform((text) => text.split(',').map((part) => (part.trim() === '' ? Number.NaN : Number(part))))
    .pipe(z.array(each.lt(1e9)));
const waits = (fallback: string) => numberList(fallback, z.number().positive());
const flag = z
  .enum(['0', '1', 'true', 'false'])
  .default('0')
  .transform((text) => text === '1' || text === 'true');
const metricsPort = (fallback: number) => z.coerce.number().int().min(0).max(65_535).default(fallback);
const sealingEnvironment = {
  /** Keys that still open what they sealed, separated by commas (`npm run ops -- rotate-secrets-key`). */
  SECRETS_FORMER_KEYS: z
    .string()
    .default('')
    .transform((text) => text.split(',').map((key) => key.trim()))
    .transform((keys) => keys.filter((key) => key !== '')),
  /** During a deploy without downtime: processes of the last release still run and read what is written. */
  LAST_RELEASE_RUNS: flag,
};

const railEnvironment = {
  SANDBOX_RAIL_URL: z.url().optional(),
  /** Where browsers load card-field documents from this API; preferably another host than PUBLIC_URL's. */
  RAIL_FIELDS_URL: z.url().optional(),
  /** Development and tests: a stand-in for Stripe. */
  STRIPE_API_URL: z.url().optional(),
  STRIPE_SCRIPT_URL: z.url().optional(),
};

const identityEnvironment = {
  /** The OpenID Connect provider of administrators; absent: only API keys, which cannot administer. */
  OIDC_ISSUER: z.url().refine(isHttpsOrLoopback, 'must be https, or http on the loopback address').optional(),
  /** `aud` of access tokens for this service. */
  OIDC_AUDIENCE: z.string().min(1).optional(),
  OIDC_MERCHANTS_CLAIM: z.string().min(1).default('merchants'),
  OIDC_ROLE_CLAIM: z.string().min(1).default('role'),
  /** The `typ` header that access tokens must have, as `at+jwt` (RFC 9068); absent: any. */
  OIDC_TOKEN_TYPE: z.string().min(1).optional(),
  /** The dashboard's public client at the provider, and the scopes that it asks for. */
  OIDC_DASHBOARD_CLIENT_ID: z.string().min(1).default('dashboard'),
  OIDC_DASHBOARD_SCOPE: z.string().min(1).default('openid'),
  OIDC_CLOCK_TOLERANCE_SECONDS: z.coerce.number().nonnegative().max(300).default(30),
};

const operatorEnvironment = {
  /** Where operators open Temporal UI and the runbook, for links. */
  TEMPORAL_UI_URL: z.url().optional(),
  /** Cents. Above it, a second person confirms what an operator says about money; absent: never. */
  SECOND_PERSON_ABOVE: z.coerce.number().int().nonnegative().optional(),
  RUNBOOK_URL: z.string().min(1).default('docs/operations.md'),
};

const keptDays = (kind: RetentionKind) =>
  z.coerce.number().int().min(LEAST_RETENTION[kind]).max(36_500).default(DEFAULT_RETENTION[kind]);
/** Days after which rows are deleted that are neither money nor its documents (docs/operations.md#retention). */
const retentionEnvironment = {
  RETAIN_ABANDONED_SESSIONS_DAYS: keptDays('abandonedSessions'),
  RETAIN_CLICKS_DAYS: keptDays('clicks'),
  RETAIN_RAIL_NEWS_DAYS: keptDays('railNews'),
  RETAIN_RAIL_ANSWERS_DAYS: keptDays('railAnswers'),
  RETAIN_POLICY_REPORTS_DAYS: keptDays('policyReports'),
  RETAIN_AUDIT_DAYS: keptDays('audit'),
};

const environment = z.object({
  DATABASE_URL: z.string().min(1),
  DATABASE_PREPARED_STATEMENTS: z.enum(['on', 'off']).default('on'),
  DATABASE_MAX_CONNECTIONS: z.coerce.number().int().positive().default(10),
  API_HOST: z.string().default('127.0.0.1'),
  API_PORT: z.coerce.number().int().default(8080),
  PUBLIC_URL: z.url(),
  /** Requests to `/v1` per minute and API process: per API key, and per address. */
  RATE_LIMIT_PER_CLIENT: z.coerce.number().int().positive().default(60_000),
  RATE_LIMIT_PER_SANDBOX_CLIENT: z.coerce.number().int().positive().default(6_000),
  RATE_LIMIT_PER_ADDRESS: z.coerce.number().int().positive().default(60_000),
  /** Requests to the hosted page, and as many to its invoices, per minute, address and API process. */
  RATE_LIMIT_PAGE_PER_ADDRESS: z.coerce.number().int().positive().default(6_000),
  /** Sessions per minute that a storefront client makes without a key, in all API processes: per address, and altogether. */
  STOREFRONT_SESSIONS_PER_ADDRESS: z.coerce.number().int().positive().default(60),
  STOREFRONT_SESSIONS_PER_CLIENT: z.coerce.number().int().positive().default(3_000),
  /** Number of reverse proxies in front of the API, each of which adds an entry to X-Forwarded-For. */
  TRUSTED_PROXIES: z.coerce.number().int().nonnegative().default(0),
  API_KEY_PEPPER: z.string().min(16),
  SECRETS_KEY: z.string().min(1),
  ...sealingEnvironment,
  ...railEnvironment,
  ...identityEnvironment,
  ...operatorEnvironment,
  ...retentionEnvironment,
  WORKER_HEALTH_HOST: z.string().default('127.0.0.1'),
  WORKER_HEALTH_PORT: z.coerce.number().int().default(8081),
  METRICS_HOST: z.string().default('127.0.0.1'),
  /** 0: no metrics. */
  API_METRICS_PORT: metricsPort(9464),
  WORKER_METRICS_PORT: metricsPort(9465),
  /** A label on metrics about payments, sessions, deliveries and incidents. */
  METRICS_PER_MERCHANT: flag,
  /** OTLP over HTTP, without /v1/traces; absent: no traces. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  /** The part of the requests that is traced, from 0 to 1. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  WORKFLOW_BUNDLE: z.string().optional(),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
  CHECKOUT_LIFETIME_SECONDS: seconds(1_800),
  CHALLENGE_LIFETIME_SECONDS: seconds(600),
  CHECKOUT_MAX_ATTEMPTS: z.coerce.number().int().positive().default(5),
  RAIL_CALL_TIMEOUT_SECONDS: seconds(20),
  RECONCILE_SCHEDULE_SECONDS: waits('2,5,15,30,60,120'),
  RECONCILE_LONG_SCHEDULE_SECONDS: waits('300,900,3600,21600,86400'),
  DUNNING_LADDER_DAYS: waits(DUNNING_LADDER_DAYS.join()),
  /** The first delivery is immediate, hence a leading 0. */
  WEBHOOK_SCHEDULE_SECONDS: numberList(
    '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    z.number().nonnegative(),
  ),
  WEBHOOK_JITTER: z.coerce.number().min(0).max(1).default(0.1),
  WEBHOOK_TIMEOUT_SECONDS: seconds(15),
  WEBHOOK_ALLOW_LOOPBACK: flag,
  WEBHOOK_EGRESS_PROXY: z.url().optional(),
});

export type Config = ReturnType<typeof readConfig>;

/** @throws a ZodError that names every variable that is missing or malformed */
export function readConfig(env: NodeJS.ProcessEnv = process.env) {
  const e = environment.parse(env);
  const temporal = readTemporalConfig(env);
  return {
    database: {
      url: e.DATABASE_URL,
      maxConnections: e.DATABASE_MAX_CONNECTIONS,
      prepareStatements: e.DATABASE_PREPARED_STATEMENTS === 'on',
    },
    temporal,
    operator: readOperatorConfig(env, temporal.namespace),
    api: { host: e.API_HOST, port: e.API_PORT, publicUrl: e.PUBLIC_URL.replace(/\/$/, '') },
    limits: {
      rateLimits: {
        perKey: e.RATE_LIMIT_PER_CLIENT,
        perTestKey: e.RATE_LIMIT_PER_SANDBOX_CLIENT,
        perAddress: e.RATE_LIMIT_PER_ADDRESS,
        perPageAddress: e.RATE_LIMIT_PAGE_PER_ADDRESS,
        storefrontSessions: {
          perAddress: e.STOREFRONT_SESSIONS_PER_ADDRESS,
          perClient: e.STOREFRONT_SESSIONS_PER_CLIENT,
        },
      },
      trustedProxies: e.TRUSTED_PROXIES,
    },
    secrets: { apiKeyPepper: e.API_KEY_PEPPER, key: e.SECRETS_KEY, ...readSealingConfig(env) },
    rails: readRailConfig(env, e.PUBLIC_URL),
    people: readPeopleConfig(env),
    worker: {
      healthHost: e.WORKER_HEALTH_HOST,
      healthPort: e.WORKER_HEALTH_PORT,
      workflowBundle: e.WORKFLOW_BUNDLE,
    },
    metrics: {
      host: e.METRICS_HOST,
      apiPort: e.API_METRICS_PORT,
      workerPort: e.WORKER_METRICS_PORT,
      perMerchant: e.METRICS_PER_MERCHANT,
    },
    tracing: { endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: e.OTEL_TRACES_SAMPLER_ARG },
    logLevel: e.LOG_LEVEL,
    checkout: {
      lifetimeSeconds: e.CHECKOUT_LIFETIME_SECONDS,
      challengeSeconds: e.CHALLENGE_LIFETIME_SECONDS,
      maxAttempts: e.CHECKOUT_MAX_ATTEMPTS,
      railCallTimeoutSeconds: e.RAIL_CALL_TIMEOUT_SECONDS,
      timings: {
        reconcileSeconds: e.RECONCILE_SCHEDULE_SECONDS,
        reconcileLongSeconds: e.RECONCILE_LONG_SCHEDULE_SECONDS,
      },
    },
    billing: { dunningLadderDays: e.DUNNING_LADDER_DAYS },
    retention: {
      abandonedSessions: e.RETAIN_ABANDONED_SESSIONS_DAYS,
      clicks: e.RETAIN_CLICKS_DAYS,
      railNews: e.RETAIN_RAIL_NEWS_DAYS,
      railAnswers: e.RETAIN_RAIL_ANSWERS_DAYS,
      policyReports: e.RETAIN_POLICY_REPORTS_DAYS,
      audit: e.RETAIN_AUDIT_DAYS,
    } satisfies Retention,
    webhooks: {
      scheduleSeconds: e.WEBHOOK_SCHEDULE_SECONDS,
      jitter: e.WEBHOOK_JITTER,
      timeoutSeconds: e.WEBHOOK_TIMEOUT_SECONDS,
      allowLoopback: e.WEBHOOK_ALLOW_LOOPBACK,
      egressProxy: e.WEBHOOK_EGRESS_PROXY,
    },
  };
}

/** How secrets are sealed besides the key, as `SecretBox` takes it. @throws ZodError */
export function readSealingConfig(env: NodeJS.ProcessEnv) {
  const e = z.object(sealingEnvironment).parse(env);
  return { formerKeys: e.SECRETS_FORMER_KEYS, lastReleaseRuns: e.LAST_RELEASE_RUNS };
}

/** What concerns operators. @throws ZodError */
export function readOperatorConfig(env: NodeJS.ProcessEnv, namespace: string) {
  const e = z.object(operatorEnvironment).parse(env);
  const url = e.TEMPORAL_UI_URL?.replace(/\/$/, '');
  return {
    links: { temporalUi: url ? { url, namespace } : undefined, runbookUrl: e.RUNBOOK_URL },
    secondPersonAbove: e.SECOND_PERSON_ABOVE ?? null,
  };
}

/**
 * Stripe's script in the card-field document must not reach into the page, so that the two need separate hosts.
 * Beside the sandbox rail, which belongs to test environments, they may share one.
 * @throws Error
 */
export function refuseSharedFieldsHost({ api, rails }: Pick<Config, 'api' | 'rails'>): void {
  const [page, fields] = [new URL(api.publicUrl), new URL(rails.fieldsUrl)];
  if (page.protocol !== 'https:' || rails.sandboxUrl || page.hostname !== fields.hostname) return;
  throw new Error(
    `RAIL_FIELDS_URL must name another host than PUBLIC_URL (${page.hostname}): Stripe's script in the card ` +
      'fields could reach into the page. Give the API a second host name and set RAIL_FIELDS_URL to it.',
  );
}

/** @throws ZodError with the names of the malformed variables */
export function readRailConfig(env: NodeJS.ProcessEnv, publicUrl: string) {
  const e = z.object(railEnvironment).parse(env);
  return {
    sandboxUrl: e.SANDBOX_RAIL_URL?.replace(/\/$/, ''),
    fieldsUrl: e.RAIL_FIELDS_URL ?? onAnotherHost(publicUrl),
    stripe: { apiUrl: e.STRIPE_API_URL, scriptUrl: e.STRIPE_SCRIPT_URL },
  };
}

/**
 * @returns null if no provider is configured
 * @throws a ZodError that names every variable that is missing or malformed
 */
export function readPeopleConfig(env: NodeJS.ProcessEnv) {
  const e = z.object(identityEnvironment).parse(env);
  if (!e.OIDC_ISSUER) return null;
  // Required: without an audience, a token for any other service of the provider would be valid here.
  const { OIDC_AUDIENCE: audience } = z.object({ OIDC_AUDIENCE: z.string() }).parse(env);
  return {
    issuer: e.OIDC_ISSUER,
    audience,
    merchantsClaim: e.OIDC_MERCHANTS_CLAIM,
    roleClaim: e.OIDC_ROLE_CLAIM,
    tokenType: e.OIDC_TOKEN_TYPE,
    clockToleranceSeconds: e.OIDC_CLOCK_TOLERANCE_SECONDS,
    dashboard: { clientId: e.OIDC_DASHBOARD_CLIENT_ID, scope: e.OIDC_DASHBOARD_SCOPE },
  };
}

function isHttpsOrLoopback(text: string): boolean {
  const url = URL.parse(text);
  const loopback = ['127.0.0.1', 'localhost'].includes(url?.hostname ?? '');
  return url?.protocol === 'https:' || (url?.protocol === 'http:' && loopback);
}

/**
 * Card fields belong on a separate host, so that a processor's script cannot reach into the page. On a developer's
 * machine, localhost and 127.0.0.1 are two hosts.
 */
function onAnotherHost(publicUrl: string): string {
  const url = new URL(publicUrl);
  if (url.hostname === '127.0.0.1') url.hostname = 'localhost';
  else if (url.hostname === 'localhost') url.hostname = '127.0.0.1';
  return url.href;
}
