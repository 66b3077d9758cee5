/**
 * Every variable of the service's environment except Temporal's: format, default and meaning (docs/configuration.md).
 */
import { z } from 'zod';
import { ROLES } from '../../domain/core/permissions.ts';
import { DEFAULT_RETENTION, LEAST_RETENTION, type RetentionKind } from '../../domain/core/retention.ts';
import { DECLINE_LIMITS } from '../../domain/session/card-testing.ts';
import { DUNNING_LADDER_DAYS } from '../../domain/subscription/dunning.ts';
import { DEFAULT_DEPLOYMENT } from '../../platform/temporal/deployments.ts';
import { QUEUE_KINDS } from '../../workflows/core/task-queues.ts';
import {
  flag,
  formerKey,
  jsonMap,
  link,
  list,
  numberList,
  pepper,
  port,
  postgresUrl,
  sealingKey,
  seconds,
  secureUrl,
  url,
  waits,
  webhookSecret,
} from './forms.ts';

const DATABASE = {
  DATABASE_URL: postgresUrl.describe(
    'PostgreSQL 18. `sslmode=verify-full` enables TLS and checks certificate and host name, `sslmode=no-verify` ' +
      "encrypts only; `sslrootcert=<file>` is the CA to trust, `sslcert` and `sslkey` the service's own. " +
      '`connect_timeout=<seconds>`: time limit for connecting (3).',
  ),
  DATABASE_DIRECT_URL: postgresUrl
    .optional()
    .describe(
      'Bypasses a pooler in transaction mode in `DATABASE_URL`, for `LISTEN` and migrations: one connection per process.',
    ),
  DATABASE_READER_URL: postgresUrl
    .optional()
    .describe('A replica for lists, searches and exports. Without it, the primary.'),
  DATABASE_MAX_CONNECTIONS: z.coerce
    .number()
    .int()
    .positive()
    .default(10)
    .describe(
      'Connections per pool. An API process has two pools, four with a reader, and a worker four; each has two more connections to watch PostgreSQL.',
    ),
  DATABASE_STATEMENT_TIMEOUT_SECONDS: seconds(10).describe('PostgreSQL cancels longer statements.'),
  DATABASE_PREPARED_STATEMENTS: z
    .enum(['on', 'off'])
    .default('on')
    .describe('`off` behind a pooler in transaction mode that does not track prepared statements.'),
};

export const SEALING = {
  SECRETS_KEY: sealingKey.describe(
    '32 random bytes in base64: `openssl rand -base64 32`. Encrypts webhook secrets, rail credentials and mandates.',
  ),
  SECRETS_FORMER_KEYS: list(formerKey).describe(
    'Former keys, separated by commas, which are still used to decrypt (`npm run ops -- rotate-secrets-key`).',
  ),
};

export const SECRETS = {
  API_KEY_PEPPER: pepper.describe(
    "The key for hashing merchants' API keys. At least 16 different bytes, not repeated: `openssl rand -hex 32`.",
  ),
  ...SEALING,
};

const API = {
  PUBLIC_URL: secureUrl.describe(
    'URL at which buyers reach the API, over https (http on localhost only). Links to hosted pages begin with it. The workers need it too.',
  ),
  API_HOST: z.string().default('127.0.0.1').describe('The address that the API listens on.'),
  API_PORT: port(8080).describe('Its port.'),
  TRUSTED_PROXIES: z.coerce
    .number()
    .int()
    .nonnegative()
    .max(
      10,
      'must be at most 10, or callers could spoof their address; count the reverse proxies in front of the API',
    )
    .default(0)
    .describe(
      'Reverse proxies in front of the API, each of which adds an entry to `X-Forwarded-For`: 10 at most. Required by the API if `PUBLIC_URL` is https, other than on this machine: usually 1. Too high, and callers can spoof their address; too low, and all buyers share the address of a proxy.',
    ),
};

