import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { enableEndpoint, pauseEndpoint } from '../../../db/webhook/endpoint-status.ts';
import type { EventToRecord } from '../../../db/webhook/events.ts';
import { redeliver } from '../../../db/webhook/redeliver.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import { verifyWebhook } from '../../../packages/webhooks/src/index.ts';
import { searchAttributes, wakeSignal } from '../../../workflows/core/messages.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createEndpoint, createMerchant, type TestEndpoint } from '../../support/db/webhooks.ts';
import { ok, type Receiver, startReceiver, status } from '../../support/server/receiver.ts';
import { currentDetails } from '../../support/temporal/current-details.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { type Delivery, startDelivery } from '../../support/world/delivery.ts';

let delivery: Delivery;
let receiver: Receiver;
let scope: Scope;
let endpoint: TestEndpoint;
let version = 0;

beforeAll(async () => {
  delivery = await startDelivery(undefined, { pages: { runbookUrl: 'https://runbook.example' } });
});
afterAll(() => delivery?.stop());
beforeEach(async () => {
  receiver = await startReceiver();
  scope = await createMerchant(delivery.pool);
  endpoint = await createEndpoint(delivery.pool, scope, { url: receiver.url });
});
afterEach(() => receiver.stop());

const record = (changes: Partial<EventToRecord> = {}) =>
  delivery.record({
    scope,
    type: 'payment.succeeded',
    aggregateId: scope.merchantId,
    aggregateVersion: ++version,
    payment: { id: 'ap_pay_1', rail: 'sandbox', status: 'succeeded' },
    ...changes,
  });
const ADA = { actor: 'ada' };
const ref = () => ({ ...scope, endpointId: endpoint.id });
const handle = () => delivery.client.workflow.getHandle(endpoint.id);
const row = z.object({
  status: z.string(),
  attempts: z.int(),
  last_status: z.int().nullable(),
  last_error: z.string().nullable(),
});
const deliveryOf = (eventId: string) =>
  delivery.pool.one(sql.type(row)`
    select status, attempts, last_status, last_error from deliveries
    where endpoint_id = ${endpoint.id} and event_id = ${eventId}`);
const until = (eventId: string, wanted: string) =>
  eventually(async () => expect((await deliveryOf(eventId)).status).toBe(wanted));
const untilPaused = () =>
  eventually(async () => expect(await currentDetails(handle())).toMatch(/^\*\*paused[\s\S]*\n- Now: idle/));
const endpointRow = () =>
  delivery.pool.one(sql.type(z.object({ status: z.string(), disabled_reason: z.string().nullable() }))`
    select status, disabled_reason from webhook_endpoints where id = ${endpoint.id}`);
const alerts = () =>
  delivery.pool.any(sql.type(z.object({ body: z.string().transform((body) => JSON.parse(body)) }))`
    select body from events where merchant_id = ${scope.merchantId} and type = 'billing.operational_alert'`);

