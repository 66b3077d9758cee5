/** What the comparison waits for, and what it leaves for later (rule 29). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { MockActivityEnvironment } from '@temporalio/testing';
import { pino } from 'pino';
import { z } from 'zod';
import type { ActivityDeps } from '../../../activities/core/deps.ts';
import { createRestoreActivities } from '../../../activities/restore/restore.ts';
import { sql } from '../../../db/core/pool.ts';
import { storeComparison } from '../../../db/restore/compare.ts';
import { fenceIfRestored } from '../../../db/restore/fence.ts';
import type { Rail } from '../../../rail/rail.ts';
import { createSandboxRail } from '../../../rail/sandbox/index.ts';
import { DECLINED } from '../../support/db/attempts.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { driverOf, insertSubscription } from '../../support/db/subscriptions.ts';

const sandbox = createSandboxRail({ baseUrl: 'http://127.0.0.1:1' });
const LAGGING: Rail = { ...sandbox, trust: { ...sandbox.trust, lookupLagMs: 10_000 } };

let db: OpenTestDatabase;
let shop: Shop;
let subscriptionId: string;
let pastDue: string;
let epoch: number;

beforeAll(async () => {
  db = await openTestDatabase();
  shop = await insertShop(db.pool);
  subscriptionId = await insertSubscription(db.pool, shop, shop.products.recurring);
  pastDue = await insertSubscription(db.pool, shop, shop.products.recurring);
  const driver = driverOf(db.pool, pastDue, () => DECLINED);
  await driver.advance((await driver.view()).currentPeriodEnd ?? '');
  epoch = (await fenceIfRestored(db.pool, { sweepNumber: null, announced: true })) ?? 0;
});
afterAll(() => db?.close());

/** Without a Temporal client: code that signals or starts a workflow throws. */
const activities = (rails: readonly Rail[]) =>
  createRestoreActivities({
    pool: db.pool,
    logger: pino({ level: 'silent' }),
    session: { railCallTimeoutSeconds: 4 },
    rails: new Map(rails.map((rail, n) => [`rail${n}`, rail])),
  } as unknown as ActivityDeps);

test('the comparison waits until calls begun before the fence have ended and the slowest rail shows them', async () => {
  const { waitMs: withoutLag } = await activities([sandbox]).beginComparison(epoch);
  expect(withoutLag).toBeGreaterThan(0);
  expect(withoutLag).toBeLessThanOrEqual(4_000);
  const { waitMs } = await activities([sandbox, LAGGING]).beginComparison(epoch);
  expect(waitMs).toBeGreaterThan(10_000);
  expect(waitMs).toBeLessThanOrEqual(14_000);
});

test('a charge for a period that has not begun in the copy is listed until the period is charged, and does not keep the fence up', async () => {
  const reference = await db.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select period_payment_id(id, date_trunc('milliseconds', current_period_end), 1) as id
    from subscriptions where id = ${subscriptionId}`);
  const at = new Date().toISOString();
  const charge = { reference, amountCents: 1_900, currency: 'EUR', at, outcome: 'approved' };
  const account = { rail_account_id: shop.railAccountId };
  await storeComparison(db.pool, epoch, account, { charges: [charge], refunds: [], disputes: [] });
  const { adoptFindings } = activities([sandbox]);
  expect(await new MockActivityEnvironment().run(adoptFindings, epoch)).toMatchObject({ waits: false });
  const state = sql.type(z.object({ state: z.string() }))`
    select state from restore_findings where reference = ${reference}`;
  expect(await db.pool.oneFirst(state)).toBe('person');
});

test('a charge requested before the next scheduled retry is claimed, and the comparison waits for it', async () => {
  const reference = await db.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select period_payment_id(subscription_id, period_start, 2) as id
    from invoices where subscription_id = ${pastDue} and status = 'payment_failed'`);
  const at = new Date().toISOString();
  const charge = { reference, amountCents: 900, currency: 'EUR', at, outcome: 'approved' };
  const account = { rail_account_id: shop.railAccountId };
  await storeComparison(db.pool, epoch, account, { charges: [charge], refunds: [], disputes: [] });
  const { adoptFindings } = activities([sandbox]);
  expect(await new MockActivityEnvironment().run(adoptFindings, epoch)).toMatchObject({ waits: true });
  const { openAttempt } = await driverOf(db.pool, pastDue, () => DECLINED).view();
  expect(openAttempt).toMatchObject({ attemptId: reference });
});
