/** Refunds at Stripe: requested ones, and returns of charges that arrive after their session has ended. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import { startReconcile } from '../../../platform/temporal/start-workflows.ts';
import { REFUND_WORKFLOW, refundStart } from '../../../workflows/refund/refund-messages.ts';
import { cancelUpdate } from '../../../workflows/session/session-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { type StripeService, startStripeService } from './service.ts';

let service: StripeService;
beforeAll(async () => {
  service = await startStripeService();
  await service.useAccount();
}, 300_000);
afterAll(() => service?.close());

test('a refund whose answer is lost is looked up by its workflow', async () => {
  const { stripe } = service;
  const [payment] = await service.payments(await paid());
  await stripe.fault('refund', 'dropAfter');
  const { refundId, handle } = await refund(payment?.id ?? '');
  expect(await handle.result()).toEqual({ status: 'succeeded' });
  expect(await stripe.refunds([refundId])).toEqual([700]);
});

test('a key that may not refund raises an alert, and sales continue', async () => {
  const { world, stripe } = service;
  const id = await paid();
  const [payment] = await service.payments(id);
  const alerts = () =>
    world.pool.anyFirst(sql.type(z.object({ code: z.string() }))`
      select body::jsonb #>> '{alert,code}' as code from events
      where type = 'billing.operational_alert' and merchant_id = ${world.shop.merchantId}
    `);
  stripe.theirs.settings.forbidden = ['refunds'];
  await refund(payment?.id ?? '');
  await eventually(async () => expect(await alerts()).toEqual(['rail_account_misconfigured']));
  await paid();
  const status = await world.pool.oneFirst(sql.type(z.object({ status: z.string() }))`
    select status from rail_accounts where id = ${world.shop.railAccountId}
  `);
  expect(status).toBe('active');
  stripe.theirs.settings.forbidden = [];
});

test('a charge that Stripe made after its session ended is refunded', async () => {
  const { world, stripe } = service;
  const id = await service.session();
  await service.click(id, 'challenge');
  await world.until(id, 'requires_action');
  await world.client.workflow.getHandle(id).executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
  await world.until(id, 'failed');
  const [ended] = await service.payments(id);
  const intent = stripe.theirs.intents.get(ended?.rail_order_id ?? '');
  if (!ended || !intent) throw new Error('expected an intent');
  // Contrary to Stripe's documented behaviour.
  intent.status = 'succeeded';
  const { merchantId, environment } = world.shop;
  await startReconcile(world.client, { paymentId: ended.id, merchantId, environment });
  await world.client.workflow.getHandle(`${ended.id}-reconcile`).result();
  expect(await stripe.refunds([`${ended.id}-return`])).toEqual([1_900]);
  const returned = await world.pool.exists(sql.unsafe`
    select from orphaned_charges where payment_id = ${ended.id} and returned_at is not null
  `);
  expect(returned).toBe(true);
});

/** @returns the session's id */
async function paid(): Promise<string> {
  const id = await service.session();
  await service.click(id, 'approved');
  await service.world.until(id, 'succeeded');
  return id;
}

async function refund(paymentId: string) {
  const { world } = service;
  const created = await createRefund(world.pool, {
    scope: world.shop,
    operationId: randomUUID(),
    of: { paymentId },
    amount: 700,
    currency: null,
    reason: null,
    railNames: ['stripe'],
  });
  if (typeof created === 'string') throw new Error(created);
  const { id: refundId, amount, currency } = created;
  const input = { ...world.shop, id: refundId, amount, currency };
  const handle = await world.client.workflow.start(REFUND_WORKFLOW, refundStart(input, world.timings));
  return { refundId, handle };
}
