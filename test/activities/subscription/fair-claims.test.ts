/**
 * Due charges are claimed round-robin by merchant, so that a burst leaves connections for clicks and other
 * merchants.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { fairClaims } from '../../../activities/subscription/fair-claims.ts';
import { LOCKS_WITHIN_A_SECOND } from '../../../db/core/lock-timeout.ts';
import { sql } from '../../../db/core/pool.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertMerchant } from '../../support/db/fixtures.ts';
import { holdLock } from '../../support/db/hold-lock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database?.close());

type Ask = { readonly merchantId: string; readonly id: string };
type Claim = ReturnType<typeof fairClaims<Ask>>;
type Claimed = Awaited<ReturnType<Claim>>;
const run = (claim: Claim, id: string, merchantId = 'one', environment = new MockActivityEnvironment()) =>
  environment.run<[Ask], Claimed, Claim>(claim, { merchantId, id });

function gatedClaims() {
  const gate = Promise.withResolvers<void>();
  const claimed: string[] = [];
  const claim = fairClaims(async ({ id }: Ask) => {
    claimed.push(id);
    await gate.promise;
    return id;
  });
  return { gate, claimed, claim };
}

test('a merchant claims at most four charges at a time; a claim that queues past its deadline claims nothing', async () => {
  const { gate, claimed, claim } = gatedClaims();
  const first = ['a', 'b', 'c', 'd'].map((id) => run(claim, id));
  const late = new MockActivityEnvironment();
  const cancelled = run(claim, 'late', 'one', late);
  const next = run(claim, 'next');
  await eventually(() => expect(claimed).toEqual(['a', 'b', 'c', 'd']));
  late.cancel();
  gate.resolve();
  await expect(cancelled).rejects.toThrow();
  await Promise.all([...first, next]);
  expect(claimed).toEqual(['a', 'b', 'c', 'd', 'next']);
});

test('the next slot goes to the merchant with the fewest slots', async () => {
  const { gate, claimed, claim } = gatedClaims();
  const all = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => run(claim, id));
  all.push(run(claim, 'other', 'two'));
  await eventually(() => expect(claimed).toHaveLength(4));
  gate.resolve();
  await Promise.all(all);
  expect(claimed).toEqual(['a', 'b', 'c', 'd', 'other', 'e', 'f']);
});

test('lock time-outs postpone a merchant’s claims by growing delays until one succeeds', async () => {
  const { pool } = database;
  const merchantId = await insertMerchant(pool);
  let claims = 0;
  const claim = fairClaims(async ({ id }: Ask) => {
    claims += 1;
    await pool.transaction(async (tx) => {
      await tx.query(sql.unsafe`select ${LOCKS_WITHIN_A_SECOND}`);
      await tx.query(sql.unsafe`select from merchants where id = ${id} for update`);
    });
    return id;
  });
  const began = performance.now();
  const unlock = await holdLock(pool, sql.fragment`merchants where id = ${merchantId}`);
  const putOff = await Promise.all([1, 2, 3, 4, 5, 6].map(() => run(claim, merchantId)));
  await unlock();
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(claims).toBe(4);
  expect(putOff.map(({ attemptId }) => attemptId)).toEqual(Array(6).fill(null));
  expect(putOff.map(({ againInMs }) => againInMs).sort()).toEqual([2_050, 2_100, 2_150, 2_200, 2_250, 2_300]);
  expect(await run(claim, 'free', 'another')).toEqual({ attemptId: 'free', againInMs: null });

  const retried = () => run(claim, merchantId);
  await eventually(async () => expect((await retried()).attemptId).toBe(merchantId));
  expect(await Promise.all([retried(), retried()])).toEqual(
    Array(2).fill({ attemptId: merchantId, againInMs: null }),
  );
});
