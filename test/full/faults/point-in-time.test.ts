/**
 * Point-in-time recovery as docs/restores.md describes it: base backup, archived log, restore to an instant. The
 * restored database is fenced by its new timeline, and payments after the instant are adopted (rule 29).
 */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { createActivities } from '../../../activities/index.ts';
import { migrate } from '../../../db/core/migrate.ts';
import { assertMoneyMayMove, isMoneyHeld } from '../../../db/core/money-held.ts';
import { readClock, sql } from '../../../db/core/pool.ts';
import { isDatabaseUnavailable } from '../../../db/core/unavailable.ts';
import { countSweep, readLedgerCopy } from '../../../db/restore/fence.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { ensureDatabase, type Postgres, startPostgres } from '../../../sandbox/stack/postgres/postgres.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const run = promisify(execFile);
const CARD = '4242424242424242';

let dir: string;
let port: number;
let postgres: Postgres;
let world: SessionWorld;

const inDir = (name: string) => join(dir, name);
/** Runs the server on a data directory; it may be another user's. */
const serve = (dataDir: string, settings: Readonly<Record<string, string>>) =>
  startPostgres({ dataDir, port, password: 'test', settings });

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'checkout-point-in-time-'));
  await chmod(dir, 0o755);
  await mkdir(inDir('archive'));
  await chmod(inDir('archive'), 0o777);
  port = await freePort();
  postgres = await serve(inDir('data'), {
    wal_level: 'replica',
    archive_mode: 'on',
    archive_command: `test ! -f ${inDir('archive')}/%f && cp %p ${inDir('archive')}/%f`,
  });
  await ensureDatabase(postgres, 'checkout');
  await migrate(postgres.url('checkout'));
  world = await createSessionWorld({ databaseUrl: postgres.url('checkout'), railCallTimeoutSeconds: 4 });
  await world.startWorker();
});
afterAll(async () => {
  await world?.close();
  await postgres?.part.stop();
  if (dir) await rm(dir, { recursive: true, force: true });
});

async function asAdministrator<Result>(work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: postgres.url('postgres') });
  client.on('error', () => {});
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** A file that PostgreSQL can write, even if it runs as another user. */
async function place(name: string, content: string): Promise<void> {
  await writeFile(inDir(name), content);
  await chmod(inDir(name), 0o666);
}

/** Like `pg_basebackup`, which the binaries from npm lack. */
function baseBackup(): Promise<void> {
  return asAdministrator(async (client) => {
    await client.query("select pg_backup_start('base', fast => true)");
    // Copies owner and permissions, because PostgreSQL may run as another user.
    await run('cp', ['-a', inDir('data'), inDir('base')]);
    const { rows } = await client.query('select labelfile from pg_backup_stop()');
    await place('base/backup_label', rows[0].labelfile);
    await rm(inDir('base/postmaster.pid'), { force: true });
    const log = inDir('base/pg_wal');
    for (const file of await readdir(log)) await rm(join(log, file), { recursive: true });
  });
}

function archiveEverything(): Promise<void> {
  return asAdministrator(async (client) => {
    const { rows } = await client.query('select pg_walfile_name(pg_switch_wal()) as file');
    await eventually(async () => expect(await readdir(inDir('archive'))).toContain(rows[0].file));
  });
}

/** Committed rows are not visible yet: a workflow that looked would treat them as deleted. */
async function refusesRecovering(): Promise<void> {
  const error: unknown = await world.pool.query(sql.unsafe`select 1`).catch((refusal: unknown) => refusal);
  expect(String(error)).toContain('PostgreSQL is in recovery');
  expect(isDatabaseUnavailable(error)).toBe(true);
}

async function restoreTo(instant: string): Promise<void> {
  await postgres.part.stop();
  await place('base/recovery.signal', '');
  postgres = await serve(inDir('base'), {
    restore_command: `cp ${inDir('archive')}/%f "%p"`,
    // PostgreSQL does not accept `T` and `Z` here.
    recovery_target_time: instant.replace('T', ' ').replace('Z', '+00'),
    recovery_target_action: 'pause',
  });
  await refusesRecovering();
  await asAdministrator((client) => client.query('select pg_promote()'));
  await eventually(
    () =>
      asAdministrator(async (client) => {
        const { rows } = await client.query('select pg_is_in_recovery() as recovering');
        expect(rows[0].recovering).toBe(false);
      }),
    30_000,
  );
}

test('after a point-in-time restore, the service fences itself, compares with the rail, and sells again', async () => {
  await baseBackup();
  const [paid, paidLater] = [await world.session(), await world.session()];
  await world.pay(paid, CARD);
  await world.until(paid, 'succeeded');
  await countSweep(world.pool);
  const instant = await readClock(world.pool);
  await world.pool.query(sql.unsafe`select pg_sleep(0.05)`);
  await world.pay(paidLater, CARD);
  await world.until(paidLater, 'succeeded');
  await archiveEverything();
  const ledger = await world.ledger();
  await world.stopWorker();

  const startedAt = performance.now();
  await restoreTo(instant);
  await eventually(() => world.pool.query(sql.unsafe`select 1`));
  const recoveredAt = performance.now();
  expect(await world.view(paid)).toMatchObject({ state: 'succeeded' });
  expect(await world.view(paidLater)).toMatchObject({ state: 'created' });
  expect(await assertMoneyMayMove(world.pool).catch(isMoneyHeld)).toBe(true);
  await world.startWorker();
  await createActivities(world.deps).sweepOnce();
  const { epoch } = await readLedgerCopy(world.pool);
  const summary = await world.client.workflow.getHandle(`restore-${epoch}`).result();
  expect(summary).toMatchObject({ step: 'lifted', adopted: 1, forAPerson: 0 });
  await world.until(paidLater, 'succeeded');
  expect(await world.ledger()).toEqual(ledger);

  const fresh = await world.session();
  await world.pay(fresh, CARD);
  await world.until(fresh, 'succeeded');
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const [recovery, all] = [recoveredAt - startedAt, performance.now() - startedAt].map(seconds);
  process.stderr.write(
    `point-in-time recovery: ${recovery} until PostgreSQL serves, ${all} until the first sale\n`,
  );
});
