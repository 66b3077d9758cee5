/** An endpoint's workflow sleeps and wakes without spinning, and nothing keeps it from draining. */
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';
import { ok, type Receiver, startReceiver, status } from '../../support/server/receiver.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { type Delivery, QUICK, startDelivery } from '../../support/world/delivery.ts';

const RETRY_AFTER_SECONDS = 0.2;
/** Simulates a busy machine. */
const UNTIL_DRAINING_MS = 500;

let delivery: Delivery;
let receiver: Receiver;

beforeAll(async () => {
  const waits = Array.from({ length: 3 }, () => RETRY_AFTER_SECONDS);
  delivery = await startDelivery(
    { ...QUICK, scheduleSeconds: [0, ...waits], idleSeconds: 0.01 },
    { beforeDrain: () => pause(UNTIL_DRAINING_MS) },
  );
  receiver = await startReceiver();
});
afterAll(async () => {
  await delivery?.stop();
  await receiver?.stop();
});

// Two clocks may disagree (rule 19).
test('an endpoint sleeps at least a second, however soon its next attempt is due', async () => {
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
  // If a drain takes long, the next attempt is due when it ends, without a sleep between them.
  expect(sleptSeconds).not.toEqual([]);
  expect(Math.min(...sleptSeconds)).toBeGreaterThanOrEqual(1);
  await keepHistory(handle, 'deliver-events-slept');
});

test('a sleeping endpoint gets at most about one wake-up signal a second, however many events arrive before it drains', async () => {
  receiver.answer = ok;
  const scope = await createMerchant(delivery.pool);
  const endpoint = await createEndpoint(delivery.pool, scope, { url: receiver.url });
  const before = receiver.received.length;
  const startedAt = performance.now();
  let aggregateVersion = 0;
  while (aggregateVersion < 20) {
    aggregateVersion += 1;
    await delivery.record({
      scope,
      type: 'payment.succeeded',
      aggregateId: scope.merchantId,
      aggregateVersion,
    });
  }
  await receiver.untilReceived(before + 20);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { events } = await delivery.client.workflow.getHandle(endpoint.id).fetchHistory();
  const signals = (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes);
  // Without the flag there would be twenty.
  expect(signals.length).toBeLessThanOrEqual(2 + Math.floor(seconds));
});
