/** Database state around a refund's calls: what is taken back, and what an operator may settle (rules 4, 17). */
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import { resolveRefund } from '../../../db/refund/record-refund.ts';
import {
  beginRefund,
  loadRefundView,
  refundAtRailOf,
  takeBackCall,
} from '../../../db/refund/refund-calls.ts';
import { insertPurchase, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
  await pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${shop.railAccountId}`);
});
afterAll(() => database?.close());

/** @returns the id of a refund whose call has not begun */
async function reservedRefund(paymentId: string): Promise<string> {
  const refund = await createRefund(pool, {
    scope: shop,
    operationId: randomUUID(),
    of: { paymentId },
    amount: 100,
    currency: null,
    reason: null,
    railNames: ['sandbox'],
  });
  if (typeof refund === 'string') throw new Error(refund);
  return refund.id;
}

/** @returns the id of a refund whose call was begun */
async function begunRefund(): Promise<string> {
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  const refundId = await reservedRefund(paymentId);
  expect(await beginRefund(pool, refundId, 20)).not.toBeNull();
  return refundId;
}

const passDeadline = (refundId: string) =>
  pool.query(sql.unsafe`
    update refunds set call_deadline = service_clock() - interval '1 second' where id = ${refundId}`);

test('a call is begun once', async () => {
  expect(await beginRefund(pool, await begunRefund(), 20)).toBeNull();
});

test('only the call that was looked up is taken back: a later one is still on its way', async () => {
  const refundId = await begunRefund();
  const { call_deadline: earlier } = await refundAtRailOf(pool, refundId);
  await takeBackCall(pool, refundId, earlier);
  expect((await beginRefund(pool, refundId, 60))?.call_deadline).not.toBe(earlier);
  await takeBackCall(pool, refundId, earlier);
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'pending', called: true });
});

const request = { outcome: 'failed', operator: 'ada', reason: 'not at the rail', evidence: 're_1' } as const;

test('an operator settles the version that was read before the look-up, and no later one', async () => {
  const refundId = await begunRefund();
  await passDeadline(refundId);
  const { version } = await loadRefundView(pool, refundId);
  await pool.query(sql.unsafe`update refunds set version = version + 1 where id = ${refundId}`);
  await resolveRefund(pool, { refundId, version, request });
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'pending' });
  await resolveRefund(pool, { refundId, version: version + 1, request });
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'failed' });
});

test('an operator settles nothing while a call may still be running', async () => {
  const refundId = await begunRefund();
  const { version } = await loadRefundView(pool, refundId);
  await resolveRefund(pool, { refundId, version, request });
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'pending' });
});

test('an operator whose request was lost in a restore settles nothing', async () => {
  const refundId = await begunRefund();
  await passDeadline(refundId);
  const { version } = await loadRefundView(pool, refundId);
  await resolveRefund(pool, { refundId, version, request: { outcome: 'failed', requestId: 'ap_res_gone' } });
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'pending', version });
});

describe('after a restore, a refund may repeat one of the lost time', () => {
  const refuse = () =>
    pool.query(sql.unsafe`
      insert into restored_accounts (epoch, rail_account_id, listed, refusal)
      values (1, ${shop.railAccountId}, 0, 'account_refused')`);
  afterEach(() => pool.query(sql.unsafe`delete from restored_accounts`));
  const isUncompared = async (paymentId: string) =>
    (await beginRefund(pool, await reservedRefund(paymentId), 20))?.uncompared;

  test('of a payment that was claimed again since: its session is older', async () => {
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    await refuse();
    await pool.query(sql.unsafe`
      update payments set created_at = service_clock() + interval '1 hour' where id = ${paymentId}`);
    expect(await isUncompared(paymentId)).toBe(true);
  });

  test('not of a purchase that began after the comparison', async () => {
    await refuse();
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    expect(await isUncompared(paymentId)).toBe(false);
  });

  test.each(['person', 'settled'])('of a payment whose list has a refund that is %s', async (state) => {
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    await pool.query(sql.unsafe`
      insert into restore_findings (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome,
        amount, currency, at, payment_reference, state)
      values (1, ${shop.railAccountId}, 'refund', ${randomUUID()}, ${shop.merchantId}, 'sandbox', 'succeeded',
        100, 'EUR', service_clock(), ${paymentId}, ${state})`);
    expect(await isUncompared(paymentId)).toBe(state === 'person');
  });
});
