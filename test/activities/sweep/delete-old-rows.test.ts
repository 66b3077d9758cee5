/** Rows that the sweep deletes after their retention, and rows that it never deletes. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import { z } from 'zod';
import type { ActivityDeps } from '../../../activities/core/deps.ts';
import { deleteOld } from '../../../activities/sweep/delete-old-rows.ts';
import { createSweepActivities } from '../../../activities/sweep/sweep.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { expireSession } from '../../../db/session/session-commands.ts';
import { LEAST_RETENTION, type Retention } from '../../../domain/core/retention.ts';
import { APPROVED, answer, clickAccepted, DECLINED, letExpire } from '../../support/db/attempts.ts';
import { insertSession, insertShop, type Shop, testSecretBox } from '../../support/db/fixtures.ts';
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

test('a sweep deletes keys older than 30 days, except those of money movements', async () => {
  const insert = (key: string, days: number, keepForEver: boolean) =>
    pool.query(sql.unsafe`
      insert into idempotency_keys (scope, key, method, path, body_hash, lease_until, keep_for_ever, created_at)
      values ('merchant:m:sandbox', ${key}, 'POST', '/', ${sql.binary(Buffer.alloc(32))}, service_clock() - interval '1 second',
        ${keepForEver}, service_clock() - ${days} * interval '1 day')`);
  await insert('old', 31, false);
  await insert('old refund', 400, true);
  await insert('young', 29, false);
  // Temporal is unreachable: any other due chore would call it after the test has ended.
  const connection = Connection.lazy({ address: '127.0.0.1:1', interceptors: [] });
  const client = new Client({ connection });
  const deps = {
    pool,
    client,
    secretBox: testSecretBox,
    logger: pino({ level: 'silent' }),
  } as unknown as ActivityDeps;
  await createSweepActivities(deps).sweepOnce();
  await connection.close();
  const left = await pool.anyFirst(sql.type(z.object({ key: z.string() }))`
    select key from idempotency_keys order by key`);
  expect(left).toEqual(['old refund', 'young']);
});

const NEVER = Object.fromEntries(
  Object.keys(LEAST_RETENTION).map((kind) => [kind, 36_500]),
) as unknown as Retention;
/** Backdates every row of these kinds. */
const forget = (kinds: Partial<Retention>) =>
  deleteOld({ pool, retention: { ...NEVER, ...kinds } } as unknown as ActivityDeps);

const count = (table: string, id: string, column = 'id') =>
  pool.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*) from ${sql.identifier([table])} where ${sql.identifier([column])} = ${id}`);
const customerOf = (id: string) =>
  pool.oneFirst(
    sql.type(z.object({ id: z.string() }))`select customer_id as id from checkouts where id = ${id}`,
  );

async function newSession(externalCustomerId: string | null = null): Promise<string> {
  const { id } = await insertSession(pool, shop, shop.products.oneTime, { externalCustomerId });
  return id;
}

async function expired(id: string): Promise<string> {
  await letExpire(pool, id);
  await expireSession(pool, id);
  return id;
}

describe('abandoned sessions', () => {
  test('are deleted with their customer if the customer has no other data', async () => {
    const abandoned = await expired(await newSession());
    const customer = await customerOf(abandoned);
    await forget({ abandonedSessions: 1 });
    expect(await count('checkouts', abandoned)).toBe(1);
    await forget({ abandonedSessions: 0 });
    expect(await count('checkouts', abandoned)).toBe(0);
    expect(await count('customers', customer)).toBe(0);
  });

  test('are deleted without their customer if the customer has returned', async () => {
    const abandoned = await expired(await newSession('came-back'));
    const open = await newSession('came-back');
    await forget({ abandonedSessions: 0 });
    expect(await count('checkouts', abandoned)).toBe(0);
    expect(await count('checkouts', open)).toBe(1);
    expect(await count('customers', await customerOf(open))).toBe(1);
  });

  test('are kept if their charge was lost in a restore and awaits an operator', async () => {
    const lost = await expired(await newSession());
    await pool.query(sql.unsafe`
      insert into restore_findings (epoch, rail_account_id, kind, reference, merchant_id, environment, outcome, amount,
        currency, at, owner_id, state)
      select 7, rail_account_id, 'charge', 'ap_pay_lost', merchant_id, environment, 'approved', amount, currency,
        created_at, id, 'person' from checkouts where id = ${lost}`);
    await forget({ abandonedSessions: 0 });
    expect(await count('checkouts', lost)).toBe(1);
  });

  test('are kept if they have an attempt with any outcome', async () => {
    const declined = await newSession();
    await answer(pool, declined, await clickAccepted(pool, declined), DECLINED);
    await expired(declined);
    const paid = await newSession();
    await answer(pool, paid, await clickAccepted(pool, paid), APPROVED);
    await forget({ abandonedSessions: 0 });
    for (const id of [declined, paid]) {
      expect(await count('checkouts', id)).toBe(1);
      expect(await count('payments', id, 'checkout_id')).toBe(1);
    }
  });

  test('are kept while a restored database has not been compared', async () => {
    const abandoned = await expired(await newSession());
    await pool.query(sql.unsafe`update ledger_copy set fenced_at = service_clock()`);
    await forget({ abandonedSessions: 0 });
    await pool.query(sql.unsafe`update ledger_copy set fenced_at = null`);
    expect(await count('checkouts', abandoned)).toBe(1);
    await forget({ abandonedSessions: 0 });
    expect(await count('checkouts', abandoned)).toBe(0);
  });

  test('are all deleted, even if they exceed one batch', async () => {
    await pool.query(sql.unsafe`
      insert into checkouts (merchant_id, environment, customer_id, product_id, price_id, rail_account_id, amount, currency,
        terms, max_attempts, state, failure_reason, expires_at, finished_at, page_token, page_token_hash, merchant_reference)
      select merchant_id, environment, customer_id, product_id, price_id, rail_account_id, amount, currency, terms, 5,
        'failed', 'expired', expires_at, service_clock(), page_token, sha256(n::text::bytea), 'a heap'
      from generate_series(1, 1200) n, (select * from checkouts where id = ${await newSession()}) c`);
    await forget({ abandonedSessions: 0 });
    expect(await count('checkouts', 'a heap', 'merchant_reference')).toBe(0);
  });
});

test('clicks are deleted once their session has ended, and their payment is kept', async () => {
  const [paid, open] = [await newSession(), await newSession()];
  const paymentId = await clickAccepted(pool, paid);
  await answer(pool, paid, paymentId, APPROVED);
  await clickAccepted(pool, open);
  await forget({ clicks: 1 });
  expect(await count('clicks', paid, 'checkout_id')).toBe(1);
  await forget({ clicks: 0 });
  expect(await count('clicks', paid, 'checkout_id')).toBe(0);
  expect(await count('payments', paymentId)).toBe(1);
  expect(await count('clicks', open, 'checkout_id')).toBe(1);
});

test('applied rail webhooks are deleted by age, except those about failed returns, which are counted', async () => {
  await pool.query(sql.unsafe`
    insert into rail_webhooks (rail_account_id, rail_event_id, hint, reference, received_at, applied_at)
    select ${shop.railAccountId}, id, hint, reference, service_clock() - days * interval '1 day', applied
    from (values ('old', 'approved', null, 20, service_clock()), ('young', 'approved', null, 5, service_clock()),
      ('unjudged', 'approved', null, 20, null), ('old failure', 'refund_failed', 'ap_ref_1', 20, service_clock()),
      ('failed return', 'refund_failed', 'ap_pay_1-return', 20, service_clock())
    ) n (id, hint, reference, days, applied)`);
  await forget({ railWebhooks: 14 });
  expect(
    await pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    select rail_event_id as id from rail_webhooks order by id`),
  ).toEqual(['failed return', 'unjudged', 'young']);
});

