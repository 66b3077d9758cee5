/** Money that goes back at Stripe: a refund that was asked for, and a charge that came after the end. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startReconcile } from '../../../activities/start-workflows.ts';
import { createRefund } from '../../../db/create-refund.ts';
import { sql } from '../../../db/pool.ts';
import { cancelUpdate } from '../../../workflows/messages.ts';
import { REFUND_WORKFLOW, refundStart } from '../../../workflows/refund-messages.ts';
import { type StripeService, startStripeService } from './service.ts';

let service: StripeService;
beforeAll(async () => {
  service = await startStripeService();
  await service.useAccount();
}, 300_000);
afterAll(() => service?.close());

test('a refund runs as one durable workflow, and a lost answer is looked up', async () => {
  const { world, stripe } = service;
  const id = await service.session();
  await service.click(id, 'approved');
  await world.until(id, 'succeeded');
  const [paid] = await service.payments(id);
  const refund = await createRefund(world.pool, {
    scope: world.shop,
    operationId: randomUUID(),
    of: { paymentId: paid?.id ?? '' },
    amount: 700,
    currency: null,
    reason: null,
    railNames: ['stripe'],
  });
  if (typeof refund === 'string') throw new Error(refund);
  await stripe.fault('refund', 'dropAfter');
  const { amount, currency } = refund;
  const input = { ...world.shop, id: refund.id, amount, currency };
  const handle = await world.client.workflow.start(REFUND_WORKFLOW, refundStart(input, world.timings));
  expect(await handle.result()).toEqual({ status: 'succeeded' });
  expect(await stripe.refunds([refund.id])).toEqual([700]);
}, 60_000);

test('a charge that Stripe made after its session had ended goes back to the buyer', async () => {
  const { world, stripe } = service;
  const id = await service.session();
  await service.click(id, 'challenge');
  await world.until(id, 'requires_action');
  await world.client.workflow.getHandle(id).executeUpdate(cancelUpdate, { args: [{ what: 'session' }] });
  await world.until(id, 'failed');
  const [ended] = await service.payments(id);
  const intent = stripe.theirs.intents.get(ended?.rail_order_id ?? '');
  if (!ended || !intent) throw new Error('an intent was expected');
  // Against everything that Stripe says of itself.
  intent.status = 'succeeded';
  const { merchantId, environment } = world.shop;
  await startReconcile(world.client, { paymentId: ended.id, merchantId, environment });
  await world.client.workflow.getHandle(`${ended.id}-reconcile`).result();
  expect(await stripe.refunds([`${ended.id}-return`])).toEqual([1_900]);
  const returned = await world.pool.exists(sql.unsafe`
    select from orphaned_charges where payment_id = ${ended.id} and returned_at is not null
  `);
  expect(returned).toBe(true);
}, 60_000);
