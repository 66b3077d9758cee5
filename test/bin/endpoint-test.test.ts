/** `npm run ops -- endpoint test`, as a process, against a receiver that fails and then accepts. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { createWebhookSecret, signWebhook } from '../../contract/webhook/webhook-signature.ts';
import { openPool, type Pool, sql } from '../../db/core/pool.ts';
import { webhookSecretOf } from '../../platform/secrets/places.ts';
import { createTestDatabase, type TestDatabase } from '../support/db/postgres.ts';
import { createEndpoint, createMerchant, secretBox } from '../support/db/webhooks.ts';
import { ok, type Receiver, startReceiver, status } from '../support/server/receiver.ts';
import { runOps } from '../support/stack/ops.ts';

let database: TestDatabase;
let pool: Pool;
let receiver: Receiver;

beforeAll(async () => {
  [database, receiver] = await Promise.all([createTestDatabase(), startReceiver()]);
  pool = await openPool({ url: database.url });
});
afterAll(async () => {
  await receiver?.stop();
  await pool?.end();
  await database?.drop();
});

test('a disabled endpoint is tested before it is resumed', async () => {
  const scope = await createMerchant(pool);
  const { id, secret } = await createEndpoint(pool, scope, { url: receiver.url, status: 'disabled' });
  const former = createWebhookSecret();
  await pool.query(sql.unsafe`
    update webhook_endpoints set previous_secret_until = service_clock() + interval '1 hour',
      previous_secret = ${sql.binary(secretBox.seal(former, webhookSecretOf(id)))}
    where id = ${id}`);
  const ops = (...args: readonly string[]) =>
    runOps(['endpoint', 'test', id, ...args], {
      DATABASE_URL: database.url,
      TEMPORAL_ADDRESS: '127.0.0.1:1',
      TEMPORAL_NAMESPACE: 'none',
      WEBHOOK_ALLOW_LOOPBACK: '1',
    });
  receiver.answer = status(500);
  const refused = await ops();
  expect(refused).toMatchObject({ code: 1, err: '' });
  expect(refused.out).toMatch(/^ap_whe_\S+ did not accept evt_\S+: .*500.*, after \d+ ms\.\n/);

  receiver.answer = ok;
  const accepted = await ops();
  expect(accepted).toMatchObject({ code: 0, err: '' });
  expect(accepted.out).toContain(`It is disabled. Next: npm run ops -- endpoint resume ${id} --reason <why>`);
  expect(JSON.parse((await ops('--json')).out)).toMatchObject({
    delivered: true,
    http_status: 200,
    status: 'disabled',
  });

  const events = receiver.received.map(({ event }) => event);
  expect(events.map(({ type }) => type)).toEqual(['webhook.test', 'webhook.test', 'webhook.test']);
  expect(new Set(events.map((event) => event.id)).size).toBe(3);
  for (const { headers, body } of receiver.received) {
    const signature = String(headers['service-signature']);
    const timestamp = Number(/t=(\d+)/.exec(signature)?.[1]);
    expect(signature).toBe(signWebhook({ rawBody: body, timestamp, secrets: [secret, former] }));
  }
  const audited = sql.type(
    z.object({ action: z.string() }),
  )`select action from audit_log where subject_id = ${id}`;
  expect(await pool.anyFirst(audited)).toEqual(Array(3).fill('webhook_endpoint.test'));
  // No delivery is left: the endpoint must not get these events again once it is enabled.
  expect(await pool.any(sql.type(z.object({}))`select from deliveries where endpoint_id = ${id}`)).toEqual(
    [],
  );

  await pool.query(
    sql.unsafe`update webhook_endpoints set previous_secret_until = service_clock() where id = ${id}`,
  );
  await ops();
  const { headers, body } = receiver.received.at(-1) ?? {};
  const latest = String(headers?.['service-signature']);
  const timestamp = Number(/t=(\d+)/.exec(latest)?.[1]);
  expect(latest).toBe(signWebhook({ rawBody: String(body), timestamp, secrets: [secret] }));

  await pool.query(sql.unsafe`update webhook_endpoints set status = 'deleted' where id = ${id}`);
  expect(await ops()).toMatchObject({ code: 1 });
});
