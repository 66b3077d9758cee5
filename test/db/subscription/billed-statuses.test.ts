/** The lists of statuses in SQL are those of the domain. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { BILLED, FINISHED } from '../../../db/subscription/core/billed-statuses.ts';
import {
  isBilled,
  isFinishedSubscription,
  SUBSCRIPTION_STATUSES,
} from '../../../domain/subscription/subscription.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

test.each(SUBSCRIPTION_STATUSES)('%s is billed or finished in SQL as in the domain', async (status) => {
  const found = await database.pool.one(sql.type(z.object({ billed: z.boolean(), finished: z.boolean() }))`
    select ${status} in ${BILLED} as billed, ${status} in ${FINISHED} as finished`);
  expect(found).toEqual({ billed: isBilled(status), finished: isFinishedSubscription(status) });
});
