/** A run's PostgreSQL: crashed, restarted, and restored to an earlier instant. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { freePort } from '../../../../sandbox/stack/core/ports.ts';
import { type Postgres, startPostgres } from '../../../../sandbox/stack/postgres/postgres.ts';
import { openVolume } from './volume.ts';

const run = promisify(execFile);

export interface Database {
  server(): Postgres;
  url(name: string): string;
  /**
   * Kills the server with SIGKILL and starts it: like the shutdown mode `immediate`, but without a signal to its
   * processes.
   */
  crash(): Promise<void>;
  /** Takes a base backup, from which `restoreTo` begins. */
  backUp(): Promise<void>;
  /** When the base backup was complete: the earliest instant for `restoreTo`. */
  backedUpAt(): number;
  /** Point-in-time recovery; commits after the instant are lost. */
  /** @returns when the old server was gone */
  restoreTo(instant: string): Promise<Date>;
  /**
   * Holds every connection that the server still accepts.
   * @returns how many
   */
  takeConnections(forMs: number): Promise<number>;
  /**
   * Fills the disk. Absent if no small volume can be mounted.
   * @returns whether the server exited because of it
   */
  fillDisk: ((forMs: number) => Promise<boolean>) | undefined;
  stop(): Promise<void>;
}

/** @param hasVolume whether the data may be on a small volume, which can be filled */
export async function openDatabase(dir: string, hasVolume = false): Promise<Database> {
  const archive = await makeDirectories(dir);
  const port = await freePort();
  const base = join(dir, 'base');
  const volume = hasVolume ? await openVolume(join(dir, 'volume')) : undefined;
  const dataDirs = volume?.dir ?? dir;
  let dataDir = join(dataDirs, 'data');
  let restores = 0;
  let backedUpAt = 0;
  let recovery: Readonly<Record<string, string>> = {};
  const start = (): Promise<Postgres> =>
    startPostgres({
      dataDir,
      port,
      password: 'faults',
      settings: { wal_level: 'replica', wal_keep_size: '4GB', max_connections: '300', ...recovery },
    });
  let server = await start();

  const kill = async () => {
    server.part.kill('SIGKILL');
    await server.part.exited;
  };
  return {
    server: () => server,
    url: (name) => server.url(name),
    async crash() {
      await kill();
      server = await start();
    },
    async backUp() {
      await copyRunning(server, dataDir, base);
      backedUpAt = Date.now();
    },
    backedUpAt: () => backedUpAt,
    async restoreTo(instant) {
      await kill();
      const stoppedAt = new Date();
      await keepLog(join(dataDir, 'pg_wal'), archive);
      restores += 1;
      await rm(dataDir, { recursive: true });
      dataDir = join(dataDirs, `data-${restores}`);
      await run('cp', ['-a', base, dataDir]);
      await place(join(dataDir, 'recovery.signal'), '');
      recovery = recoverySettings(archive, instant);
      server = await start();
      await untilPromoted(server);
      return stoppedAt;
    },
    takeConnections: (forMs) => takeConnections(server, forMs),
    fillDisk:
      volume &&
      (async (forMs) => {
        await volume.fill();
        await pause(forMs);
        await volume.empty();
        // A server that cannot write its log panics, and its recovery may have failed for the same reason.
        await pause(1_000);
        const isDown = !server.part.isRunning();
        if (isDown) server = await start();
        return isDown;
      }),
    async stop() {
      await server.part.stop();
      await volume?.close();
    },
  };
}

/** @returns the directory of the write-ahead log that restores read; PostgreSQL may run as another user */
async function makeDirectories(dir: string): Promise<string> {
  await mkdir(dir, { recursive: true });
  await chmod(dir, 0o755);
  const archive = join(dir, 'archive');
  await mkdir(archive);
  await chmod(archive, 0o777);
  return archive;
}

/** A base backup; the archive has its write-ahead log. */
async function copyRunning(server: Postgres, dataDir: string, base: string): Promise<void> {
  await asAdministrator(server, async (client) => {
    await client.query("select pg_backup_start('base', fast => true)");
    await run('cp', ['-a', dataDir, base]);
    const { rows } = await client.query('select labelfile from pg_backup_stop()');
    await place(join(base, 'backup_label'), rows[0].labelfile);
    await rm(join(base, 'postmaster.pid'), { force: true });
    const log = join(base, 'pg_wal');
    for (const file of await readdir(log)) await rm(join(log, file), { recursive: true });
  });
}

function recoverySettings(archive: string, instant: string): Readonly<Record<string, string>> {
  return {
    restore_command: `cp ${archive}/%f "%p"`,
    // PostgreSQL does not accept `T` and `Z` here.
    recovery_target_time: instant.replace('T', ' ').replace('Z', '+00'),
    recovery_target_action: 'promote',
  };
}

async function takeConnections(server: Postgres, forMs: number): Promise<number> {
  const taken: pg.Client[] = [];
  const take = async () => {
    const client = new pg.Client({ connectionString: server.url('postgres') });
    client.on('error', () => {});
    await client.connect();
    taken.push(client);
  };
  const end = performance.now() + forMs;
  // Retries, to take connections that others release.
  while (performance.now() < end) await take().catch(() => pause(100));
  await Promise.all(taken.map((client) => client.end().catch(() => {})));
  return taken.length;
}

/** Copies owner and permissions, because PostgreSQL may run as another user. Files kept by an earlier restore stay. */
async function keepLog(from: string, archive: string): Promise<void> {
  const kept = await readdir(archive);
  for (const file of await readdir(from)) {
    if (!kept.includes(file)) await run('cp', ['-a', join(from, file), archive]);
  }
}

async function asAdministrator<Result>(
  server: Postgres,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({ connectionString: server.url('postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function untilPromoted(server: Postgres): Promise<void> {
  const end = performance.now() + 60_000;
  for (;;) {
    const [row] = await asAdministrator(server, async (client) => {
      return (await client.query('select pg_is_in_recovery() as recovering')).rows;
    });
    if (row.recovering === false) return;
    if (performance.now() > end) throw new Error('PostgreSQL did not finish its recovery.');
  }
}

/** A file that PostgreSQL can write, even if it runs as another user. */
async function place(file: string, content: string): Promise<void> {
  await writeFile(file, content);
  await chmod(file, 0o666);
}
