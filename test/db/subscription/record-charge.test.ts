import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { storeAnswerDetails } from '../../../db/payment/rail-calls.ts';
import { advanceSubscription } from '../../../db/subscription/advance-subscription.ts';
import { readSubscriptionClock } from '../../../db/subscription/core/sandbox-clock.ts';
import { recordCharge } from '../../../db/subscription/record-charge.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { APPROVED, DECLINED, OTHER_AMOUNT, UNKNOWN } from '../../support/db/attempts.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import {
  driverOf,
  eventTypesOf,
  insertSubscription,
  invoicesOf,
  LADDER_DAYS,
} from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());
// Stops the merchant's clocks, because only two may move at once (rule 37).
beforeEach(() => pool.query(sql.unsafe`update subscription_clocks set target = null`));

/** A subscription whose renewal charge is claimed and open. */
async function openCharge() {
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  const driver = driverOf(pool, subscriptionId, () => APPROVED);
  const to = (await driver.view()).currentPeriodEnd ?? '';
  await advanceSubscription(pool, { subscriptionId, operationKey: randomUUID(), to });
  await driver.turn();
  const paymentId = (await driver.view()).openAttempt?.attemptId ?? '';
  const hear = (outcome: AttemptOutcome, lookupTimeUp = false, about = paymentId) =>
    recordCharge(pool, {
      ownerId: subscriptionId,
      attemptId: about,
      details: null,
      outcome,
      lookupTimeUp,
      nextLookupSeconds: 2,
      dunningLadderDays: LADDER_DAYS,
    });
  return { subscriptionId, paymentId, hear, driver };
}

const rowsOf = async (subscriptionId: string) =>
  JSON.stringify([
    await invoicesOf(pool, subscriptionId),
    await eventTypesOf(pool, subscriptionId),
    await pool.any(sql.type(z.record(z.string(), z.unknown()))`
      select status, version, charge_at, dunning from subscriptions where id = ${subscriptionId}
    `),
  ]);

