/** An operator credits an invoice that was written off. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { creditByOperator } from '../../../db/subscription/credit-uncollectible.ts';
import { INVOICE_STATUSES } from '../../../domain/invoice/invoice.ts';
import { eventually } from '../../support/core/eventually.ts';
import { DECLINED } from '../../support/db/attempts.ts';
import { insertPurchase, insertShop, RECURRING, type Shop } from '../../support/db/fixtures.ts';
import { holdLock } from '../../support/db/hold-lock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { driverOf, insertPlan, insertSubscription, invoicesOf } from '../../support/db/subscriptions.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  shop = await insertShop(pool);
  await createEndpoint(pool, shop, { eventTypes: ['credit_note.created'] });
});
afterAll(() => database?.close());

const because = {
  actor: 'person:ada',
  requestId: 'req_1',
  reason: 'bad debt',
  evidence: 'letter of the court',
};
const credit = (invoiceId: string) => creditByOperator(pool, invoiceId, because);

const note = z.object({
  number: z.string(),
  reason: z.string(),
  amount: z.number(),
  payment_id: z.string().nullable(),
});
const notesOf = (invoiceId: string) =>
  pool.any(
    sql.type(
      note,
    )`select number, reason, amount, payment_id from credit_notes where invoice_id = ${invoiceId}`,
  );
const auditOf = (invoiceId: string) =>
  pool.anyFirst(sql.type(z.object({ entry: z.unknown() }))`
    select to_jsonb(a) as entry from audit_log a where subject_id = ${invoiceId}`);

/** The last invoice of a subscription that ended after declined charges. */
async function writtenOff(): Promise<string> {
  const plan = await insertPlan(pool, shop.merchantId, null, RECURRING);
  const subscriptionId = await insertSubscription(pool, shop, plan);
  const driver = driverOf(pool, subscriptionId, () => DECLINED);
  const { currentPeriodEnd } = await driver.view();
  await driver.advance(new Date(Date.parse(currentPeriodEnd ?? '') + 40 * 86_400_000).toISOString());
  const last = (await invoicesOf(pool, subscriptionId)).at(-1);
  expect(last?.status).toBe('uncollectible');
  return last?.id ?? '';
}

test('an uncollectible invoice is credited once, even under two concurrent requests', async () => {
  const invoiceId = await writtenOff();
  // Neither request can write its credit note before both have begun.
  const release = await holdLock(pool, sql.fragment`merchants where id = ${shop.merchantId}`);
  const asked = [credit(invoiceId), credit(invoiceId)];
  const waiting = sql.type(z.object({ count: z.number() }))`
    select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  await eventually(async () => expect(await pool.oneFirst(waiting)).toBe(2));
  await release();
  const answers = await Promise.all(asked);
  const [issued, ...more] = await notesOf(invoiceId);
  expect(more).toEqual([]);
  expect(issued).toMatchObject({ reason: 'uncollectible', amount: RECURRING.amount, payment_id: null });
  expect(issued?.number).toMatch(/CN-\d{4}-000001$/);
  expect(answers).toEqual(
    expect.arrayContaining([{ kind: 'credited', number: issued?.number }, { kind: 'credited_before' }]),
  );
  const { actor, requestId, ...words } = because;
  expect(await auditOf(invoiceId)).toMatchObject([
    {
      merchant_id: shop.merchantId,
      environment: shop.environment,
      actor,
      action: 'invoice.credit',
      request_id: requestId,
      after: { ...words, credit_note: issued?.number },
    },
  ]);
  const sent = await pool.anyFirst(sql.type(z.object({ body: z.unknown() }))`
    select e.body::jsonb as body from events e join deliveries d on d.event_id = e.id
    where e.type = 'credit_note.created' and e.body::jsonb -> 'credit_note' ->> 'invoice_id' = ${invoiceId}`);
  expect(sent).toMatchObject([
    { subscription: { status: 'cancelled' }, payment: null, credit_note: { reason: 'uncollectible' } },
  ]);
});

test.each(INVOICE_STATUSES.filter((status) => status !== 'uncollectible'))(
  'an invoice that is %s is not credited',
  async (status) => {
    const { invoiceId } = await insertPurchase(pool, shop, shop.products.recurring, { recurring: true });
    await pool.query(sql.unsafe`update invoices set status = ${status} where id = ${invoiceId}`);
    expect(await credit(invoiceId)).toEqual({ kind: 'not_uncollectible', status });
    expect([await notesOf(invoiceId), await auditOf(invoiceId)]).toEqual([[], []]);
  },
);

test('an invoice without a subscription is not credited', async () => {
  const { invoiceId } = await insertPurchase(pool, shop, shop.products.oneTime);
  expect(await credit(invoiceId)).toEqual({ kind: 'not_uncollectible', status: 'created' });
});
