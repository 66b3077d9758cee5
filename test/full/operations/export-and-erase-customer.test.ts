/**
 * A customer who bought, was declined and subscribed, all through the public interface; then every column of every
 * table is searched for the personal data.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { openTemporal } from '../../../platform/temporal/client.ts';
import { payAsBuyer } from '../../../sandbox/buyer/buyer.ts';
import { eventually } from '../../support/core/eventually.ts';
import { BARE_ENV } from '../../support/stack/process.ts';
import { startStack, type TestStack } from '../../support/stack/stack.ts';

const PERSON = {
  externalCustomerId: 'shop-user-zebra-4711',
  customer: {
    email: 'prefilled.zebra@example.com',
    name: 'Zelda Zebrafink',
    billingDetails: { line1: 'Zebrastreifen 12', city: 'Zebrahausen', postal_code: '20457', country: 'DE' },
    tax: { value: 'DE999888777', type: 'eu_vat' },
  },
  successUrl: 'https://shop.example/thanks?user=zebra-token',
};
const TYPED = 'typed.zebra@example.com';
const SEARCHED = ['zebra', 'Zebra', 'DE999888777'];

let stack: TestStack;
let pool: Pool;
let customerId: string;
let subscriptionId: string;

beforeAll(async () => {
  stack = await startStack({ parts: ['rail', 'shop', 'api', 'worker', 'identity'] });
  pool = await openPool({ url: stack.databaseUrl });
});
afterAll(async () => {
  await pool?.end();
  await stack?.stop();
});

async function buy(productId: string, card: string, person: object = PERSON): Promise<string> {
  const { id, hostedUrl } = await stack.createCheckout(productId, {
    ...person,
    merchantReference: 'order-1',
  });
  await payAsBuyer({ hostedUrl, card, email: TYPED });
  return id;
}

function ops(...args: readonly string[]) {
  const env = {
    ...BARE_ENV,
    DATABASE_URL: stack.databaseUrl,
    SECRETS_KEY: stack.secretsKey,
    TEMPORAL_ADDRESS: stack.temporal.address,
    TEMPORAL_NAMESPACE: stack.temporal.namespace,
  };
  const run = promisify(execFile)(process.execPath, ['bin/ops.ts', ...args], { env });
  return run.then(({ stdout }) => ({ code: 0, stdout, stderr: '' })).catch((error) => error);
}

/** The tables with a row that contains a word of the person, bytes included. */
async function tablesWithPerson(): Promise<readonly string[]> {
  const tables = await pool.anyFirst(sql.type(z.object({ name: z.string() }))`
    select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE' order by 1`);
  const found: string[] = [];
  for (const name of tables) {
    const count = await pool.oneFirst(sql.type(z.object({ count: z.int() }))`
      select count(*)::int4 as count from ${sql.identifier([name])} t
      where exists (
        select from unnest(${sql.array(SEARCHED, 'text')}) word
        where strpos(t::text, word) > 0 or strpos(t::text, encode(convert_to(word, 'UTF8'), 'hex')) > 0
      )`);
    if (count > 0) found.push(name);
  }
  return found;
}

