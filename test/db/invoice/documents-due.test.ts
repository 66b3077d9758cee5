/** A document that cannot be written never prevents recording what happened to the money (rule 40). */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { afterCommits } from '../../../db/core/settlement.ts';
import { writeDocumentsDue } from '../../../db/invoice/documents-due.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { eventIdOf } from '../../../db/webhook/events.ts';
import { APPROVED, answer, clickAccepted } from '../../support/db/attempts.ts';
import { insertSession, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { driverOf, insertSubscription, invoicesOf } from '../../support/db/subscriptions.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let pool: Pool;
let shop: Shop;
/** What endpoints would be woken for. */
let committed: string[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  afterCommits(pool, (eventIds) => committed.push(...eventIds));
  await pool.query(sql.unsafe`
    create function refuse() returns trigger language plpgsql as
    $$ begin raise exception using errcode = '23514', message = 'refused', table = 'events', constraint = 'none'; end $$`);
});
afterAll(() => database?.close());
afterEach(async () => {
  await pool.query(sql.unsafe`drop trigger if exists refuse on events`);
  await pool.query(sql.unsafe`drop trigger if exists refuse on invoices`);
  await pool.query(sql.unsafe`drop trigger if exists refuse on orders`);
  await pool.query(sql.unsafe`delete from documents_due`);
});
beforeEach(async () => {
  shop = await insertShop(pool);
  await createEndpoint(pool, shop, { url: 'http://127.0.0.1:9/' });
});

/** Makes inserts of these types fail until `allow`. */
const refuseEvents = (...types: string[]) =>
  pool.query(sql.unsafe`
    create trigger refuse before insert on events for each row
    when (new.type = any (${sql.literalValue(`{${types.join(',')}}`)}::text[])) execute function refuse()`);
const allowEvents = () => pool.query(sql.unsafe`drop trigger refuse on events`);

const event = z.object({ id: z.string(), type: z.string(), body: z.string(), deliveries: z.number() });
const events = () =>
  pool.any(sql.type(event)`
    select id, type, body, (select count(*) from deliveries where event_id = e.id) as deliveries
    from events e where merchant_id = ${shop.merchantId} order by type`);
const due = () =>
  pool.any(sql.type(z.object({ kind: z.string(), reference: z.string(), error: z.string() }))`
    select kind, reference, error from documents_due where merchant_id = ${shop.merchantId} order by id`);
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

test('an event that cannot be written is written later, once, with its original id and body', async () => {
  await buy();
  const [model] = (await events()).filter(({ type }) => type === 'payment.succeeded');
  await refuseEvents('payment.succeeded');
  const { checkoutId, paymentId } = await buy();
  expect(await stateOf(checkoutId, paymentId)).toMatchObject({ checkout: 'succeeded', payment: 'succeeded' });
  expect((await events()).map(({ type }) => type)).toEqual([
    'invoice.created',
    'invoice.created',
    'payment.succeeded',
  ]);
  expect(await due()).toEqual([{ kind: 'event', reference: paymentId, error: '23514' }]);
  expect(await attention()).toMatchObject([{ kind: 'document_not_written', id: paymentId, amount: 1_900 }]);

  expect(await writeDocumentsDue(pool, 10)).toMatchObject([
    { reference: paymentId, refusedBy: { table: 'events', constraint: 'none' } },
  ]);
  const id = eventIdOf('payment.succeeded', paymentId, 2, 0);
  expect(committed).not.toContain(id);
  await allowEvents();
  committed = [];
  await Promise.all([writeDocumentsDue(pool, 10), writeDocumentsDue(pool, 10)]);
  expect(committed).toEqual([id]);
  const late = (await events()).find((each) => each.id === id);
  expect(late?.deliveries).toBe(1);
  const shape = (body = '') =>
    body.replaceAll(/(evt|ap_[a-z]+)_[0-9a-f]+|customer-[0-9a-f]+|\d{4}-[\d:TZ.-]+/g, '…');
  expect(shape(late?.body)).toBe(shape(model?.body));
  expect([await due(), await attention()]).toEqual([[], []]);
});

test('an invoice that cannot be issued follows with the original customer, the next number and its event', async () => {
  await buy();
  await pool.query(sql.unsafe`
    create trigger refuse before insert on invoices for each row execute function refuse()`);
  const { checkoutId, paymentId } = await buy();
  expect(await stateOf(checkoutId, paymentId)).toEqual({
    checkout: 'succeeded',
    payment: 'succeeded',
    invoice_id: null,
  });
  const told = (await events()).filter(({ type }) => type === 'payment.succeeded');
  expect(told.map(({ body }) => 'invoice' in JSON.parse(body)).sort()).toEqual([false, true]);
  expect(await due()).toEqual([{ kind: 'invoice', reference: paymentId, error: '23514' }]);

  await pool.query(sql.unsafe`drop trigger refuse on invoices`);
  await pool.query(
    sql.unsafe`update customers set name = 'Someone Else' where merchant_id = ${shop.merchantId}`,
  );
  committed = [];
  expect(await writeDocumentsDue(pool, 10)).toEqual([]);
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
  expect(await due()).toEqual([]);
});

test('a renewal is recorded as paid even if none of its events can be written', async () => {
  const id = await insertSubscription(pool, shop, shop.products.recurring);
  const driver = driverOf(pool, id, () => APPROVED);
  await refuseEvents('payment.succeeded', 'subscription.updated', 'invoice.created');
  const view = await driver.advance((await driver.view()).currentPeriodEnd ?? '');
  await allowEvents();
  expect(view).toMatchObject({ status: 'active', openPayment: null });
  expect((await invoicesOf(pool, id)).map(({ status }) => status)).toEqual(['created', 'created']);
  expect(await due()).toHaveLength(3);
  committed = [];
  expect(await writeDocumentsDue(pool, 10)).toEqual([]);
  expect(committed).toHaveLength(3);
});

test('a failure outside a document still rolls everything back', async () => {
  await pool.query(sql.unsafe`
    create trigger refuse before update on orders for each row execute function refuse()`);
  await expect(buy()).rejects.toThrow();
  expect([await events(), await due()]).toEqual([[], []]);
});
