import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { webhookEvent } from '../../../contract/webhook/events.ts';
import { listenForChanges } from '../../../db/core/changes.ts';
import { openPool, type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { endpointsToWake } from '../../../db/webhook/endpoint-sleep.ts';
import {
  EventConflictError,
  type EventToRecord,
  onEvents,
  recordEvent,
  recordEvents,
} from '../../../db/webhook/events.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import { eventually } from '../../support/core/eventually.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let pool: Pool;
let scope: Scope;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());
beforeEach(async () => {
  scope = await createMerchant(pool);
});

const event = (changes: Partial<EventToRecord> = {}): EventToRecord => ({
  scope,
  type: 'payment.succeeded',
  aggregateId: `${scope.merchantId}_pay`,
  aggregateVersion: 2,
  customer: { id: 'ap_cus_1', external_customer_id: 'u-1', email: 'a@b.eu' },
  product: { id: 'ap_prod_1', external_reference: null },
  payment: { id: 'ap_pay_1', rail: 'sandbox', status: 'succeeded' },
  ...changes,
});
const record = (given: EventToRecord) => inTransaction(pool, (tx) => recordEvent(tx, given));

const storedEvent = (id: string) =>
  pool.one(sql.type(z.object({ body: z.string(), occurred_at: z.string() }))`
    select body, occurred_at from events where id = ${id}`);
const deliveriesOf = (eventId: string) =>
  pool.any(sql.type(z.object({ endpoint_id: z.string(), status: z.string() }))`
    select endpoint_id, status from deliveries where event_id = ${eventId} order by endpoint_id`);

