/**
 * Runs the Temporal server as docker-compose.yml does: on PostgreSQL, with the schema of its release, its configuration
 * template, and deploy/temporal/dynamic-config.yaml. It has no web interface.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import { PROJECT_DIR } from '../core/directories.ts';
import { freeLowPorts } from '../core/ports.ts';
import { ensureDatabase, type Postgres } from '../postgres/postgres.ts';
import { endLeftovers } from '../process/leftovers.ts';
import { type Part, type StartProgram, startForeignPart } from '../process/part.ts';
import { runTool } from '../process/tool.ts';
import { type TemporalServer, untilReady } from './temporal-dev.ts';
import type { ServerPrograms } from './temporal-server-binary.ts';

const READY_WITHIN_MS = 120_000;
const RETENTION = '30 days';
const ALREADY_EXISTS = 6;

/** The server's databases, and the folder of each one's schema in the release. */
const TEMPORAL_DATABASES = { temporal: 'temporal', temporal_visibility: 'visibility' } as const;

export interface ServerOptions {
  readonly programs: ServerPrograms;
  readonly postgres: Postgres;
  readonly port: number;
  /** An empty folder for this server only; its path also identifies the process. */
  readonly dir: string;
  readonly start?: StartProgram;
}

export async function startTemporalOnPostgres(options: ServerOptions): Promise<TemporalServer> {
  const { programs, postgres, port, dir, start = startForeignPart } = options;
  await endTemporalServerLeftIn(dir);
  mkdirSync(dir, { recursive: true });
  for (const [database, schema] of Object.entries(TEMPORAL_DATABASES)) {
    await ensureDatabase(postgres, database);
    await upgradeSchema(programs, new URL(postgres.url(database)), schema);
  }
  const part = start({
    name: 'temporal',
    command: programs.server,
    args: ['--root', dir, '--allow-no-auth', 'start'],
    cwd: dir,
    env: await environment(new URL(postgres.url('temporal')), port),
    stopSignal: 'SIGTERM',
  });
  const address = `127.0.0.1:${port}`;
  await createNamespace(part, address);
  await untilReady(part, address);
  return { part, address };
}

/** Ends an earlier run's server in this folder. */
export function endTemporalServerLeftIn(dir: string): Promise<void> {
  return endLeftovers(`--root ${dir} `, 'SIGTERM');
}

async function upgradeSchema({ sqlTool }: ServerPrograms, url: URL, schema: string): Promise<void> {
  const at = ['--plugin', 'postgres12', '--ep', url.hostname, '-p', url.port, '-u', url.username];
  const tool = (...args: string[]) =>
    runTool(sqlTool, [...at, '--db', url.pathname.slice(1), ...args], {
      env: { SQL_PASSWORD: url.password },
    });
  await tool('setup-schema', '-v', '0.0');
  await tool('update-schema', '--schema-name', `postgresql/v12/${schema}`);
}

/** The variables of the release's configuration template. */
async function environment(url: URL, port: number): Promise<NodeJS.ProcessEnv> {
  const internal = [
    'FRONTEND_HTTP_PORT',
    'MATCHING_GRPC_PORT',
    'HISTORY_GRPC_PORT',
    'WORKER_GRPC_PORT',
    'FRONTEND_MEMBERSHIP_PORT',
    'MATCHING_MEMBERSHIP_PORT',
    'HISTORY_MEMBERSHIP_PORT',
    'WORKER_MEMBERSHIP_PORT',
  ];
  const ports = await freeLowPorts(internal.length);
  return {
    DB: 'postgres12_pgx',
    POSTGRES_SEEDS: url.hostname,
    DB_PORT: url.port,
    POSTGRES_USER: url.username,
    POSTGRES_PWD: url.password,
    // Same as in docker-compose.yml.
    NUM_HISTORY_SHARDS: '128',
    DYNAMIC_CONFIG_FILE_PATH: join(PROJECT_DIR, 'deploy/temporal/dynamic-config.yaml'),
    LOG_LEVEL: 'warn',
    BIND_ON_IP: '127.0.0.1',
    TEMPORAL_BROADCAST_ADDRESS: '127.0.0.1',
    FRONTEND_GRPC_PORT: `${port}`,
    ...Object.fromEntries(internal.map((name, index) => [name, `${ports[index]}`])),
  };
}

/** The worker registers the search attributes, as in production. */
async function createNamespace(part: Part, address: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    if (!part.isRunning()) {
      throw new Error(`The Temporal server exited immediately:\n${part.lastLines().join('\n')}`);
    }
    try {
      return await register(address);
    } catch (error) {
      if ((error as { code?: number }).code === ALREADY_EXISTS) return;
      if (Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}

async function register(address: string): Promise<void> {
  const connection = await Connection.connect({ address, connectTimeout: '2 seconds' });
  try {
    await connection.workflowService.registerNamespace({
      namespace: 'default',
      workflowExecutionRetentionPeriod: msToTs(RETENTION),
    });
  } finally {
    await connection.close();
  }
}