const LIMITS = {
  RATE_LIMIT_PER_CLIENT: limit(60_000).describe(
    'Requests to `/v1` per minute and API key, in all API processes together.',
  ),
  RATE_LIMIT_PER_SANDBOX_CLIENT: limit(6_000).describe('The same for keys of the sandbox.'),
  RATE_LIMIT_PER_ADDRESS: limit(60_000).describe(
    'Requests to `/v1` per minute and address, in all API processes together.',
  ),
  RATE_LIMIT_PAGE_PER_ADDRESS: limit(6_000).describe(
    'Requests to the hosted page, and as many to its invoices, per minute and address, in all API processes.',
  ),
  STOREFRONT_SESSIONS_PER_ADDRESS: limit(60).describe(
    'Sessions per minute that a storefront client creates without a key, in all API processes, per address.',
  ),
  STOREFRONT_SESSIONS_PER_CLIENT: limit(3_000).describe('The same, for all addresses together.'),
  STOREFRONT_SESSIONS_PER_HOUR: limit(20_000).describe(
    'The same per hour: the budget of a storefront client.',
  ),
  DECLINES_PER_ADDRESS: declines(DECLINE_LIMITS.perAddress).describe(
    'Declined cards from one address (IPv6: /48) in ten minutes, or ten times as many in a day, after which a click on the hosted page needs a proof of work; ten times as many again end in 429 `too_many_declines`. Here and per merchant, clicks that the rail has not answered count as declines; before the first decline the next click waits for their answers. 0 disables the limit.',
  ),
  DECLINES_PER_CLIENT: declines(DECLINE_LIMITS.perClient).describe(
    'The same, per storefront client, without the 429: card testing cannot close a shop.',
  ),
  DECLINES_PER_MERCHANT: declines(DECLINE_LIMITS.perMerchant).describe(
    'The same, per merchant, without the 429.',
  ),
  DECLINES_PER_CARD: declines(DECLINE_LIMITS.perCard).describe(
    'The limits per address, for each card at one merchant, if the rail reports the card’s fingerprint.',
  ),
};

function declines(fallback: number) {
  return z.coerce.number().int().nonnegative().default(fallback);
}

function limit(fallback: number) {
  return z.coerce.number().int().positive().default(fallback);
}

export const RAILS = {
  SANDBOX_RAIL_URL: url
    .optional()
    .describe('The sandbox rail of a test environment. If absent, there is no sandbox rail.'),
  RAIL_FIELDS_URL: secureUrl
    .optional()
    .describe(
      'Another host name of the same API, from which browsers load card fields. Required if `PUBLIC_URL` is https, unless there is a sandbox rail.',
    ),
  STRIPE_API_URL: secureUrl.optional().describe('A stand-in for Stripe, for development and tests.'),
  STRIPE_SCRIPT_URL: secureUrl
    .optional()
    .describe('A stand-in for Stripe’s script, for development and tests.'),
};

export const PEOPLE = {
  OIDC_ISSUER: secureUrl
    .optional()
    .describe(
      'The OpenID Connect provider of administrators. If absent, only API keys are accepted, which cannot manage merchants.',
    ),
  OIDC_AUDIENCE: z
    .string()
    .min(1)
    .optional()
    .describe('The `aud` claim of its tokens for this service. Required with an issuer.'),
  OIDC_MERCHANTS_CLAIM: z
    .string()
    .min(1)
    .default('merchants')
    .describe("The claim with a person's merchants."),
  OIDC_ROLE_CLAIM: z
    .string()
    .min(1)
    .default('role')
    .describe("The claim with a person's role, or a list of roles or groups."),
  OIDC_ROLES: jsonMap(ROLES)
    .optional()
    .describe(
      'A JSON object that maps the values of that claim to roles, such as `{"helpdesk":"support"}`; any other value gives no role. If absent, the values are the names of the roles.',
    ),
  OIDC_TOKEN_TYPE: z
    .string()
    .min(1)
    .optional()
    .describe('The `typ` header that access tokens must have, such as `at+jwt`. If absent, any.'),
  OIDC_DASHBOARD_CLIENT_ID: z
    .string()
    .min(1)
    .default('dashboard')
    .describe('The client id of the dashboard, a public client of the provider.'),
  OIDC_DASHBOARD_SCOPE: z
    .string()
    .min(1)
    .default('openid')
    .describe('The scopes that the dashboard requests.'),
  OIDC_CLOCK_TOLERANCE_SECONDS: z.coerce
    .number()
    .nonnegative()
    .max(300)
    .default(30)
    .describe('Tolerated clock skew of the provider.'),
};