describe('a delivery', () => {
  test('reaches the endpoint with headers, signature and the stored body, and is recorded as delivered', async () => {
    const eventId = await record();
    await receiver.untilReceived(1);
    const { headers, body } = receiver.nth(0);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'service-event-id': eventId,
      'service-delivery-attempt': '1',
    });
    expect(headers['user-agent']).toMatch(/\S/);
    const signature = headers['service-signature'];
    expect(verifyWebhook({ rawBody: body, signature, secret: endpoint.secret }).id).toBe(eventId);
    expect(body).toBe(
      await delivery.pool.oneFirst(
        sql.type(z.object({ body: z.string() }))`select body from events where id = ${eventId}`,
      ),
    );
    await until(eventId, 'succeeded');
    expect(await deliveryOf(eventId)).toMatchObject({ attempts: 1, last_status: 200, last_error: null });
  });

  test('is made once for every event of a burst, at most 32 at a time', async () => {
    let [open, most] = [0, 0];
    receiver.answer = (response) => {
      open += 1;
      most = Math.max(most, open);
      setTimeout(() => {
        open -= 1;
        response.writeHead(200).end();
      }, 100);
    };
    const ids = await Promise.all(Array.from({ length: 160 }, () => record()));
    await receiver.untilReceived(160, 30_000);
    await Promise.all(ids.map((id) => until(id, 'succeeded')));
    expect(receiver.received.map(({ event }) => event.id).sort()).toEqual([...ids].sort());
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThanOrEqual(32);
  });

  test('is retried on the schedule after a failure, with the same id and body and a fresh signature', async () => {
    receiver.answer = (response, _webhook, count) => response.writeHead(count < 3 ? 500 : 204).end();
    const eventId = await record();
    await receiver.untilReceived(3);
    await until(eventId, 'succeeded');
    const [first, second, third] = receiver.received.map(({ atMs }) => atMs) as [number, number, number];
    expect(second - first).toBeGreaterThanOrEqual(1_000);
    expect(third - second).toBeGreaterThanOrEqual(2_000);
    expect(third - second).toBeLessThan(20_000);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(receiver.received.map(({ headers }) => headers['service-delivery-attempt'])).toEqual([
      '1',
      '2',
      '3',
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers['service-signature'])).size).toBe(3);
    await keepHistory(handle(), 'deliver-events-retried');
  });

  test('does not hold up other deliveries when it fails', async () => {
    const poison = 'refund.created';
    receiver.answer = (response, { event }) => response.writeHead(event.type === poison ? 500 : 200).end();
    const failing = await record({ type: poison });
    await receiver.untilReceived(1);
    const good = await record();
    await until(good, 'succeeded');
    expect((await deliveryOf(failing)).status).toBe('pending');
  });

  test('is slowed down while the endpoint only fails, but not once it recovers', async () => {
    receiver.answer = status(503);
    const eventIds = await Promise.all(Array.from({ length: 200 }, () => record()));
    await receiver.untilReceived(1);
    await pause(3_000);
    // Without the slow-down there would be about four hundred requests by now.
    expect(receiver.received.length).toBeLessThan(100);
    const notReceived = () => {
      const received = new Set(receiver.received.map(({ event }) => event.id));
      return eventIds.filter((id) => !received.has(id));
    };
    expect(notReceived().length).toBeGreaterThan(100);
    receiver.answer = ok;
    const left = notReceived().length;
    // With a pause of a quarter of a second after each delivery, the others would take longer.
    await eventually(() => expect(notReceived()).toEqual([]), left * 200);
  });

  test('waits as long as Retry-After asks', async () => {
    receiver.answer = (response, _webhook, count) =>
      count === 1 ? response.writeHead(429, { 'retry-after': '3' }).end() : response.writeHead(200).end();
    await record();
    await receiver.untilReceived(2);
    expect(receiver.nth(1).atMs - receiver.nth(0).atMs).toBeGreaterThanOrEqual(3_000);
  });

  test('is exhausted after its last attempt, with one alert a day to the other endpoints', async () => {
    const alerted = await startReceiver();
    try {
      await createEndpoint(delivery.pool, scope, {
        url: alerted.url,
        eventTypes: ['billing.operational_alert'],
      });
      receiver.answer = status(500);
      const [first, second] = [await record(), await record()];
      await Promise.all([until(first, 'exhausted'), until(second, 'exhausted')]);
      expect((await deliveryOf(first)).attempts).toBe(3);
      await alerted.untilReceived(1);
      expect(alerted.nth(0).event.alert).toEqual({
        code: 'webhook_deliveries_exhausted',
        reference: endpoint.id,
      });
      expect(await alerts()).toHaveLength(1);
      expect(receiver.received.map(({ event }) => event.type)).not.toContain('billing.operational_alert');
    } finally {
      await alerted.stop();
    }
  });
});