describe('an answer about a charge', () => {
  test.each([
    ['approved', APPROVED],
    ['declined', DECLINED],
    ['cancelled', { kind: 'cancelled' }],
  ] as const)('is idempotent: %s', async (_kind, outcome) => {
    const { subscriptionId, hear } = await openCharge();
    await hear(outcome);
    const before = await rowsOf(subscriptionId);
    const told = await eventTypesOf(pool, subscriptionId);
    expect(told).toContain(outcome.kind === 'approved' ? 'payment.succeeded' : 'payment.failed');
    await hear(outcome);
    expect(await rowsOf(subscriptionId)).toBe(before);
    expect(await eventTypesOf(pool, subscriptionId)).toEqual(told);
  });

  test('changes nothing if the charge belongs to another subscription', async () => {
    const [mine, theirs] = [await openCharge(), await openCharge()];
    const both = () => Promise.all([mine, theirs].map(({ subscriptionId }) => rowsOf(subscriptionId)));
    const before = await both();
    for (const outcome of [APPROVED, DECLINED, { kind: 'cancelled' } as const])
      await mine.hear(outcome, false, theirs.paymentId);
    expect(await both()).toEqual(before);
  });

  test.each([
    ['the renewed card’s digits, if the mandate is the same', true, '1881'],
    ['the digits of a method that replaced the charged one', false, '4242'],
  ])('shows %s', async (_which, isSame, shown) => {
    const { subscriptionId, paymentId, hear } = await openCharge();
    await pool.query(sql.unsafe`
      update subscriptions set payment_method = '{"type": "card", "brand": "visa", "last4": "4242"}',
        credential_secret_ref = '\\x01' where id = ${subscriptionId}`);
    await pool.query(sql.unsafe`
      update payments set payment_method = '{"type": "card", "brand": "visa", "last4": "1881"}',
        credential_secret_ref = ${isSame ? sql.fragment`'\\x01'::bytea` : sql.fragment`'\\x02'::bytea`} where id = ${paymentId}`);
    await hear(APPROVED);
    const last4 = await pool.oneFirst(sql.type(z.object({ last4: z.string() }))`
      select payment_method ->> 'last4' as last4 from subscriptions where id = ${subscriptionId}`);
    expect(last4).toBe(shown);
  });

  test('settles the charge once if several answers arrive at the same time', async () => {
    const { subscriptionId, hear } = await openCharge();
    await Promise.all([hear(APPROVED), hear(APPROVED), hear(DECLINED)]);
    const types = await eventTypesOf(pool, subscriptionId);
    expect(types.filter((type) => type === 'payment.succeeded' || type === 'payment.failed')).toHaveLength(2);
  });

  test('never dates an update of an open charge before its creation, on a moved clock', async () => {
    const { paymentId, hear } = await openCharge();
    await storeAnswerDetails(pool, paymentId, {
      railReference: 'ch_1',
      method: null,
      mandate: null,
      challengeUrl: null,
      challengeSeconds: 600,
    });
    await hear(UNKNOWN);
    const inOrder = await pool.oneFirst(sql.type(z.object({ in_order: z.boolean() }))`
      select created_at <= updated_at as in_order from payments where id = ${paymentId}
    `);
    expect(inOrder).toBe(true);
  });

  test.each([
    ['its next look-up, which is sooner than the end of the period', sql.fragment``, false],
    [
      'the end of the period, if that is sooner',
      sql.fragment`, current_period_end = subscription_clock(id) + interval '1 second'`,
      true,
    ],
    ['its next look-up, even if nothing else is due', sql.fragment`, cancel_at_period_end = true`, false],
  ])('leaves the charge in doubt, and schedules %s', async (_what, change, isBoundary) => {
    const { subscriptionId, hear } = await openCharge();
    await pool.query(
      sql.unsafe`update subscriptions set version = version ${change} where id = ${subscriptionId}`,
    );
    const asked = await readSubscriptionClock(pool, subscriptionId);
    await hear(UNKNOWN);
    const { next, end } = await pool.one(sql.type(z.object({ next: z.string(), end: z.string() }))`
      select next_action_at as next, current_period_end as end from subscriptions where id = ${subscriptionId}`);
    expect(next === end).toBe(isBoundary);
    if (isBoundary) return;
    const waitMs = Date.parse(next) - Date.parse(asked);
    expect(waitMs).toBeGreaterThanOrEqual(2_000);
    expect(waitMs).toBeLessThan(60_000);
  });

  test('alerts the operator once, however often the outcome remains unknown', async () => {
    const { subscriptionId, hear, driver } = await openCharge();
    await hear(UNKNOWN);
    expect((await driver.view()).reconciling).toBe(false);
    for (let n = 0; n < 3; n++) await hear(UNKNOWN, true);
    // As recorded by a new run that has made no look-up yet.
    await hear(UNKNOWN);
    expect((await driver.view()).reconciling).toBe(true);
    const alerts = (await eventTypesOf(pool, subscriptionId)).filter(
      (type) => type === 'billing.operational_alert',
    );
    expect(alerts).toHaveLength(1);
    await hear(APPROVED);
    expect(await driver.view()).toMatchObject({ status: 'active', reconciling: false });
  });

  test.each([
    ['a declined', DECLINED, 'payment_failed', APPROVED],
    ['a cancelled', { kind: 'cancelled' }, 'open', APPROVED],
    ['another amount of a cancelled', { kind: 'cancelled' }, 'open', OTHER_AMOUNT],
  ] as const)(
    'that approves %s attempt is an orphaned charge: listed, alerted and not booked',
    async (_which, ending, invoiceStatus, late) => {
      const { subscriptionId, paymentId, hear } = await openCharge();
      await hear(ending);
      await hear(late);
      const alerts = await pool.anyFirst(sql.type(z.object({ type: z.string() }))`
      select type from events where aggregate_id = ${`${paymentId}-orphaned`}
    `);
      expect(alerts).toEqual(['billing.operational_alert']);
      const orphans = await pool.anyFirst(sql.type(z.object({ amount: z.number() }))`
      select amount from orphaned_charges where payment_id = ${paymentId}
    `);
      expect(orphans).toEqual([900]);
      expect((await invoicesOf(pool, subscriptionId)).at(-1)?.status).toBe(invoiceStatus);
      expect(
        (await eventTypesOf(pool, subscriptionId)).filter((type) => type === 'payment.succeeded'),
      ).toHaveLength(1);
    },
  );
});
