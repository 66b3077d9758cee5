/**
 * The relay starts within seconds the workflows that the API or a checkout could not start. The sweep, which would
 * start them within a minute, is paused.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Client, Connection } from '@temporalio/client';
import { createWebhookSecret } from '../../contract/webhook/webhook-signature.ts';
import { openPool, type Pool, sql } from '../../db/core/pool.ts';
import { createRefund } from '../../db/refund/create-refund.ts';
import { SWEEP_SCHEDULE_ID } from '../../workflows/sweep/sweep-messages.ts';
import { eventually } from '../support/core/eventually.ts';
import { insertPurchase, insertSession, insertShop, type Shop } from '../support/db/fixtures.ts';
import { insertSubscription } from '../support/db/subscriptions.ts';
import { type Receiver, startReceiver } from '../support/server/receiver.ts';
import { startStack, type TestStack } from '../support/stack/stack.ts';

let stack: TestStack;
let pool: Pool;
let connection: Connection;
let client: Client;
let shop: Shop;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  stack = await startStack({
    parts: ['worker'],
    env: { OPERATORS_WEBHOOK_URL: receiver.url, OPERATORS_WEBHOOK_SECRET: createWebhookSecret() },
  });
  pool = await openPool({ url: stack.databaseUrl });
  connection = await Connection.connect({ address: stack.temporal.address });
  client = new Client({ connection, namespace: stack.temporal.namespace });
  await client.schedule.getHandle(SWEEP_SCHEDULE_ID).pause('this test is about the relay');
  shop = await insertShop(pool);
});
afterAll(async () => {
  await connection?.close();
  await pool?.end();
  await stack?.stop();
  await receiver?.stop();
});

async function createRefundRow(): Promise<string> {
  await pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${shop.railAccountId}`);
  const { paymentId } = await insertPurchase(pool, shop, shop.products.oneTime);
  const refund = await createRefund(pool, {
    scope: shop,
    operationId: randomUUID(),
    of: { paymentId },
    amount: null,
    currency: null,
    reason: null,
    railNames: ['sandbox'],
  });
  if (typeof refund === 'string') throw new Error(refund);
  return refund.id;
}

test.each([
  ['session', async () => (await insertSession(pool, shop, shop.products.oneTime)).id],
  ['subscription', () => insertSubscription(pool, shop, shop.products.recurring)],
  ['refund', createRefundRow],
])(
  'the relay starts the workflow of a %s that has none',
  async (_what, create) => {
    const id = await create();
    await eventually(async () => {
      const { status } = await client.workflow.getHandle(id).describe();
      expect(status.name).toBe('RUNNING');
    }, 40_000);
  },
  90_000,
);

test('the relay notifies operators of an incident soon after it begins', async () => {
  const { checkoutId } = await insertPurchase(pool, shop, shop.products.oneTime);
  await pool.query(
    sql.unsafe`update checkouts set state = 'reconciliation_required' where id = ${checkoutId}`,
  );
  const incidents = () => receiver.received.map(({ event }) => event.incident);
  const incident = { kind: 'reconciliation_required', merchant_id: shop.merchantId };
  await eventually(() => expect(incidents()).toContainEqual(expect.objectContaining(incident)));
});
