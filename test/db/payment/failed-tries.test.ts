/** A write that fails raises one alert per incident, even years later (rule 40). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import {
  alertOfFailedTry,
  deleteFailedTries,
  noteFailedTry,
} from '../../../db/payment/unrecorded-outcomes.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { insertSubscription } from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

test('a second incident of a subscription raises another alert; a second failure within an incident does not', async () => {
  const id = await insertSubscription(pool, shop, shop.products.recurring);
  const tried = { workflowId: id, reference: id, activity: 'renewPeriod', error: '23514' };
  const alerts = () =>
    pool.anyFirst(sql.type(z.object({ id: z.string() }))`
      select event_id as id from operator_alerts where reference = ${id}`);
  const fail = async () => {
    const noted = await noteFailedTry(pool, tried);
    if (noted && !noted.alerted) await alertOfFailedTry(pool, shop, tried);
  };
  await noteFailedTry(pool, tried);
  // Two concurrent reports of the same failure, as when the first one is slow.
  await Promise.all([1, 2].map(() => alertOfFailedTry(pool, shop, tried)));
  await fail();
  expect(await alerts()).toHaveLength(1);
  await deleteFailedTries(pool, id, id);
  await fail();
  expect(new Set(await alerts()).size).toBe(2);
});