describe('recordEvent', () => {
  test('stores the envelope’s eight keys in order, with the database’s clock, and null without a subscription', async () => {
    const id = await record(event());
    const { body, occurred_at } = await storedEvent(id);
    const parsed = JSON.parse(body);
    expect(Object.keys(parsed)).toEqual([
      'id',
      'type',
      'occurred_at',
      'merchant_id',
      'customer',
      'product',
      'subscription',
      'payment',
    ]);
    expect(webhookEvent.parse(parsed)).toEqual({
      id,
      type: 'payment.succeeded',
      occurred_at,
      merchant_id: scope.merchantId,
      customer: { id: 'ap_cus_1', external_customer_id: 'u-1', email: 'a@b.eu' },
      product: { id: 'ap_prod_1', external_reference: null },
      subscription: null,
      payment: { id: 'ap_pay_1', rail: 'sandbox', status: 'succeeded' },
    });
  });

  test('raises an alert again if its event was deleted', async () => {
    const alert = { code: 'payment_not_at_rail', reference: 'ap_pay_again' };
    const given = event({ type: 'billing.operational_alert', alert });
    const id = await record(given);
    const open = () =>
      pool.exists(sql.unsafe`
        select from operator_alerts where event_id = ${id} and closed_at is null`);
    await pool.query(
      sql.unsafe`update operator_alerts set closed_at = service_clock() where event_id = ${id}`,
    );
    await pool.query(sql.unsafe`delete from deliveries where event_id = ${id}`);
    await pool.query(sql.unsafe`delete from events where id = ${id}`);
    expect(await record(given)).toBe(id);
    expect(await open()).toBe(true);
  });

  test('adds invoice, refund, payment method and alert only when given', async () => {
    const id = await record(
      event({
        type: 'invoice.created',
        invoice: { id: 'ap_inv_1', number: '2026-1', status: 'created', amount_due: 0 },
      }),
    );
    const parsed = JSON.parse((await storedEvent(id)).body);
    expect(parsed.invoice).toEqual({ id: 'ap_inv_1', number: '2026-1', status: 'created', amount_due: 0 });
    expect(parsed).not.toHaveProperty('refund');
  });

  test('stores one event when the same change is recorded twice', async () => {
    await createEndpoint(pool, scope);
    const first = await record(event());
    const before = await storedEvent(first);
    const second = await record(event());
    expect(second).toBe(first);
    expect(await storedEvent(first)).toEqual(before);
    expect(await deliveriesOf(first)).toHaveLength(1);
  });

  test('gives each version and type of an aggregate its own id', async () => {
    const ids = [
      await record(event()),
      await record(event({ aggregateVersion: 3 })),
      await record(event({ type: 'payment.failed' })),
    ];
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^evt_[0-9a-f]{32}$/);
  });

  test('throws when the same change is recorded with another body', async () => {
    await record(event());
    const other = event({ payment: { id: 'ap_pay_1', rail: 'sandbox', status: 'refunded' } });
    await expect(record(other)).rejects.toThrow(EventConflictError);
    const shorter = event({ customer: null });
    await expect(record(shorter)).rejects.toThrow(EventConflictError);
  });

  test('rolls back with its deliveries when the state change rolls back', async () => {
    await createEndpoint(pool, scope);
    let id = '';
    const rolledBack = inTransaction(pool, async (tx) => {
      id = await recordEvent(tx, event());
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    expect(await pool.any(sql.unsafe`select from events where id = ${id}`)).toHaveLength(0);
    expect(await deliveriesOf(id)).toEqual([]);
  });

  test('addresses the endpoints of its merchant and environment that subscribe to its type', async () => {
    const all = await createEndpoint(pool, scope);
    const subscribed = await createEndpoint(pool, scope, {
      eventTypes: ['refund.created', 'payment.succeeded'],
    });
    await createEndpoint(pool, scope, { eventTypes: ['refund.created'] });
    await createEndpoint(pool, scope, { status: 'deleted' });
    await createEndpoint(pool, { ...scope, environment: 'production' });
    await createEndpoint(pool, await createMerchant(pool));
    const id = await record(event());
    expect((await deliveriesOf(id)).map((row) => row.endpoint_id)).toEqual([all.id, subscribed.id].sort());
  });

  test('holds the delivery for a disabled endpoint, and leaves it pending for a paused endpoint', async () => {
    const paused = await createEndpoint(pool, scope, { status: 'paused' });
    const disabled = await createEndpoint(pool, scope, { status: 'disabled' });
    const id = await record(event());
    const statuses = (await deliveriesOf(id)).map((row) => [row.endpoint_id, row.status]);
    expect(Object.fromEntries(statuses)).toEqual({ [paused.id]: 'pending', [disabled.id]: 'held' });
  });

  test('skips the endpoint that the alert is about', async () => {
    const failing = await createEndpoint(pool, scope);
    const other = await createEndpoint(pool, scope);
    const id = await record(event({ type: 'billing.operational_alert', exceptEndpointId: failing.id }));
    expect((await deliveriesOf(id)).map((row) => row.endpoint_id)).toEqual([other.id]);
  });
});

describe('the commit listener', () => {
  test('gets the events of committed transactions only', async () => {
    const own = await openPool({ url: database.url });
    const told: string[] = [];
    onEvents(own, (eventIds) => {
      told.push(...eventIds);
    });
    const failing = inTransaction(own, async (tx) => {
      await recordEvent(tx, event());
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(told).toEqual([]);
    const written = await inTransaction(own, async (tx) => {
      const ids = [await recordEvent(tx, event()), await recordEvent(tx, event({ aggregateVersion: 3 }))];
      expect(told).toEqual([]);
      return ids;
    });
    expect(told).toEqual(written);
    await own.end();
  });

  test('stores the events of one change together and in order, each for the endpoints that subscribe to it', async () => {
    const { id: all } = await createEndpoint(pool, scope);
    const { id: invoices } = await createEndpoint(pool, scope, { eventTypes: ['invoice.created'] });
    const both = [event(), event({ type: 'invoice.created', aggregateId: `${scope.merchantId}_inv` })];
    await inTransaction(pool, (tx) => recordEvents(tx, both));
    // Recording the same events again.
    await inTransaction(pool, (tx) => recordEvents(tx, both));
    const told = await pool.any(sql.type(z.object({ type: z.string(), endpoints: z.array(z.string()) }))`
      select type, array(select endpoint_id from deliveries where event_id = events.id order by endpoint_id) as endpoints
      from events where merchant_id = ${scope.merchantId} order by occurred_at`);
    expect(told).toEqual([
      { type: 'payment.succeeded', endpoints: [all] },
      { type: 'invoice.created', endpoints: [all, invoices].sort() },
    ]);
    const other = [...both.slice(0, 1), event({ ...both[1], product: null })];
    const conflict = inTransaction(pool, (tx) => recordEvents(tx, other));
    await expect(conflict).rejects.toThrow(EventConflictError);
  });

  test('misses no event, because recording one in a plain transaction throws', async () => {
    const plain = pool.transaction((tx) => recordEvent(tx, event()));
    await expect(plain).rejects.toThrow('inTransaction');
    expect(await pool.any(sql.unsafe`select from events where merchant_id = ${scope.merchantId}`)).toEqual(
      [],
    );
  });
});

describe('endpointsToWake', () => {
  test('names endpoints that would sleep past the delivery, but none that is awake, paused or disabled', async () => {
    const asleep = await createEndpoint(pool, scope);
    const awake = await createEndpoint(pool, scope);
    await pool.query(
      sql.unsafe`update webhook_endpoints set wakes_at = service_clock() where id = ${awake.id}`,
    );
    await createEndpoint(pool, scope, { status: 'paused' });
    const id = await record(event());
    expect(await endpointsToWake(pool, [id])).toEqual([{ endpointId: asleep.id, ...scope }]);
  });

  test('notifies the drain of an awake endpoint, but not of a sleeping endpoint', async () => {
    const awake = await createEndpoint(pool, scope);
    await pool.query(sql.unsafe`update webhook_endpoints set wakes_at = '-infinity' where id = ${awake.id}`);
    const asleep = await createEndpoint(pool, scope);
    const changes = listenForChanges({
      databaseUrl: database.url,
      channel: 'delivery_due',
      onLost: () => {},
    });
    const notified: string[] = [];
    const subscriptions = [awake, asleep].map(({ id }) => changes.subscribe(id, () => notified.push(id)));
    try {
      // Subscribing itself notifies once when the connection is up.
      await eventually(() => expect(notified).toHaveLength(2));
      notified.length = 0;
      await endpointsToWake(pool, [await record(event())]);
      await eventually(() => expect(notified).toEqual([awake.id]));
    } finally {
      for (const unsubscribe of subscriptions) unsubscribe();
    }
  });

  test('names an endpoint once for many events', async () => {
    const { id } = await createEndpoint(pool, scope);
    const ids = [await record(event()), await record(event({ aggregateVersion: 3 }))];
    expect((await endpointsToWake(pool, ids)).map((row) => row.endpointId)).toEqual([id]);
    expect(await endpointsToWake(pool, [])).toEqual([]);
  });
});
