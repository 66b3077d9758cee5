/** The claim resender logs each failure once, not at every attempt (rule 43). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { claimResender } from '../../../activities/sweep/resend-claims.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { clickAccepted } from '../../support/db/attempts.ts';
import { insertSession, insertShop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());

test('a claim that Temporal rejects is retried in each round, and the cause is logged once', async () => {
  const shop = await insertShop(pool);
  const { id: checkoutId } = await insertSession(pool, shop, shop.products.oneTime);
  const paymentId = await clickAccepted(pool, checkoutId);
  await pool.query(sql.unsafe`
    update checkouts set next_action_at = service_clock() - interval '1 second' where id = ${checkoutId}`);
  const connection = Connection.lazy({ address: '127.0.0.1:1' });
  let tries = 0;
  const interceptors = {
    workflow: [
      {
        startUpdate: async (): Promise<never> => {
          tries += 1;
          throw new Error('connection refused');
        },
      },
    ],
  };
  const client = new Client({ connection, interceptors });
  const logged: [object, string][] = [];
  const logger = { warn: (fields: object, message: string) => logged.push([fields, message]) };
  const checkout = { timings: {} };
  const deps = { pool, client, checkout, logger } as unknown as Parameters<typeof claimResender>[0];
  const resend = claimResender(deps);
  await resend();
  await resend();
  await connection.close();
  expect(tries).toBe(2);
  expect(logged).toEqual([
    [
      { checkoutId, paymentId, err: expect.objectContaining({ message: 'connection refused' }) },
      'claim could not be resent',
    ],
  ]);
});
