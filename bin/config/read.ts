/**
 * Reads the service's environment; no other file does. Every value has a default, except those specific to an
 * installation.
 */
import { z } from 'zod';
import { isLoopback } from '../../contract/core/loopback.ts';
import type { Retention } from '../../domain/core/retention.ts';
import {
  environment,
  OPERATORS,
  OPS,
  PAYMENTS,
  PEOPLE,
  RAILS,
  SEALING,
  SECRETS,
  WEBHOOKS,
} from './environment-variables.ts';
import { ConfigError, faultsIn } from './faults.ts';
import { flag } from './forms.ts';
import { readTemporalConfig } from './temporal.ts';

export type Config = ReturnType<typeof readConfig>;

/**
 * @param service `api` also needs a host for card fields, and the number of proxies in front of it
 * @throws ConfigError with every missing or malformed variable
 */
export function readConfig(env: NodeJS.ProcessEnv = process.env, service: 'api' | 'worker' = 'worker') {
  const faults = faultsIn(
    () => environment.parse(env),
    () => readTemporalConfig(env),
    () => readPeopleConfig(env),
    () => readOperatorConfig(env, ''),
    () => refuseLoopbackWebhooks(env),
    () => service === 'api' && refuseSharedFieldsHost(env),
    () => service === 'api' && refuseUncountedProxies(env),
  );
  if (faults.length > 0) throw new ConfigError(faults);
  const e = environment.parse(env);
  const temporal = readTemporalConfig(env);
  return {
    database: {
      url: e.DATABASE_URL,
      directUrl: e.DATABASE_DIRECT_URL ?? e.DATABASE_URL,
      readerUrl: e.DATABASE_READER_URL,
      maxConnections: e.DATABASE_MAX_CONNECTIONS,
      statementTimeoutMs: e.DATABASE_STATEMENT_TIMEOUT_SECONDS * 1_000,
      prepareStatements: e.DATABASE_PREPARED_STATEMENTS === 'on',
    },
    temporal,
    operator: readOperatorConfig(env, temporal.namespace),
    pages: readPageAddresses(env, e.PUBLIC_URL),
    api: { host: e.API_HOST, port: e.API_PORT, publicUrl: e.PUBLIC_URL.replace(/\/$/, '') },
    limits: limitsOf(e),
    secrets: { apiKeyPepper: e.API_KEY_PEPPER, ...readSealingConfig(env), key: e.SECRETS_KEY },
    rails: readRailConfig(env, e.PUBLIC_URL),
    people: readPeopleConfig(env),
    worker: {
      healthHost: e.WORKER_HEALTH_HOST,
      healthPort: e.WORKER_HEALTH_PORT,
      workflowBundle: e.WORKFLOW_BUNDLE,
      queues: e.WORKER_QUEUES,
      ...(e.BUILD_ID && { version: { deploymentName: e.WORKER_DEPLOYMENT, buildId: e.BUILD_ID } }),
    },
    metrics: {
      host: e.METRICS_HOST,
      apiPort: e.API_METRICS_PORT,
      workerPort: e.WORKER_METRICS_PORT,
      perMerchant: e.METRICS_PER_MERCHANT,
    },
    tracing: { endpoint: e.OTEL_EXPORTER_OTLP_ENDPOINT, ratio: e.OTEL_TRACES_SAMPLER_ARG },
    logLevel: e.LOG_LEVEL,
    session: readSessionConfig(env),
    billing: { dunningLadderDays: e.DUNNING_LADDER_DAYS },
    retention: {
      abandonedSessions: e.RETAIN_ABANDONED_SESSIONS_DAYS,
      clicks: e.RETAIN_CLICKS_DAYS,
      railWebhooks: e.RETAIN_RAIL_WEBHOOKS_DAYS,
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

type Environment = z.infer<typeof environment>;

function limitsOf(e: Environment) {
  return {
    rateLimits: {
      perKey: e.RATE_LIMIT_PER_CLIENT,
      perTestKey: e.RATE_LIMIT_PER_SANDBOX_CLIENT,
      perAddress: e.RATE_LIMIT_PER_ADDRESS,
      perPageAddress: e.RATE_LIMIT_PAGE_PER_ADDRESS,
      declines: {
        perAddress: e.DECLINES_PER_ADDRESS,
        perClient: e.DECLINES_PER_CLIENT,
        perMerchant: e.DECLINES_PER_MERCHANT,
        perCard: e.DECLINES_PER_CARD,
      },
      storefrontSessions: {
        perAddress: e.STOREFRONT_SESSIONS_PER_ADDRESS,
        perClient: e.STOREFRONT_SESSIONS_PER_CLIENT,
        perClientHour: e.STOREFRONT_SESSIONS_PER_HOUR,
      },
    },
    trustedProxies: e.TRUSTED_PROXIES,
  };
}

/** @throws ZodError */
export function readSessionConfig(env: NodeJS.ProcessEnv) {
  const e = z.object(PAYMENTS).parse(env);
  return {
    lifetimeSeconds: e.CHECKOUT_LIFETIME_SECONDS,
    challengeSeconds: e.CHALLENGE_LIFETIME_SECONDS,
    maxAttempts: e.CHECKOUT_MAX_ATTEMPTS,
    railCallTimeoutSeconds: e.RAIL_CALL_TIMEOUT_SECONDS,
    timings: {
      reconcileSeconds: e.RECONCILE_SCHEDULE_SECONDS,
      reconcileLongSeconds: e.RECONCILE_LONG_SCHEDULE_SECONDS,
    },
  };
}

/**
 * The current key, absent for commands without secrets, and the former keys for encrypted values.
 * @throws ZodError
 */
export function readSealingConfig(env: NodeJS.ProcessEnv) {
  const form = z.object({ ...SEALING, SECRETS_KEY: SEALING.SECRETS_KEY.optional() });
  const e = form.parse(env);
  return { key: e.SECRETS_KEY, formerKeys: e.SECRETS_FORMER_KEYS };
}

/** Where webhooks may go, and how long a receiver has. @throws ZodError */
export function readWebhookConfig(env: NodeJS.ProcessEnv) {
  const e = z.object(WEBHOOKS).parse(env);
  return {
    allowLoopback: e.WEBHOOK_ALLOW_LOOPBACK,
    egressProxy: e.WEBHOOK_EGRESS_PROXY,
    timeoutMs: e.WEBHOOK_TIMEOUT_SECONDS * 1_000,
  };
}

/** @returns undefined if it is not set @throws ZodError */
export function readApiKeyPepper(env: NodeJS.ProcessEnv): string | undefined {
  return z.object({ API_KEY_PEPPER: SECRETS.API_KEY_PEPPER.optional() }).parse(env).API_KEY_PEPPER;
}

/** Links, the amount above which a second person confirms, and the webhook for operators. @throws ZodError */
export function readOperatorConfig(env: NodeJS.ProcessEnv, namespace: string) {
  const e = z.object(OPERATORS).parse(env);
  const url = e.TEMPORAL_UI_URL?.replace(/\/$/, '');
  return {
    links: { temporalUi: url ? { url, namespace } : undefined, runbookUrl: e.RUNBOOK_URL },
    secondPersonAbove: e.SECOND_PERSON_ABOVE ?? null,
    webhook: readOperatorsWebhook(env, e.OPERATORS_WEBHOOK_URL),
  };
}

/**
 * Links shown in Temporal UI: to the runbook if it has a URL, to the dashboard if people log in. @throws ZodError
 */
function readPageAddresses(env: NodeJS.ProcessEnv, publicUrl: string) {
  const { RUNBOOK_URL: runbookUrl } = z.object(OPERATORS).parse(env);
  return {
    ...(URL.canParse(runbookUrl) && { runbookUrl }),
    ...(readPeopleConfig(env) && { dashboardUrl: `${publicUrl.replace(/\/$/, '')}/dashboard` }),
  };
}

/** Operator notices must be signed, or anyone could forge one. @throws ZodError */
function readOperatorsWebhook(env: NodeJS.ProcessEnv, webhookUrl: string | undefined) {
  if (!webhookUrl) return null;
  const { OPERATORS_WEBHOOK_SECRET: secret } = z.object({ OPERATORS_WEBHOOK_SECRET: z.string() }).parse(env);
  return { url: webhookUrl, secret };
}

/** With https, this is a public installation: no merchant's webhook may reach programs on this machine. */
function refuseLoopbackWebhooks(env: NodeJS.ProcessEnv): void {
  if (URL.parse(env.PUBLIC_URL ?? '')?.protocol !== 'https:') return;
  if (!flag.safeParse(env.WEBHOOK_ALLOW_LOOPBACK).data) return;
  throw new Error(
    'WEBHOOK_ALLOW_LOOPBACK: must be 0 where PUBLIC_URL is https, or merchants could send requests to services on ' +
      'this machine; remove it, and give endpoints an address on another host',
  );
}

/**
 * Stripe's script in the card-field document must not reach into the page, so the two need separate hosts. They may
 * share one where the sandbox rail is configured, which belongs to test environments.
 * @throws Error
 */
function refuseSharedFieldsHost(env: NodeJS.ProcessEnv): void {
  const page = URL.parse(env.PUBLIC_URL ?? '');
  if (page?.protocol !== 'https:' || env.SANDBOX_RAIL_URL) return;
  if (env.RAIL_FIELDS_URL && URL.parse(env.RAIL_FIELDS_URL)?.hostname !== page.hostname) return;
  throw new Error(
    `RAIL_FIELDS_URL must name another host than PUBLIC_URL (${page.hostname}); otherwise Stripe's script in the ` +
      'card fields could access the payment page. Give the API a second host name and set RAIL_FIELDS_URL to it.',
  );
}

/** Rate limits and logs need the buyer's own address instead of a proxy's. @throws Error */
function refuseUncountedProxies(env: NodeJS.ProcessEnv): void {
  const page = URL.parse(env.PUBLIC_URL ?? '');
  if (page?.protocol !== 'https:' || isLoopback(page) || env.TRUSTED_PROXIES) return;
  throw new Error(
    'TRUSTED_PROXIES: must be set where PUBLIC_URL is https: the API does not terminate TLS, so every buyer would ' +
      'appear to have the address of the proxy; set the number of proxies that append to X-Forwarded-For, ' +
      'usually 1 (0 if the load balancer keeps client addresses)',
  );
}

/** @throws ZodError with the names of the malformed variables */
export function readRailConfig(env: NodeJS.ProcessEnv, publicUrl: string) {
  const e = z.object(RAILS).parse(env);
  return {
    sandboxUrl: e.SANDBOX_RAIL_URL?.replace(/\/$/, ''),
    fieldsUrl: e.RAIL_FIELDS_URL ?? onAnotherHost(publicUrl),
    stripe: { apiUrl: e.STRIPE_API_URL, scriptUrl: e.STRIPE_SCRIPT_URL },
  };
}

/**
 * @returns null if no provider is configured
 * @throws a ZodError with every missing or malformed variable
 */
export function readPeopleConfig(env: NodeJS.ProcessEnv) {
  const e = z.object(PEOPLE).parse(env);
  if (!e.OIDC_ISSUER) return null;
  // Required: without an audience, a token for any other service of the provider would be valid here.
  const { OIDC_AUDIENCE: audience } = z.object({ OIDC_AUDIENCE: z.string() }).parse(env);
  return {
    issuer: e.OIDC_ISSUER,
    audience,
    merchantsClaim: e.OIDC_MERCHANTS_CLAIM,
    roleClaim: e.OIDC_ROLE_CLAIM,
    roles: e.OIDC_ROLES,
    tokenType: e.OIDC_TOKEN_TYPE,
    clockToleranceSeconds: e.OIDC_CLOCK_TOLERANCE_SECONDS,
    dashboard: { clientId: e.OIDC_DASHBOARD_CLIENT_ID, scope: e.OIDC_DASHBOARD_SCOPE },
  };
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

/** For `npm run ops` only; without a token, the machine's user is the actor. */
export function readOpsToken(env: NodeJS.ProcessEnv): string | undefined {
  return z.object(OPS).parse(env).OPS_TOKEN || undefined;
}
