import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { inTransaction, openPool } from '../../../sandbox/rail/db/pool.ts';
import { freePort } from '../../../sandbox/stack/core/ports.ts';
import { type Postgres, startPostgres } from '../../../sandbox/stack/postgres/postgres.ts';
import { eventually } from '../../support/core/eventually.ts';
import { type RunningProcess, startProcess } from '../../support/stack/process.ts';
import { ACCOUNT, callsTo } from './running-rail.ts';

let dir: string;
let postgres: Postgres;
let startServer: () => Promise<Postgres>;

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sandbox-rail-postgres-'));
  const port = await freePort();
  const password = randomBytes(8).toString('hex');
  startServer = () => startPostgres({ dataDir: join(dir, 'data'), port, password });
  postgres = await startServer();
});
afterAll(async () => {
  await postgres?.part.stop();
  await rm(dir, { recursive: true, force: true });
});

/** Restarts PostgreSQL in immediate mode, which cuts every connection, even during a statement. */
async function restartAtOnce(meanwhile: () => Promise<void> = async () => {}): Promise<void> {
  postgres.part.kill('SIGQUIT');
  await postgres.part.exited;
  await meanwhile();
  postgres = await startServer();
}

test('a PostgreSQL restart fails only a transaction that waits between two statements', async () => {
  const lost: Error[] = [];
  const pool = openPool(postgres.url('postgres'), (error) => lost.push(error));
  const work = inTransaction(pool, async (db) => {
    await db.query('select 1');
    await restartAtOnce(() => pause(100));
    await db.query('select 1');
  });
  await expect(work).rejects.toThrow();
  expect(lost).not.toEqual([]);
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await pool.end();
});

test('the rail survives three restarts of PostgreSQL under load', async () => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const rail: RunningProcess = await startProcess({
    script: 'sandbox/rail/main.ts',
    env: {
      PATH: process.env.PATH,
      RAIL_PORT: `${port}`,
      RAIL_DATABASE_URL: postgres.url('rail'),
      RAIL_ACCOUNTS: JSON.stringify([ACCOUNT]),
    },
    healthUrl: `${url}/healthz`,
    readyWithinMs: 60_000,
  });
  const calls = callsTo(url);
  let loading = true;
  const load = async () => {
    while (loading) await calls.authorize('approved').catch(() => pause(10));
  };
  const loads = Array.from({ length: 8 }, load);
  try {
    for (let restart = 0; restart < 3; restart++) {
      await pause(500);
      await restartAtOnce();
      await eventually(async () => expect((await calls.authorize('approved')).status).toBe(200));
    }
  } finally {
    loading = false;
    await Promise.all(loads);
    await rail.stop();
  }
});
