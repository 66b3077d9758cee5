/** Fairness between merchants competing for a single worker slot. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { tsToMs } from '@temporalio/common/lib/time.js';
import type { Scope } from '../../../domain/core/environment.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';
import { type Receiver, startReceiver } from '../../support/server/receiver.ts';
import { type Delivery, QUICK, startDelivery } from '../../support/world/delivery.ts';

const ENDPOINTS = 8;
const TIMEOUT_MS = 60_000;

let delivery: Delivery;
let hanging: Receiver;
let good: Receiver;

beforeAll(async () => {
  delivery = await startDelivery({ ...QUICK, timeoutSeconds: 2 }, { drainsAtOnce: 1 });
});
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

/** When an endpoint's drains were queued and started, by Temporal's clock, because this process may be slow. */
async function drainsOf(endpointId: string): Promise<readonly [queued: number[], started: number[]]> {
  const { events } = await delivery.client.workflow.getHandle(endpointId).fetchHistory();
  const timesOf = (kind: 'activityTaskScheduledEventAttributes' | 'activityTaskStartedEventAttributes') =>
    (events ?? []).filter((event) => event[kind]).map(({ eventTime }) => tsToMs(eventTime));
  return [timesOf('activityTaskScheduledEventAttributes'), timesOf('activityTaskStartedEventAttributes')];
}

function defined<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('not there yet');
  return value;
}

test('an event need not wait for the second delivery of a merchant whose endpoints all hang', async () => {
  const many = await createMerchant(delivery.pool);
  const ids: string[] = [];
  for (let i = 0; i < ENDPOINTS; i += 1) {
    ids.push((await createEndpoint(delivery.pool, many, { url: hanging.url })).id);
  }
  await record(many);
  // One hangs and the others queue, except possibly one that awaits its next attempt.
  await hanging.untilReceived(1, TIMEOUT_MS);
  await eventually(async () => {
    const runs = await Promise.all(ids.map((id) => delivery.client.workflow.getHandle(id).describe()));
    const inLine = runs.filter(({ raw }) => raw.pendingActivities?.length === 1);
    expect(inLine.length).toBeGreaterThanOrEqual(ENDPOINTS - 1);
  }, TIMEOUT_MS);

  const few = await createMerchant(delivery.pool);
  const { id } = await createEndpoint(delivery.pool, few, { url: good.url });
  await record(few);
  await good.untilReceived(1, TIMEOUT_MS);
  const { queuedAt, startedAt } = await eventually(async () => {
    const [[queued], [started]] = await drainsOf(id);
    return { queuedAt: defined(queued), startedAt: defined(started) };
  }, TIMEOUT_MS);
  const before = (await Promise.all(ids.map(drainsOf))).flatMap(([, started]) =>
    started.filter((at) => at > queuedAt && at < startedAt),
  );
  // The running drain ends, and another may already have been assigned.
  expect(before.length).toBeLessThanOrEqual(2);
});
