/**
 * A whole rail counts as failing only if most of its accounts fail, so that two merchants cannot stop the
 * others' sales.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { type AccountAtRail, admitAttempt } from '../../../db/payment/rail-admission.ts';
import { storeRailAnswer } from '../../../db/payment/rail-answers.ts';
import { openBreakers } from '../../../db/payment/rail-breaker.ts';
import type { Environment } from '../../../domain/core/environment.ts';
import { insertSession, insertShop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;
let accounts: readonly AccountAtRail[];

const accountsOf = (count: number, environment: Environment = 'sandbox') =>
  Promise.all(
    Array.from({ length: count }, async (): Promise<AccountAtRail> => {
      const { railAccountId: id } = await insertShop(pool, {}, environment);
      return { id, rail: 'sandbox', environment };
    }),
  );

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  accounts = await accountsOf(7);
});
afterAll(() => database?.close());
beforeEach(async () => {
  await pool.query(sql.unsafe`delete from rail_breakers`);
  await pool.query(sql.unsafe`delete from rail_answers`);
});

async function attempt(account: AccountAtRail, reason: string | null): Promise<void> {
  await storeRailAnswer(pool, {
    account,
    reference: 'ap_pay_1',
    operation: 'authorize',
    outcome: reason === null ? 'approved' : 'unknown',
    code: reason,
    detail: null,
    tookMs: 1,
    isAttempt: true,
  });
  if (reason !== null) await openBreakers(pool, account, reason);
}

async function fail(these: readonly AccountAtRail[], times: number, reason = 'timeout'): Promise<void> {
  for (let n = 0; n < times; n += 1) for (const account of these) await attempt(account, reason);
}
const succeed = async (these: readonly AccountAtRail[]) => {
  for (const account of these) await attempt(account, null);
};
const age = (seconds: number) =>
  pool.query(sql.unsafe`update rail_answers set at = at - ${seconds} * interval '1 second'`);
const openRails = () =>
  pool.anyFirst(sql.type(z.object({ scope: z.string() }))`
    select scope from rail_breakers where rail_account_id is null and state = 'open' order by scope`);
const openAccounts = async () =>
  (
    await pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    select rail_account_id as id from rail_breakers where rail_account_id is not null and state = 'open'`)
  ).toSorted();
const idsOf = (these: readonly AccountAtRail[]) => these.map(({ id }) => id).toSorted();

test('two failing accounts are refused individually, with or without a healthy third', async () => {
  await fail(accounts.slice(0, 2), 13);
  expect([await openRails(), await openAccounts()]).toEqual([[], idsOf(accounts.slice(0, 2))]);
  await succeed(accounts.slice(2, 3));
  await fail(accounts.slice(0, 2), 13);
  expect(await openRails()).toEqual([]);
});

test('busy accounts open only their own breakers, never the rail’s', async () => {
  await fail(accounts, 5, 'busy');
  expect([await openRails(), await openAccounts()]).toEqual([[], idsOf(accounts)]);
  // Attempts of the failing accounts must not count as attempts of other accounts.
  await fail(accounts.slice(0, 2), 1, 'timeout');
  expect(await openRails()).toEqual([]);
});

describe('at the half-open breaker of a rail', () => {
  const letItTry = () =>
    pool.query(sql.unsafe`update rail_breakers set retry_at = service_clock() - interval '1 second'`);
  const failedRounds = () =>
    pool.anyFirst(sql.type(z.object({ failures: z.number() }))`
      select failures from rail_breakers where rail_account_id is null and state = 'open'`);
  const at = (index: number): AccountAtRail => {
    const account = accounts[index];
    if (!account) throw new Error('no such account');
    return account;
  };
  const wait = async (index: number) =>
    (await admitAttempt(pool, { ...at(index), status: 'active' })).refusedForSeconds;
  async function probe(index: number, reason: string | null): Promise<void> {
    expect(await wait(index)).toBeNull();
    await attempt(at(index), reason);
  }

  beforeEach(async () => {
    await fail(accounts.slice(0, 3), 2);
    await letItTry();
  });

  test.each(['busy', 'timeout', 'misconfigured'])(
    'an account’s probe that ends with %s immediately leaves the next one to another account',
    async (reason) => {
      await probe(0, reason);
      expect(await failedRounds()).toEqual([0]);
      expect(await wait(0)).toBeGreaterThan(45);
      await probe(1, null);
      expect([await openRails(), await wait(0)]).toEqual([[], null]);
    },
  );

  test('two accounts whose probes fail again and again do not prolong the outage of the others', async () => {
    for (let round = 0; round < 3; round += 1) {
      await probe(0, 'timeout');
      await probe(1, 'timeout');
      expect(await failedRounds()).toEqual([0]);
      await pool.query(
        sql.unsafe`update rail_breakers set probes = replace(probes::text, '"until"', '"over"')::jsonb`,
      );
    }
    await probe(2, null);
  });

  test('the failed probes of three accounts prolong it for all, and each round needs three again', async () => {
    for (const index of [0, 1, 2]) await probe(index, 'timeout');
    expect(await failedRounds()).toEqual([1]);
    expect(await wait(3)).toBeGreaterThan(45);
    await letItTry();
    for (const index of [3, 4]) await probe(index, 'timeout');
    expect([await failedRounds(), await wait(5)]).toEqual([[1], null]);
  });

  test('the only account that still sells waits longer after each failed probe', async () => {
    await probe(0, 'timeout');
    const first = await wait(0);
    await pool.query(
      sql.unsafe`update rail_breakers set probes = replace(probes::text, '"until"', '"over"')::jsonb`,
    );
    await probe(0, 'timeout');
    expect(await wait(0)).toBeGreaterThan((first ?? 0) + 45);
  });

  test('the late failure of an attempt from before the outage ends no other account’s probe', async () => {
    expect(await wait(0)).toBeNull();
    await attempt(at(1), 'timeout');
    expect([await failedRounds(), await wait(2)]).toEqual([[0], 60]);
  });
});

test('a rail that answers none of three accounts is refused as a whole', async () => {
  await fail(accounts.slice(0, 3), 2);
  expect([await openRails(), await openAccounts()]).toEqual([['rail:sandbox:sandbox'], []]);
});

test('an account has one vote, however often it fails; its last attempt counts for ten minutes', async () => {
  await succeed(accounts.slice(3, 6));
  await age(300);
  await fail(accounts.slice(0, 3), 20);
  expect(await openRails()).toEqual([]);
  await fail(accounts.slice(3, 4), 1);
  expect(await openRails()).toEqual(['rail:sandbox:sandbox']);
});

test('a success of another account keeps the whole rail in use for a minute, unless that account has failed since', async () => {
  await succeed(accounts.slice(0, 4));
  await fail(accounts.slice(0, 3), 5);
  expect(await openRails()).toEqual([]);
  await age(50);
  await fail(accounts.slice(0, 3), 2);
  expect(await openRails()).toEqual([]);
  await age(11);
  await fail(accounts.slice(0, 3), 2);
  expect(await openRails()).toEqual(['rail:sandbox:sandbox']);
});

test('failures in the sandbox never stop live sales', async () => {
  const live = await accountsOf(3, 'production');
  await fail([...accounts.slice(0, 2), ...live.slice(0, 2)], 5);
  expect(await openRails()).toEqual([]);
  await fail(accounts.slice(2, 3), 5);
  expect(await openRails()).toEqual(['rail:sandbox:sandbox']);
});

test.each(['another:sandbox', 'sandbox:production'])(
  'while %s is out as a whole, the sandbox still sells',
  async (rail) => {
    const shop = await insertShop(pool);
    const [name, environment] = rail.split(':');
    await pool.query(sql.unsafe`
    insert into rail_breakers (scope, rail, environment, state, reason, retry_at)
    values (${`rail:${rail}`}, ${name ?? ''}, ${environment ?? ''}, 'open', 'timeout', service_clock() + interval '1 minute')`);
    expect((await insertSession(pool, shop, shop.products.oneTime)).id).toMatch(/^ap_chk_/);
    await pool.query(sql.unsafe`update rail_breakers set state = 'paused'`);
    expect((await insertSession(pool, shop, shop.products.oneTime)).id).toMatch(/^ap_chk_/);
  },
);
