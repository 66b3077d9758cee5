/** An endpoint that accepts events more slowly than they occur is an incident, attributed to its receiver. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { readOverview } from '../../../db/merchant/overview.ts';
import { readBusinessFigures } from '../../../db/operations/business-figures.ts';
import { listIncidents } from '../../../db/operations/incidents.ts';
import { alertOfFailingEndpoints } from '../../../db/webhook/endpoint-health.ts';
import { type EndpointRef, recordEvent } from '../../../db/webhook/events.ts';
import { findWebhookEndpoint } from '../../../db/webhook/webhook-endpoints.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let pool: Pool;
let endpoint: EndpointRef;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());
beforeEach(async () => {
  await pool.query(sql.unsafe`delete from deliveries`);
  const scope = await createMerchant(pool);
  const { id } = await createEndpoint(pool, scope);
  endpoint = { endpointId: id, ...scope };
  for (const aggregateVersion of [1, 2, 3]) {
    const { merchantId, environment } = endpoint;
    const event = { type: 'payment.succeeded', aggregateId: merchantId, aggregateVersion } as const;
    await inTransaction(pool, (tx) => recordEvent(tx, { scope: { merchantId, environment }, ...event }));
  }
});

/** The oldest event has been due for this long, and the latest response took this long. */
async function waits(minutes: number, tookMs: number, { answeredAgo = '0 s', status = 200 } = {}) {
  const { endpointId } = endpoint;
  await pool.query(sql.unsafe`
    update deliveries set next_attempt_at = service_clock() - ${minutes} * interval '1 minute'
    where endpoint_id = ${endpointId}`);
  await pool.query(sql.unsafe`delete from delivery_attempts where endpoint_id = ${endpointId}`);
  await pool.query(sql.unsafe`
    insert into delivery_attempts (endpoint_id, event_id, attempt, at, duration_ms, status)
    select ${endpointId}, event_id, 1, service_clock() - ${answeredAgo}::interval, ${tookMs}, ${status}
    from deliveries where endpoint_id = ${endpointId} limit 1`);
}

const listed = async () =>
  (await listIncidents(pool, { kinds: ['endpoint_failing'] })).map(({ id, reason }) => [id, reason]);

test('events that wait 15 minutes for slow responses are listed with the response time', async () => {
  const { endpointId } = endpoint;
  await waits(14, 8_000);
  expect(await listed()).toEqual([]);
  await waits(16, 8_000);
  expect(await listed()).toEqual([[endpointId, 'slow: responses take 8.0 s, 3 waiting']]);
  await waits(16, 200);
  expect(await listed()).toEqual([]);
  await waits(16, 8_000, { answeredAgo: '3 minutes' });
  expect(await listed()).toEqual([]);
});

test('events that wait for a retry after an error response do not make an endpoint slow', async () => {
  await waits(-1, 8_000, { status: 400 });
  expect(await listed()).toEqual([]);
});

test('the merchant sees a slow endpoint, and its other endpoints get one alert a day', async () => {
  const { merchantId, environment, endpointId } = endpoint;
  const seen = async () => ({
    ...(await findWebhookEndpoint(pool, merchantId, endpointId)),
    attention: (await readOverview(pool, { merchantId, environment })).attention.endpoints_failing,
  });
  await waits(14, 8_000);
  expect(await seen()).toMatchObject({ slow_answer_ms: null, failing_waiting: null, attention: 0 });
  await waits(16, 8_000);
  expect(await seen()).toMatchObject({ slow_answer_ms: 8_000, failing_waiting: 3, attention: 1 });
  const alerts = async () => {
    await alertOfFailingEndpoints(pool);
    return pool.oneFirst(sql.type(z.object({ count: z.number() }))`
      select count(*) from operator_alerts where code = 'webhook_endpoint_failing' and reference = ${endpointId}`);
  };
  expect([await alerts(), await alerts()]).toEqual([1, 1]);
  await pool.query(sql.unsafe`
    update webhook_endpoints set last_failing_alert_at = last_failing_alert_at - interval '25 hours'`);
  expect(await alerts()).toBe(2);
});

test('events that wait for a slow or failing receiver are not reported as late', async () => {
  const late = async () =>
    (await readBusinessFigures(pool, { perMerchant: false })).find(
      ({ name }) => name === 'checkout.webhook.overdue.age',
    )?.value;
  const failing = (since: string | null) =>
    pool.query(
      sql.unsafe`update webhook_endpoints set failing_since = ${since}::timestamptz where id = ${endpoint.endpointId}`,
    );
  await waits(10, 8_000);
  expect(await late()).toBe(0);
  await waits(10, 100);
  expect(await late()).toBeGreaterThan(590);
  await failing('2026-05-03T00:01:00Z');
  expect(await late()).toBe(0);
  await waits(10, 100, { answeredAgo: '3 minutes' });
  expect(await late()).toBeGreaterThan(590);
});
