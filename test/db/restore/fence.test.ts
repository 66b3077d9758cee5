/** A restored database moves no money until it has been compared with the rail's lists (rule 29). */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { assertMoneyMayMove, isMoneyHeld } from '../../../db/core/money-held.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { beginReturn } from '../../../db/payment/orphaned-charges.ts';
import { paymentAtRailOf } from '../../../db/payment/payment-at-rail.ts';
import { beginAuthorize } from '../../../db/payment/rail-calls.ts';
import { beginRefund } from '../../../db/refund/refund-calls.ts';
import { countSweep, fenceIfRestored, liftFence, readLedgerCopy } from '../../../db/restore/fence.ts';
import { loadSessionView } from '../../../db/session/core/session-view.ts';
import { expireSession } from '../../../db/session/session-commands.ts';
import { leaseDeliveries } from '../../../db/webhook/deliveries.ts';
import { type EventToRecord, recordEvent } from '../../../db/webhook/events.ts';
import { eventually } from '../../support/core/eventually.ts';
import { clickAccepted, letExpire } from '../../support/db/attempts.ts';
import { insertPurchase, insertSession, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type Backup, backUp, type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
let backup: Backup;
let claimed: string;
let refundId: string;
let endpointId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
  await assertMoneyMayMove(pool);
  expect(await countSweep(pool)).toBe(1);
  const session = await insertSession(pool, shop, shop.products.oneTime);
  claimed = await clickAccepted(pool, session.id, { validSeconds: 3_600 });
  refundId = await pendingRefund();
  endpointId = (await createEndpoint(pool, shop)).id;
  await record({ aggregateVersion: 1 });
  backup = await backUp({ url: database.url });
  await restore();
});
afterAll(async () => {
  await database?.close();
  await backup?.drop();
});

async function restore(): Promise<void> {
  await backup.restore();
  await eventually(() => pool.query(sql.unsafe`select 1`));
}

