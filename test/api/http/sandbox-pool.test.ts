/** The sandbox's connections in an API process (rule 37). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import type { Environment } from '../../../domain/core/environment.ts';
import { openPageToken } from '../../../platform/secrets/page-token.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { asPerson, testPeopleGate } from '../../support/api/people.ts';
import {
  insertSession,
  insertShop,
  insertStorefrontClient,
  testSecretBox,
} from '../../support/db/fixtures.ts';
import { createTestDatabase } from '../../support/db/postgres.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let sandboxPool: Pool;
/** Counts statements whose result is one row. */
let statements = 0;
let api: TestApi;

beforeAll(async () => {
  database = await createTestDatabase();
  sandboxPool = await openPool({ url: database.url, maxConnections: 1 });
  api = await startTestApi({
    databaseUrl: database.url,
    sandboxPool: counting(sandboxPool),
    merchantGate: testPeopleGate,
  });
});
afterAll(async () => {
  await api?.stop();
  await sandboxPool?.end();
  await database?.drop();
});

const PEOPLE_READ = '/v1/merchants/:id/search/payments?environment=';

test.each(['/v1/products', '/v1/merchants/:id/products', PEOPLE_READ])(
  'test-key requests that exhaust the sandbox’s connections do not block live requests: %s',
  async (path) => {
    const ofPeople = path === PEOPLE_READ;
    const test = await insertShop(api.pool);
    const live = await insertShop(api.pool, {}, 'production');
    const get = (shop: typeof live) => {
      const at = path.replace(':id', shop.merchantId);
      if (!ofPeople) return api.request('GET', at, { apiKey: shop.apiKey });
      const environment = shop === live ? 'production' : 'sandbox';
      return api.request('GET', at + environment, { headers: asPerson(shop.merchantId) });
    };
    await keepsLiveOnesGoing(
      () => get(test),
      () => get(live),
    );
  },
);

test('sandbox buyers whose page is known do not block live buyers', async () => {
  const stateOf = async (environment: Environment) => {
    const shop = await insertShop(api.pool, {}, environment);
    const session = await insertSession(api.pool, shop, shop.products.oneTime);
    return () => fetch(`${api.url}/pay/${openPageToken(testSecretBox, session)}/state`);
  };
  const [ofSandbox, live] = [await stateOf('sandbox'), await stateOf('production')];
  // No rail runs here to serve the card fields.
  await api.pool.query(
    sql.unsafe`update rail_accounts set capabilities = capabilities || '{"cardFields": false}'`,
  );
  expect((await ofSandbox()).status).toBe(200);
  await keepsLiveOnesGoing(ofSandbox, live);
});

test('known sandbox storefront clients do not block live clients', async () => {
  const origin = 'https://shop.example';
  const configOf = async (environment: Environment) => {
    const shop = await insertShop(api.pool, {}, environment);
    const client = await insertStorefrontClient(api.pool, { ...shop, origins: [origin] });
    return () => api.request('GET', `/v1/checkout-clients/${client}/config`, { headers: { origin } });
  };
  const [ofSandbox, live] = [await configOf('sandbox'), await configOf('production')];
  expect((await ofSandbox()).status).toBe(200);
  await keepsLiveOnesGoing(ofSandbox, live);
});

/** While the sandbox's only connection is taken, live requests are answered and sandbox requests wait. */
async function keepsLiveOnesGoing(ofSandbox: Send, live: Send): Promise<void> {
  const held = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  const holding = sandboxPool.transaction(async (tx) => {
    await tx.query(sql.unsafe`select 1`);
    taken.resolve();
    await held.promise;
  });
  await taken.promise;
  let answered = false;
  const waiting = ofSandbox().finally(() => {
    answered = true;
  });
  for (let times = 0; times < 5; times += 1) expect((await live()).status).toBe(200);
  expect(answered).toBe(false);
  held.resolve();
  expect((await waiting).status).toBe(200);
  await holding;
}

type Send = () => Promise<{ readonly status: number }>;

test('ten open dashboards of a merchant share one read of its figures', async () => {
  const { merchantId } = await insertShop(api.pool);
  const read = () =>
    api.request('GET', `/v1/merchants/${merchantId}/overview?environment=sandbox`, {
      headers: asPerson(merchantId),
    });
  statements = 0;
  const answers = await Promise.all(Array.from({ length: 10 }, read));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  expect((await read()).body.attention).toEqual(answers[0]?.body.attention);
  expect(statements).toBe(2);
});

function counting(pool: Pool): Pool {
  return new Proxy(pool, {
    get: (target, name) => {
      if (name === 'one') statements += 1;
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
