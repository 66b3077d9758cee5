/**
 * Rows that PostgreSQL reads for one event, with plans made on empty tables without statistics: a dead
 * endpoint's backlog must not slow down other endpoints.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { type DeliveryResult, leaseDeliveries, recordResults } from '../../../db/webhook/deliveries.ts';
import { endpointsToWake } from '../../../db/webhook/endpoint-sleep.ts';
import { type EndpointRef, recordEvent } from '../../../db/webhook/events.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';

const BACKLOG = 3_000;
/** PostgreSQL considers a generic plan after the fifth execution. */
const UNTIL_PLANNED = 8;

let database: OpenTestDatabase;
let pool: Pool;
let good: EndpointRef;
let dead: EndpointRef;
let version = 0;

beforeAll(async () => {
  // A single connection, because plans and unflushed statistics belong to a connection.
  database = await openTestDatabase({ maxConnections: 1 });
  ({ pool } = database);
  await pool.query(sql.unsafe`alter table deliveries set (autovacuum_enabled = off)`);
  [good, dead] = await Promise.all([openShop(), openShop()]);
});
afterAll(() => database?.close());

async function openShop(): Promise<EndpointRef> {
  const scope = await createMerchant(pool);
  const { id: endpointId } = await createEndpoint(pool, scope);
  return { endpointId, ...scope };
}

/** The path of one event: written, announced, leased, delivered. */
async function deliverOne(endpoint: EndpointRef): Promise<void> {
  const { merchantId, environment, endpointId } = endpoint;
  version += 1;
  const event = {
    scope: { merchantId, environment },
    type: 'payment.succeeded' as const,
    aggregateId: merchantId,
    aggregateVersion: version,
  };
  const eventId = await inTransaction(pool, (tx) => recordEvent(tx, event));
  await endpointsToWake(pool, [eventId]);
  const [leased] = await leaseDeliveries(pool, { endpointId, token: eventId, limit: 8, leaseSeconds: 60 });
  expect(leased?.eventId).toBe(eventId);
  await recordResults(pool, { endpoint, token: eventId, failing: false, results: [delivered(eventId)] });
}

const delivered = (eventId: string): DeliveryResult => ({
  eventId,
  url: 'https://shop.example/hooks',
  leasedAtMs: Date.now(),
  delivered: true,
  httpStatus: 200,
  error: null,
  response: 'ok',
  requestHeaders: { 'service-signature': 't=1,v1=00' },
  durationMs: 3,
  nextInSeconds: null,
});

/** Adds undeliverable deliveries, or a long history of succeeded ones. */
async function fill(endpoint: EndpointRef, status: 'pending' | 'succeeded'): Promise<void> {
  const { merchantId, environment, endpointId } = endpoint;
  await pool.query(sql.unsafe`
    with written as (
      insert into events (id, merchant_id, environment, type, aggregate_id, aggregate_version, occurred_at, body)
      select ${endpointId} || n, ${merchantId}, ${environment}, 'payment.succeeded', ${endpointId}, n, service_clock(), '{}'
      from generate_series(1, ${BACKLOG}) as n
      returning id
    )
    insert into deliveries (endpoint_id, event_id, status) select ${endpointId}, id, ${status} from written`);
}

/** Rows of `deliveries` read so far, by any plan. */
async function rowsRead(): Promise<number> {
  await pool.query(sql.unsafe`select pg_stat_force_next_flush()`);
  const count = z.object({ count: z.int() });
  return pool.oneFirst(sql.type(count)`
    select (seq_tup_read + idx_tup_fetch)::int4 as count from pg_stat_user_tables where relname = 'deliveries'`);
}

test('the rows read for one event do not grow with past deliveries or a backlog', async () => {
  for (let i = 0; i < UNTIL_PLANNED; i += 1) await deliverOne(good);
  await fill(good, 'succeeded');
  await fill(dead, 'pending');
  const before = await rowsRead();
  await deliverOne(good);
  // Each statement reads only the delivery's own row: looked up, leased and locked, updated.
  expect((await rowsRead()) - before).toBeLessThanOrEqual(20);
});
