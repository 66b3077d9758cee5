/**
 * A refund's calls in the database: marks that are undone, and refunds that an operator may settle (rules 4,
 * 17).
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

/** @returns the id of a refund whose call has begun */
async function begunRefund(): Promise<string> {
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  const refundId = await reservedRefund(paymentId);
  expect(await beginRefund(pool, refundId, 20)).not.toBeNull();
  return refundId;
}

const passDeadline = (refundId: string) =>
  pool.query(sql.unsafe`
    update refunds set call_deadline = service_clock() - interval '1 second' where id = ${refundId}`);

test('a refund’s call is started once', async () => {
  expect(await beginRefund(pool, await begunRefund(), 20)).toBeNull();
});

test('a look-up undoes only the mark of its own call, because a later call is still in flight', async () => {
  const refundId = await begunRefund();
  const { call_deadline: earlier } = await refundAtRailOf(pool, refundId);
  await takeBackCall(pool, refundId, earlier);
  expect((await beginRefund(pool, refundId, 60))?.call_deadline).not.toBe(earlier);
  await takeBackCall(pool, refundId, earlier);
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'pending', called: true });
});

const request = { outcome: 'failed', operator: 'ada', reason: 'not at the rail', evidence: 're_1' } as const;

test('an operator can settle only the version that was read before the look-up', async () => {
  const refundId = await begunRefund();
  await passDeadline(refundId);
  const { version } = await loadRefundView(pool, refundId);
  await pool.query(sql.unsafe`update refunds set version = version + 1 where id = ${refundId}`);
  await resolveRefund(pool, { refundId, version, request });
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'pending' });
  await resolveRefund(pool, { refundId, version: version + 1, request });
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'failed' });
});

test('an operator cannot settle a refund while a call may still be running', async () => {
  const refundId = await begunRefund();
  const { version } = await loadRefundView(pool, refundId);
  await resolveRefund(pool, { refundId, version, request });
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'pending' });
});

test('a refund that an operator settled before its first call can be looked up', async () => {
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  const refundId = await reservedRefund(paymentId);
  const { version } = await loadRefundView(pool, refundId);
  await resolveRefund(pool, { refundId, version, request });
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'failed', called: false });
  const { ms_past_deadline: msPast } = await refundAtRailOf(pool, refundId);
  expect(msPast).toBeGreaterThan(0);
});

test('a refund that an operator settled is never sent by a run that does not know about it', async () => {
  const neverCalled = await reservedRefund(
    (await insertPurchase(pool, shop, shop.products.oneTime)).paymentId,
  );
  const notFound = await begunRefund();
  await passDeadline(notFound);
  await takeBackCall(pool, notFound, (await refundAtRailOf(pool, notFound)).call_deadline);
  for (const refundId of [neverCalled, notFound]) {
    const { version } = await loadRefundView(pool, refundId);
    await resolveRefund(pool, { refundId, version, request });
    expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'failed', called: false });
    expect(await beginRefund(pool, refundId, 20)).toBeNull();
  }
});

test('an operator’s request lost in a restore settles nothing', async () => {
  const refundId = await begunRefund();
  await passDeadline(refundId);
  const { version } = await loadRefundView(pool, refundId);
  await resolveRefund(pool, { refundId, version, request: { outcome: 'failed', requestId: 'ap_res_gone' } });
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'pending', version });
});
