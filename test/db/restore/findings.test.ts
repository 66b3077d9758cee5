/** What a comparison has found is closed when it is settled here, not before (rule 29). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { adoptAttempt, adoptRefund } from '../../../db/restore/adopt.ts';
import { type RailList, storeComparison } from '../../../db/restore/compare.ts';
import { listForAPerson, matchFindings, openFindings } from '../../../db/restore/findings.ts';
import { APPROVED, answer } from '../../support/attempts.ts';
import { insertSession, insertShop, type Shop } from '../../support/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
let epoch = 1;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

const text = sql.type(z.object({ text: z.string() }));
const at = new Date().toISOString();
const money = { amountCents: 1_900, currency: 'EUR', at };
const charge = (reference: string, outcome = 'approved') => ({ ...money, reference, outcome });
const refundOf = (payment: string, reference: string, outcome = 'succeeded') => ({
  ...money,
  reference,
  outcome,
  payment,
});

/** The rail's list is compared in an epoch of its own. */
async function compare(list: Partial<RailList>): Promise<number> {
  epoch += 1;
  const account = { rail_account_id: shop.railAccountId };
  await storeComparison(pool, epoch, account, { charges: [], refunds: [], ...list });
  await matchFindings(pool, epoch);
  return epoch;
}
const stateOf = (reference: string) =>
  pool.maybeOneFirst(text`select state as text from restore_findings where reference = ${reference}`);
const open = async () => (await openFindings(pool, epoch)).map(({ reference }) => reference);
const findingOf = async (reference: string) => {
  const found = (await openFindings(pool, epoch)).find((each) => each.reference === reference);
  if (!found) throw new Error(`${reference} is not open`);
  return found;
};

/** A session without attempts, and the id that its first attempt derives. */
async function lostAttempt(): Promise<{ sessionId: string; paymentId: string }> {
  const { id: sessionId } = await insertSession(pool, shop, shop.products.oneTime);
  const paymentId = await pool.oneFirst(text`
    select session_payment_id(id, created_at, 1) as text from checkouts where id = ${sessionId}`);
  return { sessionId, paymentId };
}

test('a charge whose money went back is adopted with its refund: its session must not be paid under its name', async () => {
  const { sessionId, paymentId } = await lostAttempt();
  const back = `${paymentId}-return`;
  await compare({ charges: [charge(paymentId)], refunds: [refundOf(paymentId, back)] });
  expect(await open()).toEqual([paymentId, back]);

  await adoptAttempt(pool, { ...(await findingOf(paymentId)), ownerId: sessionId });
  await answer(pool, sessionId, paymentId, APPROVED);
  expect(await adoptRefund(pool, await findingOf(back))).toBe(true);
  await pool.query(sql.unsafe`update refunds set status = 'succeeded' where id = ${back}`);
  await matchFindings(pool, epoch);
  expect(await open()).toEqual([]);
});

test('a charge without a trace here whose money went back needs no operator, nor does its return', async () => {
  const unknown = 'ap_pay_0199b4ab1c7e7001a1f2d3e4f5a6b7c8';
  await compare({ charges: [charge(unknown)], refunds: [refundOf(unknown, `${unknown}-return`)] });
  expect(await listForAPerson(pool, epoch)).toEqual([]);
  expect(await stateOf(unknown)).toBe('settled');
  expect(await stateOf(`${unknown}-return`)).toBe('settled');
});
