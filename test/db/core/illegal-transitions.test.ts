/** The functions that write states reject transitions that are missing from the contract's tables. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { lockPayment, transitionPayment } from '../../../db/payment/payment-row.ts';
import { lockSession, transitionSession } from '../../../db/session/core/session-row.ts';
import { lockSubscription, saveSubscription } from '../../../db/subscription/core/subscription-row.ts';
import { canTransitionPayment, PAYMENT_STATUSES } from '../../../domain/payment/payment.ts';
import { canTransition, SESSION_STATES } from '../../../domain/session/session.ts';
import {
  canTransitionSubscription,
  SUBSCRIPTION_STATUSES,
} from '../../../domain/subscription/subscription.ts';
import { insertPurchase, insertShop, type Purchase, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let shop: Shop;
let sold: Purchase;
beforeAll(async () => {
  database = await openTestDatabase();
  shop = await insertShop(database.pool);
  sold = await insertPurchase(database.pool, shop, shop.products.recurring, { recurring: true });
});
afterAll(() => database?.close());

const illegal = <State extends string>(
  states: readonly State[],
  isLegal: (from: State, to: State) => boolean,
) =>
  states.flatMap((from) =>
    states.filter((to) => to !== from && !isLegal(from, to)).map((to) => [from, to] as const),
  );

/** @returns the illegal pairs that were written */
async function written(
  table: 'checkouts' | 'payments' | 'subscriptions',
  column: 'state' | 'status',
  id: string,
  pairs: readonly (readonly [string, string])[],
  transition: (tx: Parameters<typeof lockSession>[0], to: string) => Promise<unknown>,
  /** Sets other columns that the state requires. */
  rest: (state: string) => ReturnType<typeof sql.fragment> = () => sql.fragment``,
): Promise<readonly string[]> {
  const { pool } = database;
  const [from, at] = [sql.identifier([table]), sql.identifier([column])];
  const found: string[] = [];
  for (const [before, to] of pairs) {
    await pool.query(sql.unsafe`update ${from} set ${at} = ${before}${rest(before)} where id = ${id}`);
    const refusal = await pool
      .transaction((tx) => transition(tx, to))
      .then(
        () => 'none',
        ({ message }: Error) => message,
      );
    const now = await pool.oneFirst(sql.type(z.object({ state: z.string() }))`
      select ${at} as state from ${from} where id = ${id}
    `);
    if (now !== before || refusal !== `${id}: illegal transition from ${before} to ${to}`)
      found.push(`${before} to ${to}: ${refusal}`);
  }
  return found;
}

test('an illegal transition of a session writes nothing', async () => {
  const pairs = illegal(SESSION_STATES, canTransition);
  expect(pairs.length).toBeGreaterThan(10);
  const moved = await written(
    'checkouts',
    'state',
    sold.checkoutId,
    pairs,
    async (tx, to) =>
      transitionSession(tx, await lockSession(tx, sold.checkoutId), to as (typeof SESSION_STATES)[number]),
    (state) => sql.fragment`,
      finished_at = case when ${state} in ('succeeded', 'failed') then service_clock() end,
      failure_reason = case when ${state} = 'failed' then 'expired' end`,
  );
  expect(moved).toEqual([]);
});

test('an illegal transition of a payment writes nothing', async () => {
  const pairs = illegal(PAYMENT_STATUSES, canTransitionPayment);
  expect(pairs.length).toBeGreaterThan(10);
  const moved = await written('payments', 'status', sold.paymentId, pairs, async (tx, to) => {
    const locked = await lockPayment(tx, sold.paymentId, null);
    if (!locked) throw new Error('the payment is gone');
    return transitionPayment(tx, locked, to as (typeof PAYMENT_STATUSES)[number], null);
  });
  expect(moved).toEqual([]);
});

test('an illegal transition of a subscription writes nothing', async () => {
  const pairs = illegal(SUBSCRIPTION_STATUSES, canTransitionSubscription);
  expect(pairs.length).toBeGreaterThan(10);
  const id = sold.subscriptionId ?? '';
  const moved = await written('subscriptions', 'status', id, pairs, async (tx, to) =>
    saveSubscription(tx, await lockSubscription(tx, id), {
      status: to as (typeof SUBSCRIPTION_STATUSES)[number],
    }),
  );
  expect(moved).toEqual([]);
});