test('an export is complete; an erasure waits for open payments and leaves only issued documents', async () => {
  const { oneTime, recurring } = stack.products;
  const paid = await buy(oneTime, '4242424242424242');
  // The request has no email, so the page asks for one.
  await buy(oneTime, '4000000000000002', { externalCustomerId: PERSON.externalCustomerId });
  const subscribed = await buy(recurring, '4242424242424242');
  subscriptionId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from subscriptions where checkout_id = ${subscribed}`);
  await changeMethod();
  await changeMethodByLink();
  customerId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select customer_id as id from checkouts where id = ${paid}`);
  await refundOf(paid, 'Ms Zebra changed her mind');
  await keepAnswerOfPerson();
  await eventually(async () => {
    const waiting = await pool.oneFirst(sql.type(z.object({ count: z.int() }))`
      select count(*)::int4 as count from deliveries where status = 'pending'`);
    expect(waiting).toBe(0);
  }, 30_000);
  const before = await tablesWithPerson();
  expect(before).toEqual(expect.arrayContaining(['checkouts', 'customers', 'events', 'invoices', 'clicks']));

  const exported = await ops('export-customer', customerId, '--reason', 'request 17');
  const told = JSON.parse(exported.stdout);
  expect(told.customer.name).toBe(PERSON.customer.name);
  expect([told.sessions.length, told.subscriptions.length, told.invoices.length]).toEqual([5, 1, 2]);
  const cards = told.payments.map((payment: Card) => payment.payment_method?.last4);
  expect(cards).toEqual(expect.arrayContaining(['4242', '4444']));
  expect(told.refunds).toMatchObject([{ reason: 'Ms Zebra changed her mind' }]);
  expect(told.clicks.map(({ email }: { email: string }) => email)).toContain(TYPED);

  const early = await ops('erase-customer', customerId, '--reason', 'request 17', '--yes');
  expect(early).toMatchObject({ code: 1, stderr: expect.stringContaining('Still open: ') });
  expect(await tablesWithPerson()).toEqual(before);

  const cancelled = await endEverything();
  expect(JSON.parse(cancelled).customer).toEqual({
    id: customerId,
    email: TYPED,
    name: PERSON.customer.name,
  });
  expect(await cancel()).toBe(cancelled);
  expect(await tablesWithPerson()).toContain('idempotency_keys');
  await keepSealedAnswer();
  const erased = await ops('erase-customer', customerId, '--reason', 'request 17', '--yes', '--json');
  expect(erased).toMatchObject({ code: 0 });
  expect(JSON.parse(erased.stdout)).toMatchObject({ invoices_kept: 2 });
  expect(await tablesWithPerson()).toEqual(['credit_notes', 'invoices']);
  expect(JSON.parse(await cancel())).toEqual({
    ...JSON.parse(cancelled),
    customer: { id: customerId, email: null, name: null },
  });
  expect(await sealedAnswers()).toBe(0);
  expect(await asked()).toEqual([{ return_origin: 'https://shop.example' }]);
  const settled = await pool.anyFirst(sql.type(z.object({ status: z.string() }))`
    select p.status from payments p join orders o on o.id = p.order_id
    where o.customer_id = ${customerId} and p.status in ('succeeded', 'partially_refunded') order by 1`);
  expect(settled).toEqual(['partially_refunded', 'succeeded']);
  const audited = await pool.anyFirst(sql.type(z.object({ action: z.string() }))`
    select action from audit_log where subject_id = ${customerId} order by id`);
  expect(audited).toEqual(['customer.exported', 'customer.erased']);
});

