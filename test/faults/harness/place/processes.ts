/** The processes of the service, the rail and the identity provider, each with its own links to its dependencies. */
import { join } from 'node:path';
import { freePort } from '../../../../sandbox/stack/core/ports.ts';
import type { HealthyPart } from '../../../../sandbox/stack/parts.ts';
import type { Links } from './link.ts';
import { type Preloads, preloaded } from './preloads.ts';
import { type Supervised, supervise } from './process.ts';

const WORKERS = 2;
const HEALTHY_WITHIN_MS = 180_000;

/** Delays of minutes and days, shortened to seconds. A rail call ends before a frozen process resumes. */
const SHORT_TIMES = {
  RECONCILE_SCHEDULE_SECONDS: '1,1,2,2,3',
  RECONCILE_LONG_SCHEDULE_SECONDS: '3',
  WEBHOOK_SCHEDULE_SECONDS: `0,1,1,2,2,${Array(40).fill('4').join()}`,
  WEBHOOK_JITTER: '0',
  WEBHOOK_TIMEOUT_SECONDS: '4',
  RAIL_CALL_TIMEOUT_SECONDS: '4',
  CHALLENGE_LIFETIME_SECONDS: '25',
  // No workflow thread per queue: these take half of the CPU time of a worker's start.
  TEMPORAL_DEBUG: '1',
  LOG_LEVEL: 'info',
};

export interface AccountAtRail {
  readonly id: string;
  readonly secret: string;
  readonly webhookSecret: string;
}

export interface ProcessesOptions {
  readonly specs: readonly HealthyPart[];
  readonly links: Links;
  readonly logsDir: string;
  readonly sessionSeconds: number;
  readonly railRetrySeconds: readonly number[] | undefined;
  readonly otherAccount: AccountAtRail;
  readonly lagSeconds: number;
  readonly hasMetrics: boolean;
  readonly preloads: Preloads;
  readonly env: NodeJS.ProcessEnv | undefined;
  readonly databaseUrl: string;
  readonly railPort: number;
  readonly temporalPort: number;
  /** The balancer's APIs, starting with the first. */
  readonly apiPorts: readonly number[];
  readonly frontPort: number;
  /** The port through which the rail's webhooks pass. */
  readonly railToFrontPort: number;
  readonly onStart: (process: Supervised) => void;
}

export interface Processes {
  readonly rail: Supervised;
  readonly apis: readonly Supervised[];
  readonly workers: readonly Supervised[];
  /** Host and port of each process's metrics. */
  readonly metrics: { readonly api: readonly string[]; readonly worker: readonly string[] };
  readonly logFiles: readonly string[];
}

/** Resolves when all of them are healthy. */
export async function startProcesses(options: ProcessesOptions): Promise<Processes> {
  const logFiles: string[] = [];
  const start = (part: HealthyPart, name: string, healthUrl: string, env: NodeJS.ProcessEnv) => {
    const logFile = join(options.logsDir, `${name}.log`);
    logFiles.push(logFile);
    const spec = { ...part.spec, name, env: { ...part.spec.env, ...env } };
    const started = supervise({ spec, healthUrl, logFile });
    options.onStart(started);
    return started;
  };
  const startNamed = (name: string, env: NodeJS.ProcessEnv = {}) => {
    const part = partOf(options.specs, name);
    return start(part, name, part.healthUrl, env);
  };
  const metrics = { api: [] as string[], worker: [] as string[] };
  const startService = async (part: 'api' | 'worker', name: string, port: number) => {
    const portName = part === 'api' ? 'API_PORT' : 'WORKER_HEALTH_PORT';
    const metricsPort = options.hasMetrics ? await freePort() : 0;
    if (metricsPort > 0) metrics[part].push(`127.0.0.1:${metricsPort}`);
    const env = {
      ...(await serviceEnv(name, options)),
      [portName]: `${port}`,
      [`${part.toUpperCase()}_METRICS_PORT`]: `${metricsPort}`,
    };
    return start(partOf(options.specs, part), name, `http://127.0.0.1:${port}/healthz`, env);
  };

  const rail = startNamed('rail', {
    RAIL_ACCOUNTS: railAccountsVia(options),
    RAIL_RETRY_SECONDS: options.railRetrySeconds?.join(','),
    RAIL_LAG_SECONDS: `${options.lagSeconds}`,
    LOG_LEVEL: 'warn',
  });
  const identity = startNamed('identity');
  const apis: Supervised[] = [];
  for (const [index, port] of options.apiPorts.entries())
    apis.push(await startService('api', `API ${index + 1}`, port));
  const workers: Supervised[] = [];
  for (let number = 1; number <= WORKERS; number++)
    workers.push(await startService('worker', `worker ${number}`, await freePort()));

  for (const each of [rail, identity, ...apis, ...workers]) {
    if (!(await each.untilHealthy(HEALTHY_WITHIN_MS)))
      throw new Error(`${each.name} does not start: see ${options.logsDir}`);
  }
  return { rail, apis, workers, metrics, logFiles };
}

/** The process's environment; every address of another part leads through a new link. */
async function serviceEnv(name: string, options: ProcessesOptions): Promise<NodeJS.ProcessEnv> {
  const { links, railPort, temporalPort } = options;
  return {
    ...SHORT_TIMES,
    CHECKOUT_LIFETIME_SECONDS: `${options.sessionSeconds}`,
    DATABASE_URL: await links.through(`${name} to PostgreSQL`, options.databaseUrl),
    TEMPORAL_ADDRESS: `127.0.0.1:${await links.to(`${name} to Temporal`, temporalPort)}`,
    SANDBOX_RAIL_URL: `http://127.0.0.1:${await links.to(`${name} to the rail`, railPort)}`,
    ...preloaded(options.preloads),
    ...options.env,
  };
}

export function partOf(specs: readonly HealthyPart[], name: string): HealthyPart {
  const found = specs.find(({ spec }) => spec.name === name);
  if (!found) throw new Error(`there is no part ${name}`);
  return found;
}

/** The rail's accounts, whose webhooks go over a link, and the other one, which sends none before it is in use. */
function railAccountsVia({ specs, frontPort, railToFrontPort, otherAccount }: ProcessesOptions): string {
  const given = partOf(specs, 'rail').spec.env?.RAIL_ACCOUNTS ?? '[]';
  const via = given.replaceAll(`127.0.0.1:${frontPort}/rails`, `127.0.0.1:${railToFrontPort}/rails`);
  const accounts = JSON.parse(via) as object[];
  return JSON.stringify([...accounts, { ...accounts[0], ...otherAccount, webhookUrl: null }]);
}
