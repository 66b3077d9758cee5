/** Look-ups are distributed fairly over merchants and environments (rule 41). */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type Db, type Pool, sql } from '../../../db/core/pool.ts';
import { disputedPayments } from '../../../db/dispute/disputed-payments.ts';
import { returnsInDoubt, unreturnedOrphans } from '../../../db/payment/orphaned-charges.ts';
import { presentWebhooks, storeRailWebhook } from '../../../db/payment/rail-webhooks.ts';
import { paymentsWithUnappliedWebhooks } from '../../../db/payment/unapplied-webhooks.ts';
import { refundsContradictedByWebhooks } from '../../../db/refund/refund-sweep.ts';
import { insertDispute } from '../../support/db/disputes.ts';
import { insertPurchase, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

interface Asked {
  readonly merchantId: string;
  readonly railAccountId: string;
  readonly railEventIds: readonly string[];
}
interface Chore<Row = Pick<Asked, 'merchantId'>> {
  /** Makes one row of the shop due. */
  need(shop: Shop): Promise<void>;
  ask(db: Db, limit: number): Promise<readonly Row[]>;
}

let database: OpenTestDatabase;
let pool: Pool;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());
beforeEach(async () => {
  await pool.query(sql.unsafe`update rail_webhooks set applied_at = service_clock()`);
  await pool.query(sql.unsafe`
    update orphaned_charges set returned_at = service_clock(), returned_by = 'refund' where returned_at is null`);
});

const purchase = async (shop: Shop) => (await insertPurchase(pool, shop, shop.products.oneTime)).paymentId;
const hear = ({ railAccountId }: Shop, reference: string, hint: string) =>
  storeRailWebhook(pool, { railAccountId, railEventId: randomUUID(), reference, hint });

const orphan = async ({ merchantId, environment }: Shop, paymentId: string) =>
  void (await pool.query(sql.unsafe`
    insert into orphaned_charges (payment_id, merchant_id, environment, amount, currency)
    values (${paymentId}, ${merchantId}, ${environment}, 1900, 'EUR')`));

const LOOK_UPS: Readonly<Record<string, Chore<Asked>>> = {
  'a dispute': {
    need: async (shop) => void (await hear(shop, await purchase(shop), 'dispute')),
    ask: disputedPayments,
  },
  'a return': {
    async need(shop) {
      const paymentId = await purchase(shop);
      await orphan(shop, paymentId);
      await pool.query(sql.unsafe`
        update orphaned_charges set returned_at = service_clock(), returned_by = 'refund'
        where payment_id = ${paymentId}`);
      await hear(shop, `${paymentId}-return`, 'refund_failed');
    },
    ask: returnsInDoubt,
  },
  'a refund': {
    async need(shop) {
      const refundId = `ap_ref_${randomUUID()}`;
      await pool.query(sql.unsafe`
        insert into refunds (id, merchant_id, environment, payment_id, order_id, rail_account_id, operation_id, amount,
          currency, status)
        select ${refundId}, merchant_id, environment, id, order_id, rail_account_id, ${refundId}, 100, currency, 'succeeded'
        from payments where id = ${await purchase(shop)}`);
      await hear(shop, refundId, 'refund_failed');
    },
    ask: refundsContradictedByWebhooks,
  },
};

const SIGNALS: Readonly<Record<string, Chore>> = {
  'an orphaned charge': {
    need: async (shop) => orphan(shop, await purchase(shop)),
    ask: unreturnedOrphans,
  },
  'a payment with a webhook': {
    async need(shop) {
      await hear(shop, await purchase(shop), 'approved');
      await pool.query(sql.unsafe`update rail_webhooks set received_at = received_at - interval '1 minute'`);
    },
    ask: paymentsWithUnappliedWebhooks,
  },
};

describe.each(Object.entries({ ...LOOK_UPS, ...SIGNALS }))('when %s is due', (_, { need, ask }) => {
  const asked = async (limit: number) => (await ask(pool, limit)).map(({ merchantId }) => merchantId);

  test('a merchant with many rows does not delay another merchant', async () => {
    const [loud, quiet] = [await insertShop(pool), await insertShop(pool)];
    for (let n = 0; n < 12; n += 1) await need(loud);
    await need(quiet);
    for (let round = 0; round < 3; round += 1)
      expect((await asked(2)).toSorted()).toEqual([loud.merchantId, quiet.merchantId].toSorted());
  });

  test('sandbox merchants do not delay production', async () => {
    for (let n = 0; n < 8; n += 1) await need(await insertShop(pool));
    const shop = await insertShop(pool, {}, 'production');
    await need(shop);
    for (let round = 0; round < 3; round += 1) expect(await asked(2)).toContain(shop.merchantId);
  });
});

describe.each(Object.entries(LOOK_UPS))('in the look-ups of %s', (_, { need, ask }) => {
  test('unanswered subjects come after subjects that were not asked about yet', async () => {
    for (let n = 0; n < 4; n += 1) await need(await insertShop(pool));
    await presentWebhooks(pool, await ask(pool, 4));
    const shop = await insertShop(pool);
    await need(shop);
    expect(await ask(pool, 1)).toMatchObject([{ merchantId: shop.merchantId }]);
  });
});

test('a webhook not yet passed to its workflow comes before webhooks that wait for an answer', async () => {
  const { need, ask } = SIGNALS['a payment with a webhook'] as Chore;
  const shop = await insertShop(pool);
  for (let n = 0; n < 8; n += 1) await need(shop);
  await pool.query(
    sql.unsafe`update rail_webhooks set presented_at = service_clock() where applied_at is null`,
  );
  await need(shop);
  for (let round = 0; round < 3; round += 1) expect(await ask(pool, 1)).toMatchObject([{ presented: false }]);
});

test('a merchant with many open disputes does not delay another merchant’s daily look-ups', async () => {
  const [loud, quiet] = [await insertShop(pool), await insertShop(pool)];
  for (let n = 0; n < 12; n += 1) await insertDispute(pool, loud, await purchase(loud), { status: 'open' });
  await insertDispute(pool, quiet, await purchase(quiet), { status: 'open' });
  await pool.query(sql.unsafe`update disputes set asked_at = service_clock() - interval '25 hours'`);
  for (let round = 0; round < 3; round += 1) {
    const merchants = (await disputedPayments(pool, 2)).map(({ merchantId }) => merchantId);
    expect(merchants).toContain(quiet.merchantId);
  }
});
