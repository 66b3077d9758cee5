/** The sandbox's connections in an API process (rule 37). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { startTestApi, type TestApi } from '../../support/api.ts';
import { insertShop } from '../../support/fixtures.ts';
import { createTestDatabase } from '../../support/postgres.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let sandboxPool: Pool;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  sandboxPool = await openPool({ url: database.url, maxConnections: 1 });
  api = await startTestApi({ databaseUrl: database.url, sandboxPool });
});
afterAll(async () => {
  await api?.stop();
  await sandboxPool?.end();
  await database?.drop();
});

test.each(['/v1/products', '/v1/merchants/:id/products'])(
  'requests with a test key that use up their connections leave those of live ones alone: %s',
  async (path) => {
    const test = await insertShop(api.pool);
    const live = await insertShop(api.pool, {}, 'production');
    const get = ({ merchantId, apiKey }: typeof live) =>
      api.request('GET', path.replace(':id', merchantId), { apiKey });
    const held = Promise.withResolvers<void>();
    const taken = Promise.withResolvers<void>();
    const holding = sandboxPool.transaction(async (tx) => {
      await tx.query(sql.unsafe`select 1`);
      taken.resolve();
      await held.promise;
    });
    await taken.promise;
    let answered = false;
    const waiting = get(test).finally(() => {
      answered = true;
    });
    for (let times = 0; times < 5; times += 1) expect((await get(live)).status).toBe(200);
    expect(answered).toBe(false);
    held.resolve();
    expect((await waiting).status).toBe(200);
    await holding;
  },
);