test('erasing again changes nothing, and the merchant may sell to the same person as a new customer', async () => {
  const again = await ops('erase-customer', customerId, '--reason', 'again', '--yes', '--json');
  expect(JSON.parse(again.stdout)).toMatchObject({ events: 0, invoices_kept: 2 });
  const { id } = await stack.createCheckout(stack.products.oneTime, PERSON);
  const customer = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select customer_id as id from checkouts where id = ${id}`);
  expect(customer).not.toBe(customerId);
});

interface Card {
  readonly payment_method: { readonly last4: string } | null;
}

/** Refunds part of the payment, with a reason in the merchant's own words. */
async function refundOf(checkoutId: string, reason: string): Promise<void> {
  const paymentId = await pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from payments where checkout_id = ${checkoutId} and status = 'succeeded'`);
  await pool.query(sql.unsafe`
    update rail_accounts set capabilities = jsonb_set(capabilities, '{refunds}', 'true')
    where id = (select rail_account_id from payments where id = ${paymentId})`);
  const response = await fetch(`${stack.apiUrl}/v1/refunds`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${stack.merchant.apiKey}`,
      'content-type': 'application/json',
      'idempotency-key': `refund-${checkoutId}`,
    },
    body: JSON.stringify({ paymentId, amount: 100, reason }),
  });
  expect(response.status).toBe(201);
  await eventually(async () =>
    expect(
      await pool.anyFirst(sql.unsafe`select status from refunds where payment_id = ${paymentId}`),
    ).toEqual(['succeeded']),
  );
}

/** Stores the same response under a person's idempotency key, whose scope and path differ from the merchant's. */
async function keepAnswerOfPerson(): Promise<void> {
  await pool.query(sql.unsafe`
    insert into idempotency_keys
      (scope, key, operation_id, method, path, body_hash, lease_until, keep_for_ever, answer)
    select 'merchant:' || m.id || ':people', 'of a person', new_id('op_'), k.method,
      '/v1/merchants/' || m.id || '/refunds', k.body_hash, k.lease_until, true, k.answer
    from idempotency_keys k join merchants m on k.scope like 'merchant:' || m.id || ':%'
    where k.path = '/v1/refunds'`);
}

/** Stores the response to another command, encrypted because it contains a page's address. */
async function keepSealedAnswer(): Promise<void> {
  await pool.query(sql.unsafe`
    insert into idempotency_keys (scope, key, operation_id, method, path, body_hash, lease_until, answer)
    select scope, 'sealed', new_id('op_'), method, path, body_hash, lease_until,
      answer - 'body' || '{"sealedBody": "c2VhbGVk"}' from idempotency_keys
    where path like '%/commands' and key = 'commands'`);
  expect(await sealedAnswers()).toBe(1);
}

const sealedAnswers = () =>
  pool.oneFirst(sql.type(z.object({ count: z.int() }))`
    select count(*)::int4 as count from idempotency_keys where path like '%/commands' and answer ? 'sealedBody'`);

/** The buyer of the session replaces the card of the subscription: a payment without an order. */
async function changeMethod(): Promise<void> {
  const response = await fetch(`${stack.apiUrl}/v1/payment-methods/change`, {
    method: 'POST',
    headers: { authorization: `Bearer ${stack.merchant.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...PERSON,
      customer: { email: TYPED },
      failUrl: PERSON.successUrl,
      subscriptionId,
    }),
  });
  const { hostedUrl } = (await response.json()) as { readonly hostedUrl: string };
  const { report } = await payAsBuyer({ hostedUrl, card: '5555555555554444', email: TYPED });
  expect(report.state).toBe('succeeded');
}

/**
 * The commands of the merchant's owner on the subscription in the dashboard.
 * @returns the response's text
 */
async function asOwner(what: string, body: object): Promise<string> {
  const response = await fetch(
    `${stack.apiUrl}/v1/merchants/${stack.merchant.id}/subscriptions/${subscriptionId}/${what}`,
    {
      method: 'POST',
      headers: {
        authorization: `Bearer ${await stack.ownerToken()}`,
        'content-type': 'application/json',
        'idempotency-key': what,
      },
      body: JSON.stringify(body),
    },
  );
  expect(response.ok).toBe(true);
  return response.text();
}

/** The buyer replaces the card again, with a link of the owner. */
async function changeMethodByLink(): Promise<void> {
  const { url } = JSON.parse(await asOwner('method-change', { return_url: PERSON.successUrl }));
  const { report } = await payAsBuyer({ hostedUrl: url, card: '5555555555554444', email: TYPED });
  expect(report.state).toBe('succeeded');
  expect(await asked()).toEqual([{ return_origin: 'https://shop.example' }]);
}

const asked = () =>
  pool.anyFirst(sql.type(z.object({ after: z.unknown() }))`
    select after from audit_log
    where action = 'subscription.method_change_requested' and subject_id = ${subscriptionId} order by id`);

const cancel = () => asOwner('commands', { command: 'cancel', at_period_end: false });

/**
 * The declined session is cancelled as if by an operator, and the subscription by a person of its merchant.
 * @returns the response to that person
 */
async function endEverything(): Promise<string> {
  const open = await pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    select id from checkouts where customer_id = ${customerId} and state not in ('succeeded', 'failed')`);
  const client = openTemporal(stack.temporal);
  for (const id of open)
    await client.workflow.getHandle(id).executeUpdate('cancel', { args: [{ what: 'session' }] });
  await client.connection.close();
  const answer = await cancel();
  await eventually(async () => {
    const left = await pool.oneFirst(sql.type(z.object({ count: z.int() }))`
      select (select count(*) from subscriptions where customer_id = ${customerId} and status not in ('cancelled', 'expired'))::int4
        + (select count(*) from checkouts where customer_id = ${customerId} and state not in ('succeeded', 'failed'))::int4
        as count`);
    expect(left).toBe(0);
  }, 30_000);
  return answer;
}