describe('an endpoint', () => {
  test('is disabled with an alert when it answers 410, and its events are held', async () => {
    receiver.answer = status(410);
    const eventId = await record();
    await until(eventId, 'held');
    expect(await endpointRow()).toEqual({ status: 'disabled', disabled_reason: 'gone' });
    expect((await alerts()).map(({ body }) => body.alert.code)).toEqual(['webhook_endpoint_disabled']);
    const later = await record();
    expect((await deliveryOf(later)).status).toBe('held');
    expect(receiver.received).toHaveLength(1);
    await eventually(async () => {
      const { typedSearchAttributes } = await handle().describe();
      expect(typedSearchAttributes.get(searchAttributes.needsOperator)).toBe(true);
      expect(typedSearchAttributes.get(searchAttributes.lifecycleState)).toBe('disabled');
    });
    expect((await currentDetails(handle())).split('\n').slice(1, 4)).toEqual([
      '',
      '[What to do](https://runbook.example#endpoint_disabled)',
      '',
    ]);
    await keepHistory(handle(), 'deliver-events-disabled');
  });

  test('is disabled with an alert after five days without a success', async () => {
    await delivery.pool.query(sql.unsafe`
      update webhook_endpoints set failing_since = service_clock() - interval '5 days' where id = ${endpoint.id}`);
    receiver.answer = status(500);
    const eventId = await record();
    await until(eventId, 'held');
    expect(await endpointRow()).toEqual({ status: 'disabled', disabled_reason: 'failing' });
    expect((await alerts()).map(({ body }) => body.alert.code)).toEqual(['webhook_endpoint_disabled']);
  });

  test('stays enabled if it succeeds once in five days', async () => {
    await delivery.pool.query(sql.unsafe`
      update webhook_endpoints set failing_since = service_clock() - interval '5 days' where id = ${endpoint.id}`);
    await until(await record(), 'succeeded');
    receiver.answer = status(500);
    await until(await record(), 'exhausted');
    expect((await endpointRow()).status).toBe('enabled');
  });

  test('shows the operator its backlog, the backlog’s age, and the receiver’s response', async () => {
    receiver.answer = status(503);
    await record();
    await eventually(async () => {
      const details = await currentDetails(handle());
      expect(details).toMatch(/^- Now: idle until the next attempt at \d{4}-/m);
      expect(details).toMatch(/^- Waiting: 1, the oldest since \d{4}-/m);
      expect(details).toMatch(/^- Last failure: .*503/m);
    });
  });

  test('holds its events while it is paused, and sends them when it is enabled', async () => {
    await until(await record(), 'succeeded');
    await pauseEndpoint(delivery.pool, ref(), ADA);
    await handle().signal(wakeSignal);
    const eventId = await record();
    await untilPaused();
    expect((await deliveryOf(eventId)).status).toBe('pending');
    expect(receiver.received).toHaveLength(1);
    await enableEndpoint(delivery.pool, ref(), ADA);
    await handle().signal(wakeSignal);
    await until(eventId, 'succeeded');
    await keepHistory(handle(), 'deliver-events-paused-and-resumed');
  });

  test('receives an event again when a person requests it', async () => {
    const eventId = await record();
    await until(eventId, 'succeeded');
    expect(await redeliver(delivery.pool, ref(), eventId, ADA)).toBe(true);
    await handle().signal(wakeSignal);
    await receiver.untilReceived(2);
    expect(receiver.nth(1).body).toBe(receiver.nth(0).body);
    expect(receiver.nth(1).headers['service-delivery-attempt']).toBe('2');
  });

  test('ends its workflow when it is deleted', async () => {
    await until(await record(), 'succeeded');
    await delivery.pool.query(
      sql.unsafe`update webhook_endpoints set status = 'deleted' where id = ${endpoint.id}`,
    );
    await handle().signal(wakeSignal);
    await handle().result();
    await keepHistory(handle(), 'deliver-events-deleted');
  });
});
