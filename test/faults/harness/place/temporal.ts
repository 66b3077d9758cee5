/** A run's Temporal: crashed, restarted, and restored to an earlier instant. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir } from '../../../../sandbox/stack/core/directories.ts';
import { freePort } from '../../../../sandbox/stack/core/ports.ts';
import { createProgress } from '../../../../sandbox/stack/core/progress.ts';
import { findTemporal } from '../../../../sandbox/stack/temporal/temporal-binary.ts';
import {
  endTemporalLeftOn,
  startTemporal,
  type TemporalServer,
} from '../../../../sandbox/stack/temporal/temporal-dev.ts';
import { startTemporalOnPostgres } from '../../../../sandbox/stack/temporal/temporal-postgres.ts';
import { findTemporalServer } from '../../../../sandbox/stack/temporal/temporal-server-binary.ts';
import { openDatabase } from './database.ts';
import { withPort } from './link.ts';

const run = promisify(execFile);

/** Only for the development server. */
const DATABASE_FILE = 'temporal.db';
/** A SIGKILL in the middle of a transaction leaves the journal, without which the file is damaged. */
const FILES = ['', '-journal', '-wal', '-shm'].map((suffix) => DATABASE_FILE + suffix);

export interface Temporal {
  readonly port: number;
  readonly address: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  isRunning(): boolean;
  /** Call before the first `remember`. */
  backUp(): Promise<void>;
  /** Records the current instant, to which `restore` restores the server. */
  remember(): Promise<void>;
  restore(): Promise<void>;
  end(): Promise<void>;
}

/** @param viaLink a port that leads to the given one, for the connection of Temporal to its PostgreSQL */
export async function openTemporalServer(
  dir: string,
  isOnPostgres: boolean,
  viaLink: (port: number) => Promise<number> = async (port) => port,
): Promise<Temporal> {
  await mkdir(dir, { recursive: true });
  await chmod(dir, 0o755);
  const port = await freePort();
  const program = isOnPostgres ? await onPostgres(dir, port, viaLink) : await onFile(dir, port);
  let server = await program.start();
  const stop = async () => {
    server.part.kill('SIGKILL');
    await server.part.exited;
    // The server may briefly outlive the process that started it, and a file copied while it writes would be corrupt.
    await endTemporalLeftOn(join(dir, DATABASE_FILE));
  };
  const start = async () => {
    server = await program.start();
  };
  const whileStopped = async (work: () => Promise<void>) => {
    await stop();
    await work();
    await start();
  };
  return {
    port,
    address: `127.0.0.1:${port}`,
    stop,
    start,
    isRunning: () => server.part.isRunning(),
    backUp: program.backUp,
    remember: () => program.remember(whileStopped),
    restore: () => whileStopped(program.restore),
    async end() {
      await server.part.stop();
      await program.end();
    },
  };
}

/** How a server is started, and what is replaced when it is restored. */
interface Program {
  start(): Promise<TemporalServer>;
  backUp(): Promise<void>;
  remember(whileStopped: (work: () => Promise<void>) => Promise<void>): Promise<void>;
  restore(): Promise<void>;
  end(): Promise<void>;
}

const found = () => ({
  env: process.env,
  cacheDir: cacheDir(process.env),
  progress: createProgress(() => {}),
});

/** The server as used in production. */
async function onPostgres(
  dir: string,
  port: number,
  viaLink: (port: number) => Promise<number>,
): Promise<Program> {
  const programs = await findTemporalServer(found());
  const database = await openDatabase(join(dir, 'postgres'));
  const link = await viaLink(Number(new URL(database.url('temporal')).port));
  const url = (name: string) => withPort(database.url(name), link);
  let remembered = '';
  return {
    start: () =>
      startTemporalOnPostgres({
        programs,
        postgres: { part: database.server().part, url },
        port,
        dir: join(dir, 'server'),
      }),
    backUp: () => database.backUp(),
    async remember() {
      remembered = new Date().toISOString();
    },
    async restore() {
      await database.restoreTo(remembered);
    },
    end: () => database.stop(),
  };
}

/** The development server, whose database is one file. */
async function onFile(dir: string, port: number): Promise<Program> {
  const binary = await findTemporal(found());
  const copyDir = join(dir, 'copy');
  return {
    start: () => startTemporal({ binary, port, dbFile: join(dir, DATABASE_FILE) }),
    backUp: async () => {},
    remember: (whileStopped) => whileStopped(() => copyFiles(dir, copyDir)),
    restore: () => copyFiles(copyDir, dir),
    end: async () => {},
  };
}

async function copyFiles(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  for (const file of FILES) {
    await rm(join(to, file), { force: true });
    await run('cp', ['-a', join(from, file), join(to, file)]).catch(() => {});
  }
}
