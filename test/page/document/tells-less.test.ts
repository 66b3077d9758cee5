/** A finished session's page shows less once an hour has passed. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { addAttempt, createSession, moveTo, type TestSession } from '../core/fixtures.ts';
import { type ServedPage, servePage } from '../core/serve.ts';
import { createMethodChangeSession } from './method-change-session.ts';

const WITH_TOKEN = 'https://shop.example/thanks?order-token=canary-token';
let database: TestDatabase;
let served: ServedPage;

beforeAll(async () => {
  database = await createTestDatabase();
  served = await servePage({ databaseUrl: database.url });
});
afterAll(async () => {
  await served.close();
  await database.drop();
});

const purchase = () =>
  createSession(served.pool, {
    email: 'canary@example.com',
    preselectedMethod: 'card',
    successUrl: WITH_TOKEN,
    failUrl: WITH_TOKEN,
  });
const methodChange = async () => createMethodChangeSession(served.pool, {});

async function ended(session: TestSession, state: 'succeeded' | 'failed', minutesAgo: number): Promise<void> {
  const payment = await addAttempt(served.pool, session, {
    status: state,
    challengeUrl: 'https://bank.example/canary-token',
  });
  await served.pool.query(sql.unsafe`
    update payments set payment_method = '{ "type": "card", "brand": "visa", "last4": "canary" }' where id = ${payment}`);
  if (state === 'succeeded') await insertSale(session);
  await moveTo(served.pool, session, state, state === 'failed' ? 'expired' : null);
  await served.pool.query(sql.unsafe`
    update checkouts set finished_at = service_clock() - ${minutesAgo} * interval '1 minute' where id = ${session.id}`);
}

/** An order with its invoice. */
async function insertSale({ id }: TestSession): Promise<void> {
  await served.pool.query(sql.unsafe`
    with sold as (
      insert into orders (merchant_id, environment, checkout_id, customer_id, source, line_items, amount, currency)
      select merchant_id, environment, id, customer_id, 'checkout', '[]', amount, currency from checkouts where id = ${id}
      returning *
    )
    insert into invoices (merchant_id, environment, customer_id, order_id, number, status, amount, amount_due, currency,
      customer, supplier, line_items, pdf_token)
    select merchant_id, environment, customer_id, id, id, 'created', amount, 0, currency, '{}', '{}', '[]',
      'canary-' || id from sold`);
}

async function shown({ pageToken }: TestSession) {
  const page = await fetch(`${served.url}/pay/${pageToken}`, { headers: { accept: 'text/html' } });
  const state = await fetch(`${served.url}/pay/${pageToken}/state`);
  expect([page.status, state.status]).toEqual([200, 200]);
  return { html: await page.text(), text: await state.clone().text(), view: await state.json() };
}

describe.each(['succeeded', 'failed'] as const)('a session that has %s', (state) => {
  test('shows card, email and invoice, and links back to its shop, for an hour after its end', async () => {
    const session = await purchase();
    await ended(session, state, 59);
    const { view } = await shown(session);
    expect(view).toMatchObject({
      state,
      redirect: { url: WITH_TOKEN },
      preselectedMethod: 'card',
      receipt: { card: { brand: 'visa', last4: 'canary' } },
    });
    if (state !== 'succeeded') return;
    const invoice = expect.stringMatching(/\/invoices\/canary-ap_ord_\w+\.pdf$/);
    expect(view.receipt).toMatchObject({ email: 'canary@example.com', invoiceUrl: invoice });
  });

  test('shows only its state, without method, address or URL with a token, from an hour after its end', async () => {
    const session = await purchase();
    await ended(session, state, 61);
    const { html, text, view } = await shown(session);
    expect(view).toMatchObject({
      state,
      redirect: null,
      preselectedMethod: null,
      methods: [],
      challenge: null,
    });
    expect(text + html).not.toContain('canary');
    if (state === 'succeeded') expect(html).toContain('This is already paid');
  });
});

test('a method change shows the former card for only an hour', async () => {
  const session = await methodChange();
  const before = await shown(session);
  expect(before.view.methodChange.current.last4).toMatch(/^\d{4}$/);
  await ended(session, 'succeeded', 61);
  const { html, text, view } = await shown(session);
  expect(view).toMatchObject({ redirect: null, methodChange: { current: null } });
  expect(text + html).not.toContain(before.view.methodChange.current.last4);
});
