/** Half-open breakers of a rail account and its rail. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { admitAttempt, freeProbeSlot, takeProbeSlotOrWait } from '../../../db/payment/rail-admission.ts';
import { insertShop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;
let account: Parameters<typeof admitAttempt>[1];
let neighbour: typeof account;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  const accountOf = async () => {
    const { railAccountId: id, environment } = await insertShop(pool);
    return { id, rail: 'sandbox', environment, status: 'active' as const };
  };
  [account, neighbour] = [await accountOf(), await accountOf()];
  await pool.query(sql.unsafe`
    insert into rail_breakers (scope, rail, environment, rail_account_id, state, reason) values
      (${`account:${account.id}`}, 'sandbox', ${account.environment}, ${account.id}, 'open', 'timeout'),
      (${`rail:sandbox:${account.environment}`}, 'sandbox', ${account.environment}, null, 'open', 'timeout')`);
});
beforeEach(() => pool.query(sql.unsafe`update rail_breakers set probe_until = null`));
afterAll(() => database?.close());

test('an attempt takes a slot in both breakers or in neither', async () => {
  expect(await takeProbeSlotOrWait(pool, neighbour)).toBeNull();
  // The rail's slot is taken, so the account's must stay free.
  expect(await takeProbeSlotOrWait(pool, account)).toBe(60);
  await pool.query(sql.unsafe`update rail_breakers set probe_until = null where rail_account_id is null`);
  expect(await takeProbeSlotOrWait(pool, account)).toBeNull();
  expect(await takeProbeSlotOrWait(pool, neighbour)).toBe(60);
});

test('an attempt of a disabled account takes no slot and blocks no other attempt', async () => {
  expect(await takeProbeSlotOrWait(pool, { ...account, status: 'disabled' })).toBeNull();
  expect(await takeProbeSlotOrWait(pool, account)).toBeNull();
});

test('only one of many concurrent attempts passes both breakers', async () => {
  const asked = await Promise.all(Array.from({ length: 5 }, () => takeProbeSlotOrWait(pool, account)));
  expect(asked.filter((wait) => wait === null)).toHaveLength(1);
});

test('a slot is freed only by the attempt that holds it', async () => {
  const mine = await admitAttempt(pool, account);
  await freeProbeSlot(pool, account, await admitAttempt(pool, account));
  expect(await takeProbeSlotOrWait(pool, account)).toBe(60);
  await pool.query(sql.unsafe`update rail_breakers set probe_until = probe_until + interval '1 second'`);
  await freeProbeSlot(pool, account, mine);
  expect(await takeProbeSlotOrWait(pool, account)).toBe(60);
  await pool.query(sql.unsafe`update rail_breakers set probe_until = probe_until - interval '1 second'`);
  await freeProbeSlot(pool, account, mine);
  expect(await takeProbeSlotOrWait(pool, account)).toBeNull();
});
