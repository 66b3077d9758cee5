/** A charge that an operator settled as succeeded while the rail did not answer, and that the rail confirms later. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { createRefund } from '../../../db/refund/create-refund.ts';
import { mandateOf } from '../../../platform/secrets/places.ts';
import { resolveUpdate } from '../../../workflows/session/session-messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { testSecretBox } from '../../support/db/fixtures.ts';
import { eventTypesOf } from '../../support/db/subscriptions.ts';
import { payloadsOf } from '../../support/temporal/replay.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';
import {
  advance,
  afterFirstPeriod,
  changeMethod,
  chargesOf,
  startIt,
  subscribe,
} from '../../support/world/subscription-world.ts';

const VISA = '4242424242424242';
const MASTERCARD = '5555555555554444';

let world: SessionWorld;

beforeAll(async () => {
  world = await createSessionWorld();
  await world.startWorker();
});
afterAll(() => world?.close());
afterEach(() => world.faults.clear());
/** Answers are lost on purpose here: together they would open the rail's breaker. */
beforeEach(async () => {
  await world.pool.query(sql.unsafe`update rail_answers set is_attempt = false where is_attempt`);
  await world.pool.query(sql.unsafe`delete from rail_breakers`);
});

const handle = (id: string) => world.client.workflow.getHandle(id);

/** The rail charges the card, its answer is lost, and an operator settles the session. */
async function resolveOverSilentRail(id: string, card: string) {
  world.faults.add({ operation: 'authorize', mode: 'drop-after', count: 1, delayMs: 0 });
  world.faults.add({ operation: 'lookup', mode: '500', count: 100, delayMs: 0 });
  await world.pay(id, card);
  await world.until(id, 'reconciliation_required');
  const words = { operator: 'on-call', reason: 'the rail is silent', evidence: 'the rail’s dashboard' };
  const answer = await handle(id).executeUpdate(resolveUpdate, {
    args: [{ ...words, outcome: 'succeeded' }],
  });
  const paymentId = (await world.payments(id))[0]?.id ?? '';
  const judge = handle(`${paymentId}-reconcile`);
  // An activity starts the reconciliation after the answer.
  await eventually(() => judge.describe());
  return { answer, paymentId, judge };
}

const row = z.object({
  last4: z.string().nullable(),
  mandate: z.instanceof(Buffer).nullable(),
  customer: z.string(),
});
const methodOf = (subscriptionId: string) =>
  world.pool.one(sql.type(row)`
    select payment_method ->> 'last4' as last4, credential_secret_ref as mandate, customer_id as customer
    from subscriptions where id = ${subscriptionId}`);

test('a method change approved late fails and keeps the current method, because the new mandate is unknown', async () => {
  const id = await subscribe(world, { card: VISA });
  const before = await methodOf(id);
  const change = await changeMethod(world, id);
  const { answer, paymentId, judge } = await resolveOverSilentRail(change.id, MASTERCARD);
  expect(answer).toEqual({ state: 'failed', failureReason: 'resolved_by_operator' });
  const audited = await world.pool.oneFirst(sql.type(z.object({ after: z.record(z.string(), z.string()) }))`
    select after from audit_log where subject_id = ${change.id} and action = 'checkout.resolve'`);
  expect(audited).toMatchObject({ state: 'failed', asked: 'succeeded' });

  world.faults.clear();
  expect(await judge.result()).toBe('agrees');
  expect(await world.payments(change.id)).toMatchObject([{ id: paymentId, status: 'succeeded' }]);
  expect(await methodOf(id)).toEqual(before);
  expect((await eventTypesOf(world.pool, id)).filter((type) => type.startsWith('payment_method.'))).toEqual([
    'payment_method.update_failed',
  ]);
  const later = await afterFirstPeriod(world, id);
  expect(await advance(world, id, later(1))).toMatchObject({ status: 'active' });
  expect(await chargesOf(world, id)).toEqual([900]);
});

test('a subscription started by a late-approved purchase renews with its mandate, which no history contains', async () => {
  const checkoutId = await world.session(world.shop.products.recurring);
  const { answer, judge } = await resolveOverSilentRail(checkoutId, VISA);
  expect(answer).toMatchObject({ state: 'succeeded' });
  const id = await world.pool.oneFirst(sql.type(z.object({ id: z.string() }))`
    select id from subscriptions where checkout_id = ${checkoutId}`);
  expect(await methodOf(id)).toMatchObject({ last4: null, mandate: null });

  world.faults.clear();
  expect(await judge.result()).toBe('agrees');
  const { last4, mandate, customer } = await methodOf(id);
  expect(last4).toBe('4242');
  const opened = testSecretBox.open(mandate ?? Buffer.of(), mandateOf(customer));
  const kept = await payloadsOf(judge);
  expect(kept).toContain('agrees');
  for (const secret of [opened, '4242']) expect(kept).not.toContain(secret);

  await startIt(world, id);
  const later = await afterFirstPeriod(world, id);
  expect(await advance(world, id, later(1))).toMatchObject({ status: 'active' });
  expect(await chargesOf(world, id)).toEqual([900]);
});

test('a purchase can be refunded as soon as the rail has reported its reference', async () => {
  const id = await world.session();
  const { answer, paymentId, judge } = await resolveOverSilentRail(id, VISA);
  expect(answer).toMatchObject({ state: 'succeeded' });
  const { merchantId, environment, railAccountId } = world.shop;
  await world.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${railAccountId}`);
  const refund = () =>
    createRefund(world.pool, {
      scope: { merchantId, environment },
      operationId: 'op-1',
      of: { paymentId },
      amount: null,
      currency: null,
      reason: null,
      railNames: ['sandbox'],
    });
  expect(await refund()).toBe('payment_not_refundable');
  world.faults.clear();
  expect(await judge.result()).toBe('agrees');
  expect(await refund()).toMatchObject({ payment_id: paymentId, amount: 1_900, status: 'pending' });
});
