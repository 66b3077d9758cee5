/** A copy of the database does not reveal the tokens in hosted pages' addresses. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { createSandboxRail } from '../../../rail/sandbox/index.ts';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertStorefrontClient } from '../../support/db/fixtures.ts';
import { insertSubscription } from '../../support/db/subscriptions.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const CHALLENGE = '4000002760003184';
let world: SessionWorld;
let api: TestApi;

beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
  const address = process.env.TEST_TEMPORAL_ADDRESS ?? '';
  api = await startTestApi({
    databaseUrl: world.databaseUrl,
    temporal: { address, namespace: world.namespace },
    rails: new Map([['sandbox', createSandboxRail({ baseUrl: world.railUrl })]]),
  });
});
afterAll(async () => {
  await api?.stop();
  await world?.close();
});

async function newSession(): Promise<{ id: string; sessionId: string }> {
  const body = { productId: world.shop.products.oneTime, externalCustomerId: randomUUID() };
  const { status, body: session } = await api.request('POST', '/v1/checkouts', { ...world.shop, body });
  expect(status).toBe(201);
  return session;
}

async function storefrontSession(): Promise<string> {
  const { pool, shop } = world;
  const origin = 'https://shop.example';
  const client = await insertStorefrontClient(pool, { ...shop, origins: [origin] });
  await pool.query(sql.unsafe`
    insert into storefront_client_products (client_id, product_id) values (${client}, ${shop.products.oneTime})`);
  return repeated(
    `/v1/checkout-clients/${client}/sessions`,
    { productReference: shop.products.oneTime },
    { origin },
  );
}

async function methodChangeBody() {
  const { pool, shop } = world;
  const subscriptionId = await insertSubscription(pool, shop, shop.products.recurring);
  const externalCustomerId = await pool.oneFirst(sql.type(z.object({ external: z.string() }))`
    select u.external_customer_id as external
    from customers u join subscriptions s on s.customer_id = u.id where s.id = ${subscriptionId}`);
  const [successUrl, failUrl] = ['https://shop.example/account', 'https://shop.example/account'];
  return { subscriptionId, externalCustomerId, customer: { email: 'a@example.eu' }, successUrl, failUrl };
}

/** @returns the page's address, which a replay and a retry after a crash also return */
async function repeated(path: string, body: object, headers: Record<string, string> = {}): Promise<string> {
  const key = randomUUID();
  const { apiKey } = world.shop;
  const options = {
    body,
    headers: { ...headers, 'idempotency-key': key },
    ...(!headers.origin && { apiKey }),
  };
  const first = await api.request('POST', path, options);
  expect(first.status).toBe(201);
  const replayed = await api.request('POST', path, options);
  expect(replayed.headers.get('idempotency-replayed')).toBe('true');
  expect(replayed.body).toEqual(first.body);
  const pinned = sql.fragment`from idempotency_keys where key = ${key}`;
  const copy = await world.pool.oneFirst(
    sql.type(z.object({ answer: z.unknown() }))`select answer ${pinned}`,
  );
  await world.pool.query(sql.unsafe`
    update idempotency_keys set answer = null, lease_until = service_clock() where key = ${key}`);
  const retried = await api.request('POST', path, options);
  expect(retried.body.hostedUrl).toBe(first.body.hostedUrl);
  expect(JSON.stringify(copy)).not.toContain(tokenOf(first.body.hostedUrl));
  return first.body.hostedUrl;
}

const tokenOf = (hostedUrl: string) => hostedUrl.slice(hostedUrl.lastIndexOf('/') + 1);
const page = async (token: string) => (await api.request('GET', `/pay/${token}/state`)).status;

/** Every row of every table as text, with bytea in hex. */
async function dump(): Promise<string> {
  const tables = await world.pool.anyFirst(sql.type(z.object({ name: z.string() }))`
    select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`);
  const rows = tables.map((name) =>
    world.pool.anyFirst(sql.type(z.object({ row: z.string() }))`
      select t::text as row from ${sql.identifier([name])} t`),
  );
  return (await Promise.all(rows)).flat().join('\n');
}

/** A dump contains the token neither as text nor as bytes, but the token opens its page. */
async function expectNotDumped(...tokens: readonly string[]): Promise<void> {
  const dumped = await dump();
  expect(dumped).toContain(world.shop.products.oneTime);
  for (const token of tokens) {
    expect(token).toMatch(/^ap_(chk|pmc)_[0-9a-f]{64}$/);
    expect(await page(token)).toBe(200);
    expect(dumped).not.toContain(token);
    expect(dumped).not.toContain(Buffer.from(token).toString('hex'));
  }
}

test('a database dump contains no page token after a creation, challenge, purchase, storefront session or method change', async () => {
  const created = await newSession();
  const bought = await newSession();
  await world.pay(bought.id, '4242424242424242');
  await world.until(bought.id, 'succeeded');
  const challenged = await newSession();
  await world.pay(challenged.id, CHALLENGE);
  await world.until(challenged.id, 'requires_action');
  const addresses = [
    await storefrontSession(),
    await repeated('/v1/payment-methods/change', await methodChangeBody()),
  ];
  const tokens = [created, bought, challenged].map(({ sessionId }) => sessionId);
  await expectNotDumped(...tokens, ...addresses.map(tokenOf));
});

test('a page token alone identifies the session, even when the buyer returns from the bank', async () => {
  const { id, sessionId } = await newSession();
  expect(await page(sessionId)).toBe(200);
  expect(await page(id)).toBe(404);
  expect(await page(sessionId.slice(0, -1))).toBe(404);
  await world.pay(id, CHALLENGE);
  await world.until(id, 'requires_action');
  expect(await world.answerChallenge(id, 'approve')).toBe(
    `https://pay.example/pay/${sessionId}/challenge/return`,
  );
});