async function pendingRefund(): Promise<string> {
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  return pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    insert into refunds (merchant_id, environment, payment_id, rail_account_id, operation_id, amount, currency)
    select merchant_id, environment, id, ${shop.railAccountId}, id, 100, 'EUR' from payments where id = ${paymentId}
    returning id`);
}

function record(values: Partial<EventToRecord>): Promise<string> {
  const event = {
    scope: shop,
    type: 'payment.succeeded',
    aggregateId: 'ap_pay_1',
    aggregateVersion: 2,
  } as const;
  return inTransaction(pool, (tx) => recordEvent(tx, { ...event, ...values }));
}

const claimDue = () => leaseDeliveries(pool, { endpointId, token: 'mine', limit: 1, leaseSeconds: 30 });
const behindTheFence = (work: Promise<unknown>) =>
  expect(
    work.then(
      () => 'done',
      (error: unknown) => isMoneyHeld(error) || error,
    ),
  ).resolves.toBe(true);

async function nothingMoves(): Promise<void> {
  await behindTheFence(beginAuthorize(pool, claimed, 20));
  await behindTheFence(beginRefund(pool, refundId, 20));
  await behindTheFence(claimDue());
  await behindTheFence(insertSession(pool, shop, shop.products.oneTime));
  await behindTheFence(assertMoneyMayMove(pool));
  await behindTheFence(pool.query(sql.unsafe`update checkouts set coupon_id = 'ap_cpn_another'`));
  await behindTheFence(pool.query(sql.unsafe`update checkouts set refused_codes = refused_codes + 1`));
}

test('a copy from before the first sweep is fenced, because the first start of a worker records the position', async () => {
  const young = await openTestDatabase();
  await young.pool.query(sql.unsafe`update ledger_copy set identity = null, mark = 0`);
  expect(await fenceIfRestored(young.pool, { sweepNumber: null })).toBeNull();
  await assertMoneyMayMove(young.pool);
  const copy = await backUp({ url: young.url });
  try {
    await copy.restore();
    await eventually(() => young.pool.query(sql.unsafe`select 1`));
    expect(await assertMoneyMayMove(young.pool).catch(isMoneyHeld)).toBe(true);
  } finally {
    await young.close();
    await copy.drop();
  }
});

test('a restored copy is fenced before any process has noticed the restore, and keeps event ids', async () => {
  expect(await readLedgerCopy(pool)).toMatchObject({ epoch: 0 });
  await nothingMoves();
  await behindTheFence(record({}));
  expect(await countSweep(pool)).toBeNull();
});

test('the fence begins a new epoch once, and records the start of the comparison', async () => {
  const epochs = await Promise.all([1, 2, 3].map(() => fenceIfRestored(pool, { sweepNumber: null })));
  const epoch = epochs.find((each) => each !== null);
  expect(epochs.filter((each) => each !== null)).toHaveLength(1);
  const copy = await readLedgerCopy(pool);
  expect(copy).toMatchObject({ epoch });
  expect(Date.parse(copy.fencedAt ?? '') - Date.parse(copy.compareSince ?? '')).toBeGreaterThan(3_600_000);
  await nothingMoves();
  expect(await fenceIfRestored(pool, { sweepNumber: null, announced: { actor: 'operator:ada' } })).toBeNull();
});

test('while fenced, no statement can store the mark of a call', async () => {
  const mark = (table: string, column: string, key: string, id: string) =>
    pool.query(sql.unsafe`
      update ${sql.identifier([table])} set ${sql.identifier([column])} = service_clock()
      where ${sql.identifier([key])} = ${id}`);
  await pool.query(sql.unsafe`
    insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency)
    select id, merchant_id, environment, amount, currency from payments where id = ${claimed}`);
  await behindTheFence(mark('payments', 'call_started_at', 'id', claimed));
  await behindTheFence(mark('refunds', 'call_started_at', 'id', refundId));
  await behindTheFence(mark('orphaned_charges', 'return_deadline', 'payment_id', claimed));
  await behindTheFence(beginReturn(pool, claimed, 20));
  await pool.query(sql.unsafe`delete from orphaned_charges where payment_id = ${claimed}`);
});

test('a session past its end is not expired while fenced', async () => {
  const checkoutId = await pool.oneFirst(
    sql.type(z.object({ id: z.string() }))`select checkout_id as id from payments where id = ${claimed}`,
  );
  await pool.query(sql.unsafe`update payments set status = 'cancelled' where id = ${claimed}`);
  await pool.query(sql.unsafe`update checkouts set state = 'created' where id = ${checkoutId}`);
  await letExpire(pool, checkoutId);
  await expireSession(pool, checkoutId);
  expect(await loadSessionView(pool, checkoutId)).toMatchObject({ state: 'created' });
  expect((await loadSessionView(pool, checkoutId)).msToExpiry).toBeGreaterThan(20_000);
  await pool.query(sql.unsafe`update payments set status = 'processing' where id = ${claimed}`);
});

test('while fenced, an expired claim is not marked, and remains to be compared', async () => {
  const moveDeadline = (by: string) =>
    pool.query(sql.unsafe`
      update clicks set not_after = not_after + ${by}::interval
      where claim_id = (select claim_id from payments where id = ${claimed})`);
  await moveDeadline('-1 day');
  await behindTheFence(beginAuthorize(pool, claimed, 20));
  const unmarked = sql.unsafe`select from payments where id = ${claimed} and call_started_at is null`;
  expect(await pool.exists(unmarked)).toBe(true);
  await moveDeadline('1 day');
});

test('the look-up of an attempt whose call never started covers the time since its claim, because a lost copy may have charged it', async () => {
  const young = await openTestDatabase();
  try {
    const buyersOf = await insertShop(young.pool);
    const session = await insertSession(young.pool, buyersOf, buyersOf.products.oneTime);
    const paymentId = await clickAccepted(young.pool, session.id);
    await young.pool.query(sql.unsafe`
      update clicks set not_after = service_clock() - interval '1 minute'`);
    await young.pool.query(sql.unsafe`update payments set created_at = created_at - interval '5 minutes'`);
    expect(await beginAuthorize(young.pool, paymentId, 20)).toBeNull();
    const claimedAt = await young.pool.oneFirst(
      sql.type(z.object({ at: z.string() }))`select created_at as at from payments`,
    );
    expect(await paymentAtRailOf(young.pool, paymentId)).toMatchObject({ begun_at: claimedAt });
  } finally {
    await young.close();
  }
});

test('a version that is reached again gets another event id; an earlier event keeps its id', async () => {
  const before = await pool.oneFirst(
    sql.type(z.object({ id: z.string() }))`select id from events where aggregate_version = 1`,
  );
  expect(await record({ aggregateVersion: 1 })).toBe(before);
  const inEpoch = await record({});
  expect(await record({})).toBe(inEpoch);
  await restore();
  await fenceIfRestored(pool, { sweepNumber: null });
  expect(await record({})).not.toBe(inEpoch);
});

test('charges and refunds resume once the fence is lifted', async () => {
  const { epoch } = await readLedgerCopy(pool);
  await liftFence(pool, epoch);
  expect(await claimDue()).toHaveLength(1);
  expect(await beginAuthorize(pool, claimed, 20)).toMatchObject({ amount: 1_900 });
  expect(await beginRefund(pool, refundId, 20)).toMatchObject({ amount: 100 });
  await insertSession(pool, shop, shop.products.oneTime);
});

test('a database at its recorded position is fenced if it lacks sweeps that Temporal has recorded', async () => {
  const last = (await countSweep(pool)) ?? 0;
  expect(await fenceIfRestored(pool, { sweepNumber: last })).toBeNull();
  expect(await countSweep(pool, last + 1)).toBeNull();
  expect(await fenceIfRestored(pool, { sweepNumber: last + 1 })).not.toBeNull();
  expect(await fenceIfRestored(pool, { sweepNumber: last + 1 })).toBeNull();
  await liftFence(pool, (await readLedgerCopy(pool)).epoch);
  expect(await countSweep(pool)).toBe(last + 2);
});

test('the fence waits for a transaction that is storing the mark of a call', async () => {
  let fenced = false;
  let fencing: Promise<unknown> | undefined;
  await pool.transaction(async (tx) => {
    await assertMoneyMayMove(tx);
    fencing = fenceIfRestored(pool, { sweepNumber: null, announced: { actor: 'operator:ada' } }).then(() => {
      fenced = true;
    });
    await pause(300);
    expect(fenced).toBe(false);
  });
  await fencing;
  await behindTheFence(assertMoneyMayMove(pool));
});

test('an announced restore is audited, and compared from the backup on, even if a later instant is given', async () => {
  await liftFence(pool, (await readLedgerCopy(pool)).epoch);
  const announced = { actor: 'operator:ada' };
  const since = '2999-01-01T00:00:00.000Z';
  const epoch = await fenceIfRestored(pool, { sweepNumber: null, announced, since });
  const { fencedAt, compareSince } = await readLedgerCopy(pool);
  expect(Date.parse(fencedAt ?? '') - Date.parse(compareSince ?? '')).toBeGreaterThanOrEqual(3_600_000);
  const audited = await pool.any(sql.unsafe`
    select actor, after from audit_log where action = 'restore.announce' and subject_id = ${`restore-${epoch}`}`);
  expect(audited).toEqual([{ ...announced, after: { since } }]);
});
