import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { readOverview } from '../../../db/merchant/overview.ts';
import { insertCoupon } from '../../support/db/coupons.ts';
import { insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { insertPlan, insertSubscription } from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

async function subscribed(plan: string, fields: object | null, quantity: number | null = null) {
  const coupon = fields && (await insertCoupon(pool, shop, fields));
  return insertSubscription(pool, shop, plan, quantity, coupon ? { couponCode: coupon.code } : {});
}

async function monthlyAmount(): Promise<number> {
  return (await readOverview(pool, shop)).subscriptions.monthly_amount;
}

test('monthly revenue sums the next charges less coupons then in force, and excludes paused subscriptions', async () => {
  const seats = await insertPlan(pool, shop.merchantId, null, RECURRING, { min: 1, max: 50 });
  const yearly = await insertPlan(pool, shop.merchantId, null, {
    ...RECURRING,
    amount: 12_000,
    interval: 'year',
  });
  const steps: readonly [string, object | null, number | null, number][] = [
    [seats, null, null, 900],
    // Used up by the first period.
    [seats, { percent: 50 }, null, 900],
    [seats, { percent: 33, duration: 'forever' }, 3, 2_700 - 891],
    [seats, { percent: 100, duration: 'repeating', periods: 2 }, null, 0],
    [seats, { amount: 5_000, duration: 'forever' }, null, 0],
    [yearly, { amount: 3_000, duration: 'forever' }, null, 750],
  ];
  let sum = 0;
  for (const [plan, fields, quantity, added] of steps) {
    await subscribed(plan, fields, quantity);
    sum += added;
    expect(await monthlyAmount()).toBe(sum);
  }
  const pausing = await subscribed(seats, null);
  await pool.query(sql.unsafe`update subscriptions set pause_at_period_end = true where id = ${pausing}`);
  expect(await monthlyAmount()).toBe(sum);
});
