import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { beginAuthorize } from '../../../db/payment/rail-calls.ts';
import { claimAttempt } from '../../../db/session/claim-attempt.ts';
import { closeClick } from '../../../db/session/clicks.ts';
import { eventually } from '../../support/core/eventually.ts';
import { answer, click, clickAccepted, DECLINED, letExpire, UNKNOWN } from '../../support/db/attempts.ts';
import {
  insertProduct,
  insertSession,
  insertShop,
  type PriceValues,
  RECURRING,
  type Shop,
} from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

const newSession = async (values = {}) => (await insertSession(pool, shop, shop.products.oneTime, values)).id;
const count = (query: ReturnType<typeof sql.unsafe>) =>
  pool.oneFirst(sql.type(z.object({ n: z.number() }))`${query}`);

describe('claiming an attempt', () => {
  test('turns one click into one payment with its order, and moves the session to processing', async () => {
    const checkoutId = await newSession();
    const answer = await click(pool, checkoutId);
    expect(answer).toMatchObject({ kind: 'claimed', state: 'processing' });
    const row = await pool.one(sql.type(
      z.object({ state: z.string(), status: z.string(), order_status: z.string(), attempt_no: z.number() }),
    )`
      select c.state, p.status, o.status as order_status, p.attempt_no
      from checkouts c join payments p on p.checkout_id = c.id join orders o on o.payment_id = p.id
      where c.id = ${checkoutId}
    `);
    expect(row).toEqual({
      state: 'processing',
      status: 'processing',
      order_status: 'pending',
      attempt_no: 1,
    });
  });

  test('answers a repeated click with the same payment', async () => {
    const checkoutId = await newSession();
    const claimId = randomUUID();
    const first = await click(pool, checkoutId, { claimId });
    expect(await claimAttempt(pool, { checkoutId, claimId })).toEqual({ ...first, state: 'processing' });
  });

  test('answers a repeated click with its own payment even after a decline, and does not charge again', async () => {
    const checkoutId = await newSession();
    const claimId = randomUUID();
    const paymentId = await clickAccepted(pool, checkoutId, { claimId });
    await answer(pool, checkoutId, paymentId, DECLINED);
    expect(await claimAttempt(pool, { checkoutId, claimId })).toEqual({
      kind: 'claimed',
      attemptId: paymentId,
      state: 'created',
      isOpen: false,
    });
  });

  test('uses the payment method type that the click chose, even after a cancelled attempt', async () => {
    const checkoutId = await newSession();
    await answer(pool, checkoutId, await clickAccepted(pool, checkoutId), { kind: 'cancelled' });
    const paymentId = await clickAccepted(pool, checkoutId);
    const methods = await pool.anyFirst(sql.type(z.object({ payment_method: z.unknown() }))`
      select payment_method from payments where id = ${paymentId}`);
    expect(methods).toEqual([{ type: 'card', brand: null, last4: null }]);
  });

  test('is refused once all attempts are used up', async () => {
    const checkoutId = await newSession();
    await answer(pool, checkoutId, await clickAccepted(pool, checkoutId), DECLINED);
    await pool.query(sql.unsafe`update checkouts set max_attempts = 1 where id = ${checkoutId}`);
    expect(await click(pool, checkoutId)).toEqual({ kind: 'refused', reason: 'attempts_exhausted' });
  });

  test('charges the quantity that each click chose; a trial charges it later', async () => {
    const bought = async (price: PriceValues) => {
      const { merchantId } = shop;
      const product = await insertProduct(pool, { merchantId, quantity: { min: 1, max: 9 }, price });
      const checkoutId = (await insertSession(pool, shop, product.productId)).id;
      const first = await clickAccepted(pool, checkoutId, { quantity: 3 });
      await answer(pool, checkoutId, first, DECLINED);
      await clickAccepted(pool, checkoutId, { quantity: 4 });
      return pool.one(sql.type(z.record(z.string(), z.unknown()))`
        select c.amount, c.quantity, o.amount as ordered, o.line_items -> 0 -> 'quantity' as line_quantity,
          o.line_items -> 0 -> 'unit_amount' as unit_amount, s.amount as period, s.quantity as subscribed,
          (select jsonb_agg(amount order by attempt_no) from payments where checkout_id = c.id) as charged
        from checkouts c join orders o on o.checkout_id = c.id join subscriptions s on s.checkout_id = c.id
        where c.id = ${checkoutId}`);
    };
    const four = { quantity: 4, line_quantity: 4, period: 3_600, subscribed: 4 };
    const now = { amount: 3_600, ordered: 3_600, unit_amount: 900, charged: [2_700, 3_600] };
    expect(await bought(RECURRING)).toEqual({ ...four, ...now });
    const later = { amount: 0, ordered: 0, unit_amount: 0, charged: [0, 0] };
    expect(await bought({ ...RECURRING, trialPeriodDays: 7 })).toEqual({ ...four, ...later });
  });

  test('ten concurrent clicks make one payment, which the other nine clicks join', async () => {
    const checkoutId = await newSession();
    const answers = await Promise.all(Array.from({ length: 10 }, () => click(pool, checkoutId)));
    expect(answers.filter(({ kind }) => kind === 'claimed')).toHaveLength(1);
    expect(answers.filter(({ kind }) => kind === 'in_progress')).toHaveLength(9);
    expect(
      await count(sql.unsafe`select count(*) as n from payments where checkout_id = ${checkoutId}`),
    ).toBe(1);
  });

  test('only one of ten claims that wait for the same session begins a payment', async () => {
    const checkoutId = await newSession();
    const claimIds = Array.from({ length: 10 }, () => randomUUID());
    for (const claimId of claimIds) await storeRequest(checkoutId, claimId);
    const holder = new pg.Client({ connectionString: database.url });
    await holder.connect();
    await holder.query('begin');
    await holder.query('select from checkouts where id = $1 for update', [checkoutId]);
    const claims = claimIds.map((claimId) => claimAttempt(pool, { checkoutId, claimId }));
    // As many claims as the pool has connections begin before any can write, so reading without the lock
    // would be stale.
    const waiting = `select count(*)::int as n from pg_locks where not granted`;
    await eventually(async () => expect((await holder.query(waiting)).rows).toEqual([{ n: 10 }]));
    await holder.query('commit');
    await holder.end();
    const answers = await Promise.all(claims);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['claimed', ...Array(9).fill('in_progress')]);
  });

  test('joins the last attempt while its outcome is unknown, instead of charging again', async () => {
    const checkoutId = await newSession();
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, UNKNOWN, { lookupTimeUp: true });
    const claimId = randomUUID();
    await storeRequest(checkoutId, claimId);
    expect(await claimAttempt(pool, { checkoutId, claimId })).toEqual({ kind: 'in_progress' });
  });

  test('is refused once the session has expired by the database’s clock', async () => {
    const checkoutId = await newSession();
    const claimId = randomUUID();
    await storeRequest(checkoutId, claimId);
    await letExpire(pool, checkoutId);
    expect(await claimAttempt(pool, { checkoutId, claimId })).toMatchObject({
      kind: 'refused',
      reason: 'expired',
    });
  });

  test('allows a call to the rail no later than the session’s expiry', async () => {
    const { id } = await insertSession(pool, shop, shop.products.oneTime);
    await pool.query(sql.unsafe`
      update checkouts set expires_at = service_clock() + interval '5 seconds' where id = ${id}`);
    const begun = await beginAuthorize(pool, await clickAccepted(pool, id), 20);
    expect(begun?.ms_left).toBeGreaterThan(0);
    expect(begun?.ms_left).toBeLessThanOrEqual(5_000);
  });

  test('allows a call to the rail even if an earlier delivery of the click was refused', async () => {
    const checkoutId = await newSession();
    const [refused, claimed] = [randomUUID(), randomUUID()];
    await storeRequest(checkoutId, refused);
    const paymentId = await clickAccepted(pool, checkoutId, { claimId: claimed });
    for (const claimId of [refused, claimed]) await closeClick(pool, checkoutId, claimId);
    const open = sql.unsafe`select from clicks where claim_id = ${refused} and service_clock() < not_after`;
    expect(await pool.exists(open)).toBe(false);
    expect(await beginAuthorize(pool, paymentId, 20)).not.toBeNull();
  });

  test('is refused after the click’s own deadline, because the buyer may have left', async () => {
    const checkoutId = await newSession();
    expect(await click(pool, checkoutId, { validSeconds: 0 })).toMatchObject({
      kind: 'refused',
      reason: 'too_late',
    });
    expect(
      await count(sql.unsafe`select count(*) as n from payments where checkout_id = ${checkoutId}`),
    ).toBe(0);
  });

  test('is refused for a click that was never stored', async () => {
    const checkoutId = await newSession();
    const answer = await claimAttempt(pool, { checkoutId, claimId: randomUUID() });
    expect(answer).toMatchObject({ kind: 'refused', reason: 'unknown_click' });
  });

  test('numbers the attempts, and fails the session when no attempts are left', async () => {
    const checkoutId = await newSession({ maxAttempts: 2 });
    for (const state of ['created', 'failed']) {
      const paymentId = await clickAccepted(pool, checkoutId);
      await answer(pool, checkoutId, paymentId, DECLINED);
      const row = await pool.one(sql.type(
        z.object({ state: z.string(), failure_reason: z.string().nullable() }),
      )`
        select state, failure_reason from checkouts where id = ${checkoutId}
      `);
      expect(row).toEqual({ state, failure_reason: state === 'failed' ? 'attempts_exhausted' : null });
    }
    expect(await click(pool, checkoutId)).toMatchObject({ kind: 'refused', reason: 'finished' });
  });

  test('stores the buyer’s input as the customer’s confirmed email', async () => {
    const checkoutId = await newSession();
    await clickAccepted(pool, checkoutId, { email: 'typed@example.eu' });
    const email = await pool.oneFirst(sql.type(z.object({ email: z.string() }))`
      select u.email from checkouts c join customers u on u.id = c.customer_id
      where c.id = ${checkoutId} and u.email_confirmed_at is not null
    `);
    expect(email).toBe('typed@example.eu');
  });

  test('creates the incomplete subscription of a recurring product once, with the first attempt', async () => {
    const checkoutId = (await insertSession(pool, shop, shop.products.recurring)).id;
    const paymentId = await clickAccepted(pool, checkoutId);
    await answer(pool, checkoutId, paymentId, DECLINED);
    await clickAccepted(pool, checkoutId);
    const statuses = await pool.anyFirst(sql.type(z.object({ status: z.string() }))`
      select status from subscriptions where checkout_id = ${checkoutId}
    `);
    expect(statuses).toEqual(['incomplete']);
  });

  test('cannot make two open payments of one session, because a constraint forbids it', async () => {
    const checkoutId = await newSession();
    await clickAccepted(pool, checkoutId);
    const second = pool.query(sql.unsafe`
      insert into payments (merchant_id, environment, checkout_id, attempt_no, claim_id, amount, currency)
      values (${shop.merchantId}, 'sandbox', ${checkoutId}, 2, ${randomUUID()}, 1900, 'EUR')
    `);
    await expect(second).rejects.toThrow(/unique/i);
  });
});

/** Stores the request as the page does; the session stops being payable before the claim. */
async function storeRequest(checkoutId: string, claimId: string): Promise<void> {
  await pool.query(sql.unsafe`
    insert into clicks (claim_id, merchant_id, environment, checkout_id, method_type, method_token, not_after)
    select ${claimId}, merchant_id, environment, id, 'card', ${sql.binary(Buffer.from('sealed'))},
      service_clock() + interval '30 seconds'
    from checkouts where id = ${checkoutId}
  `);
}
