/** Database state around a refund's calls: what is undone, and what an operator may settle (rules 4, 17). */
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
import { releaseRefund } from '../../../db/refund/release-refund.ts';
import { closeDifference } from '../../../db/restore/close-differences.ts';
import { insertDispute } from '../../support/db/disputes.ts';
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

test('only the call that was looked up is undone: a later one is still in flight', async () => {
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

test('a refund that an operator settled before its first call can be looked up', async () => {
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  const refundId = await reservedRefund(paymentId);
  const { version } = await loadRefundView(pool, refundId);
  await resolveRefund(pool, { refundId, version, request });
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'failed', called: false });
  const { ms_past_deadline: msPast } = await refundAtRailOf(pool, refundId);
  expect(msPast).toBeGreaterThan(0);
});

test('an operator whose request was lost in a restore settles nothing', async () => {
  const refundId = await begunRefund();
  await passDeadline(refundId);
  const { version } = await loadRefundView(pool, refundId);
  await resolveRefund(pool, { refundId, version, request: { outcome: 'failed', requestId: 'ap_res_gone' } });
  expect(await loadRefundView(pool, refundId)).toMatchObject({ status: 'pending', version });
});

describe('after a restore, a refund that may repeat a lost one is withheld', () => {
  const refuse = () =>
    pool.query(sql.unsafe`
      insert into restored_accounts (epoch, rail_account_id, listed, refusal)
      values (1, ${shop.railAccountId}, 0, 'account_refused')`);
  afterEach(() => pool.query(sql.unsafe`delete from restored_accounts`));
  const isUncompared = async (paymentId: string) =>
    (await beginRefund(pool, await reservedRefund(paymentId), 20))?.uncompared;

  test('if its payment was claimed again since: its session is older', async () => {
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    await refuse();
    await pool.query(sql.unsafe`
      update payments set created_at = service_clock() + interval '1 hour' where id = ${paymentId}`);
    expect(await isUncompared(paymentId)).toBe(true);
  });

  test('but not if its purchase began after the comparison', async () => {
    await refuse();
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    expect(await isUncompared(paymentId)).toBe(false);
  });

  /** A refund of the payment that only the rail knows. @returns its reference */
  async function insertFinding(paymentId: string, state: string): Promise<string> {
    const reference = `ap_ref_${randomUUID()}`;
    await pool.query(sql.unsafe`
      insert into restore_findings (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome,
        amount, currency, at, payment_reference, state)
      values (1, ${shop.railAccountId}, 'refund', ${reference}, ${shop.merchantId}, 'sandbox', 'succeeded',
        100, 'EUR', service_clock(), ${paymentId}, ${state})`);
    return reference;
  }

  test.each(['person', 'settled'])('if the list of its payment has a refund that is %s', async (state) => {
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    await insertFinding(paymentId, state);
    expect(await isUncompared(paymentId)).toBe(state === 'person');
  });

  const settle = (reference: string) =>
    closeDifference(pool, { reference, operator: 'ada', evidence: 'compared' });
  const release = (refundId: string, confirmDispute = false) =>
    releaseRefund(pool, { refundId, operator: 'ada', evidence: 'the buyer has nothing', confirmDispute });
  const lookAgain = async (refundId: string) => {
    await pool.query(sql.unsafe`update refunds set call_started_at = null where id = ${refundId}`);
    return (await beginRefund(pool, refundId, 20))?.uncompared;
  };
  const answered = (refundId: string) =>
    pool.query(sql.unsafe`update refunds set rail_refund_id = 're_1' where id = ${refundId}`);

  test('until an operator releases it, and no other one with it', async () => {
    const [first, second] = [await begunRefund(), await begunRefund()];
    await refuse();
    expect(await settle(shop.railAccountId)).toEqual({
      closed: false,
      withheld: expect.arrayContaining([first, second]),
    });
    expect([await release(first), await release(first)]).toEqual(['released', 'not_withheld']);
    expect([await lookAgain(first), await lookAgain(second)]).toEqual([false, true]);
    expect((await settle(shop.railAccountId)).withheld).not.toContain(first);
    const audited = await pool.any(sql.unsafe`
      select actor, action, after from audit_log where subject_id = ${first}`);
    expect(audited).toEqual([
      { actor: 'ada', action: 'refund.release', after: { evidence: 'the buyer has nothing' } },
    ]);

    // A later restore may have lost another refund of its payment.
    await pool.query(sql.unsafe`update restored_accounts set compared_at = service_clock()`);
    expect(await lookAgain(first)).toBe(true);
  });

  test('and released, if its payment is disputed, only with a confirmation', async () => {
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    const refundId = await reservedRefund(paymentId);
    await insertFinding(paymentId, 'person');
    await insertDispute(pool, shop, paymentId, { status: 'open', railDisputeId: 'dp_1', amount: 1_800 });
    expect(await release(refundId)).toBe('released');
    await pool.query(sql.unsafe`update refunds set released_at = null where id = ${refundId}`);
    await insertDispute(pool, shop, paymentId, { status: 'lost', railDisputeId: 'dp_1', amount: 1_801 });
    expect(await release(refundId)).toBe('payment_disputed');
    expect(await release(refundId, true)).toBe('released');
    await answered(refundId);
  });

  test('the account can be settled once no refund is withheld', async () => {
    const refundId = await begunRefund();
    await refuse();
    for (const id of (await settle(shop.railAccountId)).withheld) {
      if (id === refundId) await answered(id);
      else expect(await release(id)).toBe('released');
    }
    expect(await settle(shop.railAccountId)).toEqual({ closed: true, withheld: [] });
    expect(await release(refundId)).toBe('not_withheld');
  });

  test('the listed refund of its payment can be settled once no refund is withheld', async () => {
    const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
    const refundId = await reservedRefund(paymentId);
    const reference = await insertFinding(paymentId, 'person');
    const others = await insertFinding(
      (await insertPurchase(pool, shop, shop.products.oneTime)).paymentId,
      'person',
    );
    expect(await settle(reference)).toEqual({ closed: false, withheld: [refundId] });
    expect(await settle(others)).toEqual({ closed: true, withheld: [] });
    expect(await release(refundId)).toBe('released');
    expect(await settle(reference)).toEqual({ closed: true, withheld: [] });
  });
});
