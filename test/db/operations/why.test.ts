/** What operators find by any id, and what they are told about it. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/settlement.ts';
import { searchSubjects } from '../../../db/operations/search.ts';
import { explain } from '../../../db/operations/why.ts';
import { recordOrphan } from '../../../db/payment/orphaned-charges.ts';
import { storeRailAnswer } from '../../../db/payment/rail-answers.ts';
import { insertPurchase, insertShop, type Purchase, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

const LINKS = {
  temporalUi: { url: 'http://temporal.example', namespace: 'default' },
  runbookUrl: 'docs/operations.md',
};

let database: OpenTestDatabase;
let shop: Shop;
let purchase: Purchase;

beforeAll(async () => {
  database = await openTestDatabase();
  const { pool } = database;
  shop = await insertShop(pool);
  purchase = await insertPurchase(pool, shop, shop.products.recurring, {
    recurring: true,
    paymentStatus: 'failed',
  });
  await insertPurchase(pool, shop, shop.products.oneTime);
  const { checkoutId, customerId, paymentId } = purchase;
  const { merchantId, environment, railAccountId } = shop;
  await pool.query(sql.unsafe`
    update checkouts set merchant_reference = 'cart-17', state = 'failed', failure_reason = 'expired',
      finished_at = service_clock() where id = ${checkoutId}`);
  await pool.query(sql.unsafe`
    update customers set external_customer_id = 'user-17', email = 'Ada@Example.eu' where id = ${customerId}`);
  await pool.query(sql.unsafe`update payments set rail_order_id = 'ch_17' where id = ${paymentId}`);
  await pool.query(sql.unsafe`
    insert into refunds (id, merchant_id, environment, payment_id, rail_account_id, operation_id, amount, currency,
      rail_refund_id)
    values ('ap_ref_17', ${merchantId}, ${environment}, ${paymentId}, ${railAccountId}, 'op_17', 300, 'EUR', 're_17')`);
  await storeRailAnswer(pool, {
    account: { id: railAccountId, rail: 'sandbox', environment },
    reference: paymentId,
    operation: 'lookup',
    outcome: 'unknown',
    code: 'timeout',
    detail: 'req_17',
    tookMs: 20_000,
    isAttempt: false,
  });
  await inTransaction(pool, (tx) => recordOrphan(tx, paymentId));
});
afterAll(() => database?.close());

const idsFoundBy = async (named: string) =>
  (await searchSubjects(database.pool, named, null, 50)).map(({ id }) => id).sort();

describe('search', () => {
  test.each([
    ['a payment', () => purchase.paymentId, () => [purchase.paymentId]],
    ['a charge at the rail', () => 'ch_17', () => [purchase.paymentId]],
    ['a refund at the rail', () => 're_17', () => ['ap_ref_17']],
    ["the merchant's reference", () => 'cart-17', () => [purchase.checkoutId]],
    ["the merchant's customer", () => 'user-17', () => [purchase.checkoutId, purchase.subscriptionId]],
    [
      "the buyer's email address",
      () => 'ada@example.eu',
      () => [purchase.checkoutId, purchase.subscriptionId],
    ],
    ['an order', () => purchase.orderId, () => [purchase.checkoutId]],
    ['a rail account', () => shop.railAccountId, () => [shop.railAccountId]],
    ['nothing', () => 'ap_pay_none', () => []],
  ])('finds by the id of %s', async (_what, named, found) => {
    expect(await idsFoundBy(named())).toEqual(found());
  });

  test('shows other merchants nothing', async () => {
    expect(await searchSubjects(database.pool, purchase.paymentId, ['ap_mer_other'], 50)).toEqual([]);
    expect(await searchSubjects(database.pool, purchase.paymentId, [shop.merchantId], 50)).toHaveLength(1);
  });
});

describe('why', () => {
  test('a payment tells its incident, what the rail said last, its history and its owner', async () => {
    const [subject] = await searchSubjects(database.pool, 'ch_17', null, 2);
    if (!subject) throw new Error('not found');
    const told = await explain(database.pool, subject, LINKS);
    expect(told).toMatchObject({
      means: 'The charge failed; no money was taken by it.',
      rail_said: { words: 'lookup: unknown, timeout, req_17 (20000 ms)' },
      incidents: [{ kind: 'orphaned_charge', next: `npm run ops -- why ${purchase.paymentId}` }],
      workflow_url: `http://temporal.example/namespaces/default/workflows/${purchase.checkoutId}`,
    });
    const history = told.history.map(({ what }) => what);
    expect(history).toEqual(
      expect.arrayContaining([
        'attempt 1 claimed',
        'the rail: lookup: unknown, timeout, req_17 (20000 ms)',
        'alert: orphaned_charge',
      ]),
    );
    expect(told.history.map(({ at }) => at)).toEqual(told.history.map(({ at }) => at).sort());
    expect(told.related.map(({ kind }) => kind).sort()).toEqual([
      'invoice',
      'order',
      'refund',
      'session',
      'subscription',
    ]);
  });

  test('a session tells its end and its incident, a refund when it is looked up', async () => {
    const [session] = await searchSubjects(database.pool, 'cart-17', null, 2);
    const [refund] = await searchSubjects(database.pool, 're_17', null, 2);
    if (!session || !refund) throw new Error('not found');
    const told = await explain(database.pool, session, LINKS);
    expect(told.incidents.map(({ kind }) => kind)).toEqual(['orphaned_charge']);
    expect(told.history.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^session created, expires at \d{4}-\d\d-\d\dT[\d:.]+Z$/),
        'session failed (expired)',
      ]),
    );
    expect(await explain(database.pool, refund, LINKS)).toMatchObject({
      next_at: expect.any(String),
      by_itself: expect.stringContaining('looked up'),
      workflow_url: expect.stringContaining('ap_ref_17'),
    });
  });

  test('incidents are found behind 10,000 older ones, and so is a request that a restore has lost', async () => {
    const { pool } = database;
    const { paymentId, subscriptionId } = purchase;
    const lostRequest = `${subscriptionId}:op_17`;
    await pool.query(sql.unsafe`
      insert into restore_findings (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome, amount,
        currency, at, state)
      select 1, ${shop.railAccountId}, 'charge', 'ap_pay_lost_' || n, ${shop.merchantId}, 'sandbox', 'approved', 500,
        'EUR', service_clock() - interval '1 hour', 'person'
      from generate_series(1, 10000) n`);
    await pool.query(sql.unsafe`
      insert into restore_findings (epoch, rail_account_id, kind, reference, owner_id, merchant_id, environment, outcome,
        amount, currency, at, state)
      values (1, ${shop.railAccountId}, 'request', ${lostRequest}, ${subscriptionId}, ${shop.merchantId}, 'sandbox',
        'scheduleChange', 0, 'EUR', service_clock(), 'person')`);
    const [subject] = await searchSubjects(pool, paymentId, null, 2);
    if (!subject) throw new Error('not found');
    const { incidents } = await explain(pool, subject, LINKS);
    expect(incidents.map(({ id }) => id)).toEqual([paymentId, lostRequest]);
  });
});
