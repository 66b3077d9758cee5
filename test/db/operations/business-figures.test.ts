/** Metrics computed from rows, whose cost does not grow with the number of finished rows. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { RECORDED_KINDS } from '../../../contract/operations/incident-kinds.ts';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { disableRefusedAccount } from '../../../db/merchant/rail-account-trouble.ts';
import { readBusinessFigures } from '../../../db/operations/business-figures.ts';
import { closeClick, insertClick } from '../../../db/session/clicks.ts';
import type { Figures } from '../../../platform/observability/database-gauges.ts';
import { APPROVED, answer, clickAccepted, DECLINED, letExpire, UNKNOWN } from '../../support/db/attempts.ts';
import {
  insertPurchase,
  insertRailAccount,
  insertSession,
  insertShop,
  type Shop,
} from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
});
afterAll(() => database?.close());

const read = (perMerchant = false) => readBusinessFigures(pool, { perMerchant });
const newSession = async () => (await insertSession(pool, shop, shop.products.oneTime)).id;

function figureOf(
  figures: Figures,
  name: string,
  attributes: Record<string, string> = {},
): number | undefined {
  const found = figures.filter(
    (figure) =>
      figure.name === name &&
      Object.entries(attributes).every(([key, value]) => figure.attributes[key] === value),
  );
  expect(found.length).toBeLessThan(2);
  return found[0]?.value;
}
const inSandbox = (more: Record<string, string>) => ({ environment: 'sandbox', ...more });

test('every kind is reported as zero if nothing is open', async () => {
  const figures = await read();
  for (const kind of RECORDED_KINDS.filter((each) => each !== 'rail_unavailable' && each !== 'overdue')) {
    expect(figureOf(figures, 'checkout.incident.open', inSandbox({ kind }))).toBe(0);
    expect(figureOf(figures, 'checkout.incident.oldest.age', { kind, environment: 'production' })).toBe(0);
  }
  for (const state of ['session', 'refund', 'subscription'])
    expect(figureOf(figures, 'checkout.incident.oldest.age', inSandbox({ kind: 'overdue', state }))).toBe(0);
  expect(figureOf(figures, 'checkout.session.open', inSandbox({ state: 'processing' }))).toBe(0);
  expect(figureOf(figures, 'checkout.webhook.endpoints', inSandbox({ state: 'failing' }))).toBe(0);
  expect(figureOf(figures, 'checkout.renewal.late', { environment: 'production' })).toBe(0);
  expect(figureOf(figures, 'checkout.click.expired', inSandbox({}))).toBe(0);
});

test('failing rails, paused rails and failing accounts of a working rail are counted separately', async () => {
  const counts = async () => {
    const figures = await read();
    return ['paused', 'account_fails', 'rail_fails'].map((state) =>
      figureOf(figures, 'checkout.incident.open', inSandbox({ kind: 'rail_unavailable', state })),
    );
  };
  const attempted = (railAccountId: string, outcome: string, ago: string) =>
    pool.query(sql.unsafe`
      insert into rail_answers (at, rail_account_id, rail, environment, reference, operation, outcome, took_ms, is_attempt)
      select service_clock() - ${ago}::interval, ${railAccountId}, rail, environment, 'ap_pay_1', 'authorize', ${outcome}, 9, true
      from rail_accounts where id = ${shop.railAccountId}`);
  expect(await counts()).toEqual([0, 0, 0]);
  await pool.query(sql.unsafe`
    insert into rail_breakers (scope, rail, environment, state, reason, paused_by)
    values ('rail:one:sandbox', 'one', 'sandbox', 'paused', 'maintenance', 'person:ada')`);
  expect(await counts()).toEqual([1, 0, 0]);
  await pool.query(sql.unsafe`
    insert into rail_breakers (scope, rail, environment, state, reason)
    values ('rail:two:sandbox', 'two', 'sandbox', 'open', 'server_error')`);
  expect(await counts()).toEqual([1, 0, 1]);
  await pool.query(sql.unsafe`delete from rail_breakers`);
  await pool.query(sql.unsafe`
    insert into rail_breakers (scope, rail, environment, rail_account_id, state, retry_at, reason)
    select 'account:' || id, rail, environment, id, 'open', service_clock(), 'server_error'
    from rail_accounts where id = ${shop.railAccountId}`);
  const other = await insertRailAccount(pool, { ...shop, status: 'disabled' });
  // No other account sells there.
  await attempted(other, 'approved', '61 minutes');
  await attempted(other, 'unknown', '1 minute');
  await attempted(shop.railAccountId, 'approved', '1 minute');
  expect(await counts()).toEqual([0, 0, 1]);
  await attempted(other, 'declined', '59 minutes');
  expect(await counts()).toEqual([0, 1, 0]);
  for (let n = 0; n < 2; n++) await attempted(other, 'unknown', '1 minute');
  expect(await counts()).toEqual([0, 1, 0]);
  await attempted(other, 'unknown', '1 minute');
  expect(await counts()).toEqual([0, 0, 1]);
  await attempted(other, 'declined', '1 minute');
  expect(await counts()).toEqual([0, 1, 0]);
  // Both accounts fail: earlier sales by one of them say nothing about the rail now.
  await pool.query(sql.unsafe`
    insert into rail_breakers (scope, rail, environment, rail_account_id, state, retry_at, reason)
    select 'account:' || id, rail, environment, id, 'open', service_clock(), 'server_error'
    from rail_accounts where id = ${other}`);
  await attempted(shop.railAccountId, 'approved', '2 minutes');
  expect(await counts()).toEqual([0, 0, 1]);
  await pool.query(sql.unsafe`
    update rail_breakers set state = 'paused', reason = 'not compared after a restore', paused_by = 'restore'`);
  expect(await counts()).toEqual([0, 2, 0]);
  await pool.query(sql.unsafe`delete from rail_breakers`);
  await pool.query(sql.unsafe`delete from rail_answers`);
  expect(await counts()).toEqual([0, 0, 0]);
});

test('late sessions, refunds and renewals are counted separately, each with its own age', async () => {
  const sessionId = await newSession();
  const { paymentId, subscriptionId } = await insertPurchase(pool, shop, shop.products.recurring, {
    recurring: true,
  });
  await pool.query(sql.unsafe`
    insert into refunds (id, merchant_id, environment, payment_id, rail_account_id, operation_id, amount, currency, status)
    values ('ap_ref_late', ${shop.merchantId}, 'sandbox', ${paymentId}, ${shop.railAccountId}, 'op_late', 300, 'EUR', 'pending')`);
  const act = (table: string, id: string | null, minutesAgo: number) =>
    pool.query(sql.unsafe`
      update ${sql.identifier([table])} set next_action_at = service_clock() - ${minutesAgo} * interval '1 minute'
      where id = ${id}`);
  await act('checkouts', sessionId, 6);
  await act('refunds', 'ap_ref_late', 20);
  await act('subscriptions', subscriptionId, 31);
  const figures = await read();
  const minutes = ['session', 'refund', 'subscription'].map((state) => {
    const overdue = inSandbox({ kind: 'overdue', state });
    expect(figureOf(figures, 'checkout.incident.open', overdue)).toBe(1);
    return Math.floor((figureOf(figures, 'checkout.incident.oldest.age', overdue) ?? 0) / 60);
  });
  await act('checkouts', sessionId, -60);
  await act('refunds', 'ap_ref_late', -60);
  await act('subscriptions', subscriptionId, -60);
  expect(minutes).toEqual([6, 20, 31]);
});

test('a fenced database counts as an incident of the production environment', async () => {
  await pool.query(sql.unsafe`update ledger_copy set fenced_at = service_clock() - interval '2 minutes'`);
  const figures = await read();
  await pool.query(sql.unsafe`update ledger_copy set fenced_at = null`);
  const fenced = { kind: 'database_fenced', environment: 'production' };
  expect(figureOf(figures, 'checkout.incident.oldest.age', fenced)).toBeGreaterThan(100);
});

test('a charge in doubt is an incident with its amount and age', async () => {
  const checkoutId = await newSession();
  const paymentId = await clickAccepted(pool, checkoutId);
  await answer(pool, checkoutId, paymentId, UNKNOWN, { lookupTimeUp: true });
  await pool.query(sql.unsafe`
    update checkouts set created_at = created_at - interval '5 hours' where id = ${checkoutId}`);
  await pool.query(sql.unsafe`
    update payments set call_started_at = service_clock() - interval '2 hours' where id = ${paymentId}`);
  const figures = await read();
  const kind = inSandbox({ kind: 'reconciliation_required' });
  expect(figureOf(figures, 'checkout.incident.open', kind)).toBe(1);
  expect(figureOf(figures, 'checkout.incident.amount', { ...kind, currency: 'EUR' })).toBe(1_900);
  // The age counts from the start of the call, not from the creation of the session.
  expect(figureOf(figures, 'checkout.incident.oldest.age', kind)).toBeGreaterThan(7_100);
  expect(figureOf(figures, 'checkout.incident.oldest.age', kind)).toBeLessThan(10_000);
  expect(figureOf(figures, 'checkout.session.open', inSandbox({ state: 'reconciliation_required' }))).toBe(1);
  expect(figureOf(await read(true), 'checkout.incident.open', { ...kind, merchant: shop.merchantId })).toBe(
    1,
  );
  await answer(pool, checkoutId, paymentId, APPROVED);
  expect(figureOf(await read(), 'checkout.incident.open', kind)).toBe(0);
});

test('a charge approved after its session’s end is orphaned until it is returned', async () => {
  const checkoutId = await newSession();
  const paymentId = await clickAccepted(pool, checkoutId);
  await letExpire(pool, checkoutId);
  await answer(pool, checkoutId, paymentId, DECLINED);
  await answer(pool, checkoutId, paymentId, APPROVED);
  const kind = inSandbox({ kind: 'orphaned_charge' });
  expect(figureOf(await read(), 'checkout.incident.open', kind)).toBe(1);
  await pool.query(sql.unsafe`
    update orphaned_charges set returned_at = service_clock(), returned_by = 'refund'
    where payment_id = ${paymentId}`);
  expect(figureOf(await read(), 'checkout.incident.open', kind)).toBe(0);
});

test('sessions whose clicks expire are counted until a worker takes a later click', async () => {
  const expired = async () => figureOf(await read(), 'checkout.click.expired', inSandbox({}));
  const untaken = (checkoutId: string, secondsAgo: number) =>
    pool.transaction(async (tx) => {
      const claimId = randomUUID();
      const click = { claimId, checkoutId, methodType: 'card', methodToken: Buffer.of(1), email: null };
      await insertClick(tx, { ...click, address: Buffer.of(1) }, 30);
      await tx.query(sql.unsafe`
        update clicks set created_at = created_at - ${secondsAgo} * interval '1 second',
          not_after = not_after - ${secondsAgo} * interval '1 second' where claim_id = ${claimId}`);
      return claimId;
    });
  const [one, other, third] = [await newSession(), await newSession(), await newSession()];
  await pool.query(sql.unsafe`update payments set created_at = created_at - interval '2 minutes'`);
  await untaken(one, 20);
  expect(await expired()).toBe(0);
  await untaken(one, 40);
  const closed = await untaken(other, 40);
  expect(await expired()).toBe(2);
  await closeClick(pool, other, closed);
  expect(await expired()).toBe(1);
  await untaken(one, 90);
  await untaken(third, 301);
  expect(await expired()).toBe(1);
  const taken = await clickAccepted(pool, other);
  expect(await expired()).toBe(0);
  await pool.query(
    sql.unsafe`update payments set created_at = created_at - interval '1 minute' where id = ${taken}`,
  );
  expect(await expired()).toBe(1);
  // By the clock of a payment link's subscription.
  await pool.query(
    sql.unsafe`update payments set created_at = created_at + interval '1 year' where id = ${taken}`,
  );
  expect(await expired()).toBe(1);
});

test('the age of the oldest undelivered event is reported', async () => {
  const { id } = await createEndpoint(pool, shop);
  const checkoutId = await newSession();
  await answer(pool, checkoutId, await clickAccepted(pool, checkoutId), APPROVED);
  await pool.query(sql.unsafe`
    update deliveries set created_at = created_at - interval '1 hour', next_attempt_at = next_attempt_at - interval '10 minutes'
    where endpoint_id = ${id}`);
  await pool.query(sql.unsafe`
    update webhook_endpoints set failing_since = service_clock() where id = ${id}`);
  const figures = await read();
  expect(figureOf(figures, 'checkout.webhook.undelivered')).toBeGreaterThan(0);
  expect(figureOf(figures, 'checkout.webhook.undelivered.oldest.age')).toBeGreaterThan(3_500);
  expect(figureOf(figures, 'checkout.webhook.overdue.age')).toBeGreaterThan(500);
  expect(figureOf(figures, 'checkout.webhook.endpoints', inSandbox({ state: 'failing' }))).toBe(1);
});

test.each(['paused', 'disabled', 'deleted'])(
  'deliveries waiting for a %s endpoint are not late',
  async (status) => {
    const { id } = await createEndpoint(pool, shop);
    const checkoutId = await newSession();
    await answer(pool, checkoutId, await clickAccepted(pool, checkoutId), APPROVED);
    await pool.query(sql.unsafe`
    update deliveries set created_at = created_at - interval '9 hours', next_attempt_at = next_attempt_at - interval '9 hours'
    where endpoint_id = ${id}`);
    const late = async () => {
      const figures = await read();
      return ['checkout.webhook.undelivered.oldest.age', 'checkout.webhook.overdue.age'].map(
        (name) => (figureOf(figures, name) ?? 0) > 8 * 3_600,
      );
    };
    expect(await late()).toEqual([true, true]);
    // Deliveries can be waiting after a resend, or if an event commits just as the endpoint is paused.
    await pool.query(sql.unsafe`update webhook_endpoints set status = ${status} where id = ${id}`);
    expect(await late()).toEqual([false, false]);
  },
);

test('a disabled rail account counts as an incident until its merchant has an active account', async () => {
  const kind = inSandbox({ kind: 'rail_account_disabled' });
  const before = figureOf(await read(), 'checkout.incident.open', kind) ?? 0;
  await disableRefusedAccount(pool, shop.railAccountId);
  expect(figureOf(await read(), 'checkout.incident.open', kind)).toBe(before + 1);
  await pool.query(sql.unsafe`update rail_accounts set status = 'active' where id = ${shop.railAccountId}`);
});

test('finished sessions are not read for the figures', async () => {
  // One connection, so that its statistics are complete once it has flushed them.
  const one = await openPool({ url: database.url, maxConnections: 1 });
  try {
    await one.query(sql.unsafe`
      insert into checkouts (merchant_id, environment, customer_id, product_id, price_id, rail_account_id, amount, currency,
        terms, max_attempts, expires_at, state, finished_at, page_token, page_token_hash)
      select merchant_id, environment, customer_id, product_id, price_id, rail_account_id, amount, currency, terms,
        max_attempts, expires_at, 'succeeded', service_clock(), page_token, sha256(n::text::bytea)
      from checkouts cross join generate_series(1, 2000) n where id = (select min(id) from checkouts)`);
    await one.query(sql.unsafe`analyze checkouts`);
    const before = await rowsRead(one);
    await readBusinessFigures(one, { perMerchant: false });
    expect((await rowsRead(one)) - before).toBeLessThan(100);
    await one.query(sql.unsafe`select count(terms) from checkouts`);
    expect((await rowsRead(one)) - before).toBeGreaterThan(2_000);
  } finally {
    await one.end();
  }
});

async function rowsRead(one: Pool): Promise<number> {
  await one.query(sql.unsafe`select pg_stat_force_next_flush()`);
  return one.oneFirst(sql.type(z.object({ rows: z.number() }))`
    select (seq_tup_read + idx_tup_fetch)::int8 as rows from pg_stat_user_tables where relname = 'checkouts'`);
}
