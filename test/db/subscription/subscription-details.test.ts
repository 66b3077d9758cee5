/** The details of an unpaid period on a subscription's page, by reason. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { stopRenewing } from '../../../db/dispute/stop-renewing.ts';
import { lockSubscription } from '../../../db/subscription/core/subscription-row.ts';
import { findSubscriptionDetails } from '../../../db/subscription/read/subscription-details.ts';
import { chargeOldest } from '../../../db/subscription/renew-subscription.ts';
import type { AttemptOutcome } from '../../../domain/payment/attempt.ts';
import { insertRailAccount, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { driverOf, insertSubscription, LADDER_DAYS } from '../../support/db/subscriptions.ts';

let database: OpenTestDatabase;
let pool: Pool;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());

type Declined = Extract<AttemptOutcome, { kind: 'declined' }>;
const declined = (code: Declined['code'], retryable: boolean): Declined => ({
  kind: 'declined',
  code,
  retryable,
});
const claimRetry = async (_shop: Shop, id: string) => {
  await pool.query(sql.unsafe`update subscriptions set charge_at = subscription_clock(id) where id = ${id}`);
  await chargeOldest(pool, id, LADDER_DAYS);
};
const replaceAccount = async (shop: Shop, _id: string) => {
  await pool.query(sql.unsafe`update rail_accounts set status = 'disabled' where id = ${shop.railAccountId}`);
  await insertRailAccount(pool, shop);
};
const loseDispute = (_shop: Shop, id: string) =>
  inTransaction(pool, async (tx) => void (await stopRenewing(tx, await lockSubscription(tx, id))));
const hold = async (_shop: Shop, id: string) => {
  await pool.query(
    sql.unsafe`update subscriptions set charge_at = null, charging_stopped_at = service_clock() where id = ${id}`,
  );
};

test.each([
  {
    why: 'one decline that may be retried',
    answers: [declined('insufficient_funds', true)],
    says: { declines: 1, waits_for: 'retry', retryDay: 2, failure_code: 'insufficient_funds' },
  },
  {
    why: 'two declines that may be retried',
    answers: [declined('insufficient_funds', true), declined('card_declined', true)],
    days: 3,
    says: { declines: 2, waits_for: 'retry', retryDay: 7, failure_code: 'card_declined' },
  },
  {
    why: 'a decline that must not be retried',
    answers: [declined('lost_or_stolen_card', false)],
    days: 3,
    says: { declines: 1, waits_for: 'payment_method', retryDay: null, failure_code: 'lost_or_stolen_card' },
  },
  {
    why: 'a bank that requires authentication',
    answers: [declined('authentication_required', true)],
    days: 3,
    says: {
      declines: 1,
      waits_for: 'payment_method',
      retryDay: null,
      failure_code: 'authentication_required',
    },
  },
  {
    why: 'a retry in progress',
    answers: [declined('insufficient_funds', true)],
    last: claimRetry,
    says: { declines: 1, waits_for: 'charge', retryDay: null },
  },
  {
    why: 'an account that was replaced before the charge',
    first: replaceAccount,
    answers: [],
    days: 3,
    says: { declines: 0, waits_for: 'payment_method', retryDay: null, failure_code: null },
  },
  {
    why: 'an account that was replaced after a decline',
    answers: [declined('insufficient_funds', true)],
    last: replaceAccount,
    says: { declines: 1, waits_for: 'payment_method', retryDay: null },
  },
  {
    why: 'a lost dispute after a decline',
    answers: [declined('lost_or_stolen_card', false)],
    last: loseDispute,
    says: { declines: 1, waits_for: 'nothing', retryDay: null },
  },
  {
    why: 'a lost dispute during a retry',
    answers: [declined('insufficient_funds', true)],
    last: async (of: Shop, id: string) => {
      await claimRetry(of, id);
      await loseDispute(of, id);
    },
    says: { declines: 1, waits_for: 'charge', retryDay: null },
  },
  {
    why: 'a request lost in a restore, which holds it',
    answers: [declined('insufficient_funds', true)],
    last: hold,
    says: { declines: 1, waits_for: 'nothing', retryDay: null, ends_at: null },
  },
])('the dunning details describe $why', async ({ answers, says, days = 0, first, last }) => {
  const shop = await insertShop(pool);
  const id = await insertSubscription(pool, shop, shop.products.recurring);
  const left = [...answers];
  const driver = driverOf(pool, id, () => left.shift() ?? { kind: 'cancelled' });
  const dueAt = (await driver.view()).currentPeriodEnd ?? '';
  const after = (count: number) => new Date(Date.parse(dueAt) + count * 86_400_000).toISOString();
  await first?.(shop, id);
  await driver.advance(after(days));
  await last?.(shop, id);
  const details = await findSubscriptionDetails(pool, shop, id);
  const { retryDay, ...facts } = says;
  expect(details?.next_renewal).toBeNull();
  if (retryDay === null && says.waits_for !== 'charge') expect(details?.next_charge_at).toBeNull();
  expect(details?.dunning).toMatchObject({
    unpaid_since: dueAt,
    retry_at: retryDay === null ? null : after(retryDay),
    ends_at: details?.cancel_at_period_end ? details.current_period_end : after(21),
    ...facts,
  });
  expect(left).toEqual([]);
});

test.each([true, false])(
  'a subscription cancelled while past due shows another charge only if its merchant collects (%s)',
  async (collects) => {
    const shop = await insertShop(pool);
    const id = await insertSubscription(pool, shop, shop.products.recurring);
    const driver = driverOf(pool, id, () => declined('insufficient_funds', true));
    const dueAt = (await driver.view()).currentPeriodEnd ?? '';
    await driver.advance(dueAt);
    await pool.query(sql.unsafe`
      update subscriptions set cancel_at_period_end = true, collects = ${collects} where id = ${id}`);
    const after = (days: number) => new Date(Date.parse(dueAt) + days * 86_400_000).toISOString();
    const details = await findSubscriptionDetails(pool, shop, id);
    expect(details).toMatchObject({
      next_charge_at: collects ? after(2) : null,
      dunning: collects
        ? { waits_for: 'retry', retry_at: after(2), ends_at: after(21) }
        : { waits_for: 'nothing', retry_at: null, ends_at: details?.current_period_end },
    });
  },
);

test('a next charge is listed only while the stored method can be charged', async () => {
  const shop = await insertShop(pool);
  const id = await insertSubscription(pool, shop, shop.products.recurring);
  const { current_period_end: end, next_charge_at: next } =
    (await findSubscriptionDetails(pool, shop, id)) ?? {};
  expect(next).toBe(end);
  await replaceAccount(shop, id);
  expect(await findSubscriptionDetails(pool, shop, id)).toMatchObject({
    status: 'active',
    next_charge_at: null,
  });
});

test('the details of a paid subscription show nothing unpaid', async () => {
  const shop = await insertShop(pool);
  const id = await insertSubscription(pool, shop, shop.products.recurring);
  expect(await findSubscriptionDetails(pool, shop, id)).toMatchObject({
    dunning: null,
    next_renewal: { total: 900 },
  });
});

test('the details of a subscription set to end show no next renewal', async () => {
  const shop = await insertShop(pool);
  const id = await insertSubscription(pool, shop, shop.products.recurring);
  await pool.query(sql.unsafe`update subscriptions set cancel_at_period_end = true where id = ${id}`);
  expect(await findSubscriptionDetails(pool, shop, id)).toMatchObject({ next_renewal: null });
});
