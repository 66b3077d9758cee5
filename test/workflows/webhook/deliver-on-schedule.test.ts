/** The real three-day schedule on a time-skipping server. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { eventually } from '../../support/core/eventually.ts';
import { followServer, takeOverClock } from '../../support/db/moving-clock.ts';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';
import { type Receiver, startReceiver, status } from '../../support/server/receiver.ts';
import { timeSkippingServer } from '../../support/temporal/time-skipping.ts';
import { type Delivery, QUICK, startDelivery } from '../../support/world/delivery.ts';

const SCHEDULE = [0, 5, 300, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400];
const DAY_MS = 86_400_000;
/** Tolerance for a slow machine, far below the next interval. */
const LATE_SECONDS = 10;

let server: TestWorkflowEnvironment;
let delivery: Delivery | undefined;
let receiver: Receiver;
let version = 0;
let endWorkflow: () => Promise<unknown> = async () => {};

beforeAll(async () => {
  server = await timeSkippingServer();
});
afterAll(() => server?.teardown());
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  // Its timers would fire in the next test, which shares this server.
  await endWorkflow();
  await delivery?.stop();
  delivery = undefined;
  await receiver.stop();
});

/** Delivery with the real schedule, and one event to the endpoint. */
async function deliverOne(jitter: number) {
  const { client, nativeConnection, namespace = 'default' } = server;
  delivery = await startDelivery(
    { ...QUICK, scheduleSeconds: SCHEDULE, jitter, idleSeconds: 0.02 },
    {
      temporal: { client, nativeConnection, namespace },
      beforeDrain: (pool) => followServer(pool, server),
    },
  );
  const { pool, record } = delivery;
  await takeOverClock(pool);
  const scope = await createMerchant(pool);
  const { id: endpointId } = await createEndpoint(pool, scope, { url: receiver.url });
  const send = async () => {
    await followServer(pool, server);
    version += 1;
    return record({
      scope,
      type: 'payment.succeeded',
      aggregateId: scope.merchantId,
      aggregateVersion: version,
    });
  };
  const eventId = await send();
  endWorkflow = () => client.workflow.getHandle(endpointId).terminate();
  return { pool, endpointId, eventId, send };
}

type Scene = Awaited<ReturnType<typeof deliverOne>>;

/** Seconds between the end of each attempt and the end of the previous one, by the database's clock. */
async function waits({ pool }: Scene, eventId: string): Promise<number[]> {
  const ends = await pool.anyFirst(sql.type(z.object({ at: z.string() }))`
    select at from delivery_attempts where event_id = ${eventId} order by attempt`);
  return ends.slice(1).map((at, index) => (Date.parse(at) - Date.parse(ends[index] ?? '')) / 1_000);
}

const attempts = ({ pool }: Scene, eventId: string) =>
  pool.oneFirst(
    sql.type(z.object({ attempts: z.int() }))`select attempts from deliveries where event_id = ${eventId}`,
  );

/** Skips time from attempt to attempt until that many were made. */
async function skipUntilAttempts(scene: Scene, count: number, eventId = scene.eventId): Promise<void> {
  for (let made = await attempts(scene, eventId); made < count; made = await attempts(scene, eventId)) {
    await server.sleep(((SCHEDULE[made] ?? 0) * 1.1 + 3) * 1_000);
    await eventually(async () => expect(await attempts(scene, eventId)).toBeGreaterThan(made));
  }
}

describe('an endpoint that never accepts', () => {
  test('gets exactly ten attempts, on schedule', async () => {
    receiver.answer = status(500);
    const scene = await deliverOne(0);
    await eventually(async () => expect(await attempts(scene, scene.eventId)).toBe(1));
    await skipUntilAttempts(scene, 10);
    const measured = await waits(scene, scene.eventId);
    expect(measured).toHaveLength(9);
    for (const [index, wait] of measured.entries()) {
      const scheduled = SCHEDULE[index + 1] ?? 0;
      expect(wait).toBeGreaterThanOrEqual(scheduled);
      expect(wait).toBeLessThan(scheduled + LATE_SECONDS);
    }
    await server.sleep(3 * DAY_MS);
    expect(await attempts(scene, scene.eventId)).toBe(10);
    expect(receiver.received).toHaveLength(10);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
  }, 120_000);

  test('gets each attempt within the bounds of its jittered wait', async () => {
    receiver.answer = status(500);
    const scene = await deliverOne(0.1);
    await eventually(async () => expect(await attempts(scene, scene.eventId)).toBe(1));
    await skipUntilAttempts(scene, 8);
    const measured = await waits(scene, scene.eventId);
    for (const [index, wait] of measured.entries()) {
      const scheduled = SCHEDULE[index + 1] ?? 0;
      expect(wait).toBeGreaterThanOrEqual(scheduled);
      expect(wait).toBeLessThan(scheduled * 1.1 + LATE_SECONDS);
    }
    // Seven waits that all equal the schedule would mean that there is no jitter.
    expect(measured.some((wait, index) => wait > (SCHEDULE[index + 1] ?? 0) * 1.005 + LATE_SECONDS)).toBe(
      true,
    );
  }, 120_000);

  test('is disabled after five days without a success, but not earlier', async () => {
    receiver.answer = status(500);
    const scene = await deliverOne(0);
    const endpoint = () =>
      scene.pool.one(sql.type(z.object({ status: z.string(), failing_since: z.string().nullable() }))`
        select status, failing_since from webhook_endpoints where id = ${scene.endpointId}`);
    await eventually(async () => expect((await endpoint()).failing_since).not.toBeNull());
    await skipUntilAttempts(scene, 10);
    // A little more than three days have passed; the second event's eighth attempt comes 32 hours later.
    const second = await scene.send();
    await eventually(async () => expect(await attempts(scene, second)).toBe(1));
    await skipUntilAttempts(scene, 8, second);
    expect((await endpoint()).status).toBe('enabled');
    await skipUntilAttempts(scene, 9, second);
    await eventually(async () => expect((await endpoint()).status).toBe('disabled'));
    const codes = await scene.pool.anyFirst(sql.type(z.object({ code: z.string() }))`
      select body::jsonb -> 'alert' ->> 'code' as code from events where type = 'billing.operational_alert' order by created_at`);
    expect(codes).toEqual(['webhook_deliveries_exhausted', 'webhook_endpoint_disabled']);
  }, 120_000);
});
