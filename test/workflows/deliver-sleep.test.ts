/** Two clocks that disagree must not make an endpoint's workflow spin (money-safety rule 19). */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Delivery, QUICK, startDelivery } from '../support/delivery.ts';
import { type Receiver, startReceiver, status } from '../support/receiver.ts';
import { keepHistory } from '../support/replay.ts';
import { createEndpoint, createMerchant } from '../support/webhooks.ts';

const RETRY_AFTER_SECONDS = 0.2;

let delivery: Delivery;
let receiver: Receiver;

beforeAll(async () => {
  const waits = Array.from({ length: 3 }, () => RETRY_AFTER_SECONDS);
  delivery = await startDelivery({ ...QUICK, scheduleSeconds: [0, ...waits], lingerSeconds: 0.01 });
  receiver = await startReceiver();
}, 60_000);
afterAll(async () => {
  await delivery?.stop();
  await receiver?.stop();
});

test('an endpoint sleeps a second at least, however soon its next attempt is due', async () => {
  receiver.answer = status(500);
  const scope = await createMerchant(delivery.pool);
  const endpoint = await createEndpoint(delivery.pool, scope, { url: receiver.url });
  await delivery.record({
    scope,
    type: 'payment.succeeded',
    aggregateId: scope.merchantId,
    aggregateVersion: 1,
  });
  await receiver.untilReceived(4, 60_000);
  const handle = delivery.client.workflow.getHandle(endpoint.id);
  const { events } = await handle.fetchHistory();
  const sleptSeconds = (events ?? []).flatMap(({ timerStartedEventAttributes: timer }) =>
    timer ? [Number(timer.startToFireTimeout?.seconds)] : [],
  );
  expect(sleptSeconds).toHaveLength(3);
  expect(Math.min(...sleptSeconds)).toBeGreaterThanOrEqual(1);
  await keepHistory(handle, 'deliver-events-slept');
}, 120_000);