export const OPERATORS = {
  TEMPORAL_UI_URL: url.optional().describe('URL of Temporal UI, for operators’ links.'),
  RUNBOOK_URL: link.default('docs/on-call.md').describe('URL of the runbook, for operators’ links.'),
  OPERATORS_WEBHOOK_URL: secureUrl
    .optional()
    .describe(
      'Receiver of `incident.opened`, `incident.grown` and `incident.cleared`. If absent, none is sent.',
    ),
  OPERATORS_WEBHOOK_SECRET: webhookSecret
    .optional()
    .describe(
      'The secret that signs them, like merchants’ webhooks: `whsec_` and base64. Required with the URL.',
    ),
  SECOND_PERSON_ABOVE: z.coerce
    .number()
    .int()
    .nonnegative()
    .optional()
    .describe(
      'Cents. A second person must confirm an operator’s decision about a larger amount, and any change of a production rail account or its keys. If absent, one person suffices.',
    ),
};

/** For `npm run ops` only. */
export const OPS = {
  OPS_TOKEN: z
    .string()
    .optional()
    .describe(
      'An access token from the identity provider; its person, who needs the role `platform`, is the actor. If absent, `operator:` and the user of the machine, who does not count if a second person must confirm.',
    ),
};

const WORKERS = {
  WORKER_QUEUES: list(z.enum(QUEUE_KINDS), QUEUE_KINDS.join())
    .refine((queues) => queues.length > 0, 'must name at least one queue')
    .describe('The task queues that this process serves, in both environments. Each queue needs a process.'),
  BUILD_ID: z
    .string()
    .regex(/^[\w.-]{0,100}$/, 'must be at most 100 letters, digits, dots, - and _')
    .optional()
    .describe(
      "The build of this process for Temporal's worker versioning. If absent or empty, it is not versioned.",
    ),
  WORKER_DEPLOYMENT: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be letters, digits, - and _')
    .default(DEFAULT_DEPLOYMENT)
    .describe('The worker deployment that the build belongs to.'),
  WORKER_HEALTH_HOST: z.string().default('127.0.0.1').describe("The address of a worker's `/healthz`."),
  WORKER_HEALTH_PORT: port(8081).describe('Its port.'),
  WORKFLOW_BUNDLE: z
    .string()
    .optional()
    .describe('A prebuilt workflow bundle. If absent, it is built at start.'),
};

