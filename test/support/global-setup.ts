/**
 * One PostgreSQL and one Temporal development server for all test files, which find them by environment variables. Both
 * are tied to a pipe that this process holds: they end with it, even if it is killed.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cacheDir, PROJECT_DIR } from '../../sandbox/stack/core/directories.ts';
import { freePort } from '../../sandbox/stack/core/ports.ts';
import { createProgress } from '../../sandbox/stack/core/progress.ts';
import { ensureDatabase, type Postgres, startPostgres } from '../../sandbox/stack/postgres/postgres.ts';
import { findTemporal } from '../../sandbox/stack/temporal/temporal-binary.ts';
import { startTemporal } from '../../sandbox/stack/temporal/temporal-dev.ts';
import { workflowBundle } from '../../sandbox/stack/temporal/workflow-bundle.ts';
import { running } from './running.ts';

const run = promisify(execFile);
const TEMPLATE = 'template_migrated';
const MEMORY = '/dev/shm';
/** Enough for the rows of the largest tests and 1 GiB of write-ahead log. */
const ROOM_BYTES = 4 * 1024 ** 3;

/** Test data may be lost in a crash: no write waits for the disk. */
const FAST_AND_FORGETFUL = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '400',
  shared_buffers: '256MB',
};

export default async function globalSetup(): Promise<void> {
  const dir = await mkdtemp(join(await whereFilesAreCheap(), 'checkout-test-'));
  // Builds the bundle once for all test processes; otherwise each would build it after a change.
  await Promise.all([usePostgres(dir), useTemporal(), workflowBundle()]);
}

/**
 * Tests create and drop hundreds of databases of 667 files each. A database and its rail's take 40 ms of PostgreSQL's
 * CPU time in memory, and 400 to 560 ms on ext4, which searches for inodes that were not deleted recently.
 */
async function whereFilesAreCheap(): Promise<string> {
  const memory = await statfs(MEMORY).catch(() => undefined);
  return memory && memory.bavail * memory.bsize >= ROOM_BYTES ? MEMORY : tmpdir();
}

async function usePostgres(dir: string): Promise<void> {
  const postgres = await startPostgres({
    dataDir: join(dir, 'data'),
    port: await freePort(),
    password: 'test',
    settings: FAST_AND_FORGETFUL,
    removeAfter: dir,
  });
  running.push(postgres.part);
  // With both cores busy, a new connection may take longer than the service's three seconds.
  process.env.TEST_POSTGRES_URL = `${postgres.url('postgres')}?connect_timeout=15`;
  process.env.TEST_POSTGRES_TEMPLATE = TEMPLATE;
  await makeTemplate(postgres);
}

async function makeTemplate(postgres: Postgres): Promise<void> {
  await ensureDatabase(postgres, TEMPLATE);
  const env = { ...process.env, DATABASE_URL: postgres.url(TEMPLATE) };
  await run(process.execPath, [join(PROJECT_DIR, 'bin/migrate.ts')], { env });
}

async function useTemporal(): Promise<void> {
  const progress = createProgress((line) => process.stderr.write(`${line}\n`));
  const binary = await findTemporal({ env: process.env, cacheDir: cacheDir(process.env), progress });
  const temporal = await startTemporal({ binary, port: await freePort() });
  running.push(temporal.part);
  process.env.TEST_TEMPORAL_ADDRESS = temporal.address;
}
