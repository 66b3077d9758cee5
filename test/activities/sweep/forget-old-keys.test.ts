/** The sweep deletes idempotency keys after 30 days, except those of money movements. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { z } from 'zod';
import type { ActivityDeps } from '../../../activities/core/deps.ts';
import { createSweepActivities } from '../../../activities/sweep/sweep.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { testSecretBox } from '../../support/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());

test('a round of the sweep deletes keys older than 30 days, except those of money movements', async () => {
  const insert = (key: string, days: number, keepForEver: boolean) =>
    pool.query(sql.unsafe`
      insert into idempotency_keys (scope, key, method, path, body_hash, lease_until, keep_for_ever, created_at)
      values ('merchant:m:sandbox', ${key}, 'POST', '/', ${sql.binary(Buffer.alloc(32))}, service_clock() - interval '1 second',
        ${keepForEver}, service_clock() - ${days} * interval '1 day')`);
  await insert('old', 31, false);
  await insert('old refund', 400, true);
  await insert('young', 29, false);
  // Nothing else is due, so that Temporal is not asked.
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  const client = new Client({ connection });
  const deps = {
    pool,
    client,
    secretBox: testSecretBox,
    logger: pino({ level: 'silent' }),
  } as unknown as ActivityDeps;
  await createSweepActivities(deps).sweepOnce();
  await connection.close();
  const left = await pool.anyFirst(sql.type(z.object({ key: z.string() }))`
    select key from idempotency_keys order by key`);
  expect(left).toEqual(['old refund', 'young']);
});