const OBSERVABILITY = {
  LOG_LEVEL: z
    .enum(['trace', 'debug', 'info', 'warn', 'error', 'silent'])
    .default('info')
    .describe('The lowest level that is logged.'),
  METRICS_HOST: z
    .string()
    .default('127.0.0.1')
    .describe('The address of the metrics, separate from the public one.'),
  API_METRICS_PORT: port(9464).describe("The API's metrics. `0` disables them."),
  WORKER_METRICS_PORT: port(9465).describe("A worker's metrics. `0` disables them."),
  METRICS_PER_MERCHANT: flag.describe(
    '`1` adds the merchant as a label to metrics of sessions, payments, deliveries and incidents.',
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: url
    .optional()
    .describe('OTLP endpoint over HTTP, without `/v1/traces`. If absent, nothing is traced.'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('The share of requests that is traced, from 0 to 1.'),
};

const keptDays = (kind: RetentionKind) =>
  z.coerce.number().int().min(LEAST_RETENTION[kind]).max(36_500).default(DEFAULT_RETENTION[kind]);

/** In days (docs/data-retention-and-key-rotation.md#retention). */
const RETENTION = {
  RETAIN_ABANDONED_SESSIONS_DAYS: keptDays('abandonedSessions').describe(
    'Sessions without an attempt to pay, and customers who have nothing else. 30 or more.',
  ),
  RETAIN_CLICKS_DAYS: keptDays('clicks').describe('Clicks on "Pay", with the email that the buyer typed.'),
  RETAIN_RAIL_WEBHOOKS_DAYS: keptDays('railWebhooks').describe(
    "Rails' webhooks, once processed. 14 or more.",
  ),
  RETAIN_RAIL_ANSWERS_DAYS: keptDays('railAnswers').describe("Rails' answers."),
  RETAIN_POLICY_REPORTS_DAYS: keptDays('policyReports').describe('Reports of content security policies.'),
  RETAIN_AUDIT_DAYS: keptDays('audit').describe('The audit log. 365 or more.'),
};

export const PAYMENTS = {
  CHECKOUT_LIFETIME_SECONDS: seconds(1_800).describe('How long a session can be paid.'),
  CHALLENGE_LIFETIME_SECONDS: seconds(600).describe('How long a 3-D Secure challenge stays open.'),
  CHECKOUT_MAX_ATTEMPTS: z.coerce.number().int().positive().default(5).describe('Attempts per session.'),
  RAIL_CALL_TIMEOUT_SECONDS: seconds(20).describe(
    'After this time, a call to a rail is aborted; its outcome is looked up.',
  ),
  RECONCILE_SCHEDULE_SECONDS: waits('2,5,15,30,60,120').describe(
    'Delays before the first look-ups of an unknown outcome.',
  ),
  RECONCILE_LONG_SCHEDULE_SECONDS: waits('300,900,3600,21600,86400').describe(
    'Delays between later look-ups. The last one repeats until the outcome is known.',
  ),
  DUNNING_LADDER_DAYS: waits(DUNNING_LADDER_DAYS.join()).describe(
    'Days after which a declined renewal is retried.',
  ),
};

export const WEBHOOKS = {
  WEBHOOK_SCHEDULE_SECONDS: numberList(
    '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    z.number().nonnegative(),
  ).describe('Delays before each delivery of an event. The first is immediate.'),
  WEBHOOK_JITTER: z.coerce.number().min(0).max(1).default(0.1).describe('The random part of a delay.'),
  WEBHOOK_TIMEOUT_SECONDS: seconds(15).describe('Time limit for a receiver.'),
  WEBHOOK_ALLOW_LOOPBACK: flag.describe('`1` accepts endpoints on this machine, for development.'),
  WEBHOOK_EGRESS_PROXY: url
    .optional()
    .describe(
      'A forward proxy for webhooks and products’ images, which then protects the private network instead of this service.',
    ),
};

/** In the order of the documentation. */
export const SECTIONS = {
  PostgreSQL: DATABASE,
  Secrets: SECRETS,
  API,
  'Rate limits': LIMITS,
  Rails: RAILS,
  'People who administer': PEOPLE,
  Operators: OPERATORS,
  '`npm run ops`': OPS,
  Workers: WORKERS,
  'Logs, metrics and traces': OBSERVABILITY,
  'Payments and billing': PAYMENTS,
  Webhooks: WEBHOOKS,
  'Retention, in days': RETENTION,
} as const;

export const environment = z.object({
  ...DATABASE,
  ...SECRETS,
  ...API,
  ...LIMITS,
  ...RAILS,
  ...PEOPLE,
  ...OPERATORS,
  ...WORKERS,
  ...OBSERVABILITY,
  ...PAYMENTS,
  ...WEBHOOKS,
  ...RETENTION,
});
