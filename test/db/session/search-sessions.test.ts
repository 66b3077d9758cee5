/** Paginated search by state: complete, ordered, scoped to merchant and environment. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { searchSessions } from '../../../db/session/read/search-sessions.ts';
import type { Environment, Scope } from '../../../domain/core/environment.ts';
import { SESSION_STATES, type SessionState } from '../../../domain/session/session.ts';
import { insertRailAccount, insertSession, insertShop } from '../../support/db/fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';

const OF_EACH_STATE = 5;
const ENVIRONMENTS: readonly Environment[] = ['sandbox', 'production'];
const merchants: string[] = [];
let database: TestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = await openPool({ url: database.url, maxConnections: 1 });
  for (const _each of [1, 2]) {
    const { merchantId, products } = await insertShop(pool);
    await insertRailAccount(pool, { merchantId, environment: 'production' });
    merchants.push(merchantId);
    for (const environment of ENVIRONMENTS) {
      for (const state of SESSION_STATES.flatMap((each) => Array<SessionState>(OF_EACH_STATE).fill(each)))
        await insertInState({ merchantId, environment }, products.oneTime, state);
    }
  }
});
afterAll(async () => {
  await pool?.end();
  await database?.drop();
});

async function insertInState(scope: Scope, productId: string, state: SessionState): Promise<void> {
  const { id } = await insertSession(pool, scope, productId);
  await pool.query(sql.unsafe`
    update checkouts set state = ${state},
      finished_at = case when ${state} in ('succeeded', 'failed') then service_clock() end,
      failure_reason = case when ${state} = 'failed' then 'expired' end
    where id = ${id}`);
}

test.each(SESSION_STATES)('all pages together list every %s session once, newest first', async (status) => {
  for (const merchantId of merchants) {
    for (const environment of ENVIRONMENTS) {
      const scope = { merchantId, environment };
      const expected = await pool.anyFirst(sql.unsafe`
        select id from checkouts where merchant_id = ${merchantId} and environment = ${environment} and state = ${status}
        order by id desc`);
      const found: string[] = [];
      for (let after: string | null = null; ; ) {
        const page = await searchSessions(pool, {
          scope,
          term: null,
          status,
          from: null,
          to: null,
          after,
          limit: 2,
        });
        found.push(...page.map(({ id }) => id));
        if (page.length < 2) break;
        after = page.at(-1)?.id ?? null;
      }
      expect(found).toEqual(expected);
    }
  }
});
