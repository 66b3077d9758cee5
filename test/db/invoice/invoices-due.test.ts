/** A payment is recorded even if its invoice cannot be issued (rule 40). */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { issueInvoicesDue } from '../../../db/invoice/invoices-due.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { onEvents } from '../../../db/webhook/events.ts';
import { APPROVED, answer, clickAccepted } from '../../support/db/attempts.ts';
import { insertSession, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { holdLock, invoiceCounterOf } from '../../support/db/hold-lock.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
/** The events that would signal an endpoint. */
let committed: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  onEvents(pool, (eventIds) => committed.push(...eventIds));
  await pool.query(sql.unsafe`
    create function refuse() returns trigger language plpgsql as
    $$ begin raise exception using errcode = tg_argv[0], message = 'refused', table = 'invoices', constraint = 'none'; end $$`);
});
afterAll(() => database?.close());
afterEach(async () => {
  await pool.query(sql.unsafe`drop trigger if exists refuse on events`);
  await pool.query(sql.unsafe`drop trigger if exists refuse on invoices`);
  await pool.query(sql.unsafe`drop trigger if exists refuse on orders`);
  await pool.query(sql.unsafe`delete from invoices_due`);
});
beforeEach(async () => {
  shop = await insertShop(pool);
  await createEndpoint(pool, shop, { url: 'http://127.0.0.1:9/' });
});

const WRITES = {
  invoices: sql.fragment`insert on invoices`,
  events: sql.fragment`insert on events`,
  orders: sql.fragment`update on orders`,
};
/** Makes the write fail until `allow` is called. */
const refuse = (write: keyof typeof WRITES, code = '23514') =>
  pool.query(sql.unsafe`
    create trigger refuse before ${WRITES[write]} for each row execute function refuse(${sql.literalValue(code)})`);
const allow = () => pool.query(sql.unsafe`drop trigger refuse on invoices`);

const event = z.object({ id: z.string(), type: z.string(), body: z.string(), deliveries: z.number() });
const events = () =>
  pool.any(sql.type(event)`
    select id, type, body, (select count(*) from deliveries where event_id = e.id) as deliveries
    from events e where merchant_id = ${shop.merchantId} order by type`);
const due = () =>
  pool.any(sql.type(z.object({ payment_id: z.string(), error: z.string() }))`
    select payment_id, error from invoices_due where merchant_id = ${shop.merchantId}`);
const attention = async () =>
  (await listIncidents(pool)).filter(({ merchant_id }) => merchant_id === shop.merchantId);

async function buy(): Promise<{ readonly checkoutId: string; readonly paymentId: string }> {
  const checkoutId = (await insertSession(pool, shop, shop.products.oneTime)).id;
  const paymentId = await clickAccepted(pool, checkoutId);
  await answer(pool, checkoutId, paymentId, APPROVED);
  return { checkoutId, paymentId };
}
const stateOf = (checkoutId: string, paymentId: string) =>
  pool.one(sql.type(
    z.object({ checkout: z.string(), payment: z.string(), invoice_id: z.string().nullable() }),
  )`
    select c.state as checkout, p.status as payment, p.invoice_id
    from checkouts c, payments p where c.id = ${checkoutId} and p.id = ${paymentId}`);

test('an invoice that could not be issued is issued later with the original customer, the next number and its event', async () => {
  await buy();
  await refuse('invoices');
  const { checkoutId, paymentId } = await buy();
  expect(await stateOf(checkoutId, paymentId)).toEqual({
    checkout: 'succeeded',
    payment: 'succeeded',
    invoice_id: null,
  });
  const told = (await events()).filter(({ type }) => type === 'payment.succeeded');
  expect(told.map(({ body }) => 'invoice' in JSON.parse(body)).sort()).toEqual([false, true]);
  expect(await due()).toEqual([{ payment_id: paymentId, error: '23514' }]);
  expect(await attention()).toMatchObject([{ kind: 'invoice_not_issued', id: paymentId, amount: 1_900 }]);
  expect(await issueInvoicesDue(pool, 10)).toMatchObject([
    { paymentId, refusedBy: { table: 'invoices', constraint: 'none' } },
  ]);

  await allow();
  await pool.query(
    sql.unsafe`update customers set name = 'Someone Else' where merchant_id = ${shop.merchantId}`,
  );
  committed = [];
  expect(await Promise.all([issueInvoicesDue(pool, 10), issueInvoicesDue(pool, 10)])).toEqual([[], []]);
  expect(committed).toHaveLength(1);
  const { invoice_id } = await stateOf(checkoutId, paymentId);
  const issued = await pool.one(sql.type(
    z.object({ number: z.string(), name: z.string().nullable(), after: z.boolean() }),
  )`
    select number, customer ->> 'name' as name, issued_at > supplied_at as after
    from invoices where id = ${invoice_id}`);
  expect(issued).toEqual({ number: expect.stringMatching(/-000002$/), name: null, after: true });
  const created = (await events()).filter(({ type }) => type === 'invoice.created');
  expect(created.map(({ body }) => JSON.parse(body).invoice.id)).toContain(invoice_id);
  expect([await due(), await attention()]).toEqual([[], []]);
});

test('a purchase waits a second for a locked invoice counter; a sweep waits for it only once', async () => {
  await buy();
  const unlock = await holdLock(pool, invoiceCounterOf(shop.merchantId));
  try {
    const begun = performance.now();
    const bought = [await buy(), await buy()];
    // PostgreSQL's own statement time-out is ten seconds.
    expect(performance.now() - begun).toBeLessThan(15_000);
    const ids = bought.map(({ paymentId }) => paymentId);
    expect((await due()).map(({ payment_id }) => payment_id).sort()).toEqual(ids.sort());
    expect(await issueInvoicesDue(pool, 10)).toMatchObject([{ error: '55P03' }]);
  } finally {
    await unlock();
  }
  expect(await issueInvoicesDue(pool, 10)).toEqual([]);
  expect(await due()).toEqual([]);
});

test.each<[string, keyof typeof WRITES, string]>([
  ['an order that cannot be updated', 'orders', '23514'],
  ['an event that cannot be written', 'events', '23514'],
  ['an invoice, while PostgreSQL is shutting down,', 'invoices', '57P01'],
])('%s rolls the whole transaction back', async (_, write, code) => {
  await refuse(write, code);
  await expect(buy()).rejects.toThrow();
  expect([await events(), await due()]).toEqual([[], []]);
});