test('rail answers, policy reports and audit rows are deleted by age, the oldest first', async () => {
  await pool.query(sql.unsafe`
    insert into rail_answers (at, rail_account_id, rail, environment, reference, operation, outcome, took_ms, is_attempt)
    select service_clock() - days * interval '1 day', 'a', 'sandbox', 'sandbox', 'r' || days, 'authorize', 'approved', 1, true
    from unnest(array[100, 91, 89]) days`);
  await pool.query(sql.unsafe`
    insert into policy_reports (day, document, directive, blocked)
    select current_date - days, 'page', 'script-src', 'inline' from unnest(array[500, 399]) days`);
  await pool.query(sql.unsafe`
    insert into audit_log (at, actor, action, subject_id)
    select service_clock() - days * interval '1 day', 'operator:eva', 'test', 'of-' || days from unnest(array[800, 700]) days`);
  await pool.query(sql.unsafe`
    insert into resolve_requests (id, subject_id, outcome, operator, reason, evidence, answered_at)
    values ('ap_res_00', 's', 'failed', 'eva', 'r', 'e', service_clock()), ('ap_res_01', 's', 'failed', 'eva', 'r', 'e', null)`);
  await forget({ railAnswers: 90, policyReports: 400, audit: 730 });
  const texts = (query: ReturnType<typeof sql.fragment>) =>
    pool.anyFirst(sql.type(z.object({ text: z.string() }))`select text from (${query}) t order by text`);
  expect(await texts(sql.fragment`select reference as text from rail_answers`)).toContain('r89');
  expect(
    await texts(sql.fragment`select reference as text from rail_answers where reference in ('r91', 'r100')`),
  ).toEqual([]);
  expect(await texts(sql.fragment`select (current_date - day)::text as text from policy_reports`)).toEqual([
    '399',
  ]);
  expect(await texts(sql.fragment`select subject_id as text from audit_log where action = 'test'`)).toEqual([
    'of-700',
  ]);
  expect(await texts(sql.fragment`select id as text from resolve_requests`)).toEqual(['ap_res_01']);
});

test('if one kind of row cannot be deleted, the other kinds still are, and the round fails', async () => {
  await pool.query(sql.unsafe`
    insert into audit_log (at, actor, action, subject_id)
    values (service_clock() - interval '700 days', 'operator:eva', 'test', 'of-a-failing-round')`);
  // NaN days make the first kind fail.
  await expect(forget({ abandonedSessions: Number.NaN, audit: 600 })).rejects.toThrow(AggregateError);
  expect(await count('audit_log', 'of-a-failing-round', 'subject_id')).toBe(0);
});
