/** Fairness by merchant where it decides: one place in the worker, and several merchants who want it. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { Scope } from '../../../domain/environment.ts';
import { type Delivery, QUICK, startDelivery } from '../../support/delivery.ts';
import { eventually } from '../../support/eventually.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { createEndpoint, createMerchant } from '../../support/webhooks.ts';

const ENDPOINTS = 8;
const PATIENCE_MS = 60_000;

let delivery: Delivery;
let hanging: Receiver;
let good: Receiver;

beforeAll(async () => {
  delivery = await startDelivery(QUICK, { drainsAtOnce: 1 });
}, 60_000);
afterAll(() => delivery?.stop());
beforeEach(async () => {
  hanging = await startReceiver();
  hanging.answer = () => {};
  good = await startReceiver();
});
afterEach(() => Promise.all([hanging.stop(), good.stop()]));

const record = (scope: Scope) =>
  delivery.record({
    scope,
    type: 'payment.succeeded',
    aggregateId: scope.merchantId,
    aggregateVersion: 1,
  });

test('an event is delivered before a second one of a merchant whose endpoints all hang and wait for their turn', async () => {
  const many = await createMerchant(delivery.pool);
  const ids: string[] = [];
  for (let i = 0; i < ENDPOINTS; i += 1) {
    ids.push((await createEndpoint(delivery.pool, many, { url: hanging.url })).id);
  }
  await record(many);
  // One hangs and the others stand in line, but for one that waits for its next attempt perhaps.
  await hanging.untilReceived(1, PATIENCE_MS);
  await eventually(async () => {
    const runs = await Promise.all(ids.map((id) => delivery.client.workflow.getHandle(id).describe()));
    const inLine = runs.filter(({ raw }) => raw.pendingActivities?.length === 1);
    expect(inLine.length).toBeGreaterThanOrEqual(ENDPOINTS - 1);
  }, PATIENCE_MS);

  const few = await createMerchant(delivery.pool);
  await createEndpoint(delivery.pool, few, { url: good.url });
  const before = hanging.received.length;
  await record(few);
  await good.untilReceived(1, PATIENCE_MS);
  // The one under way ends, and perhaps another had been handed out already.
  expect(hanging.received.length - before).toBeLessThanOrEqual(2);
}, 240_000);
