import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { resolveUpdate } from '../../../workflows/session/session-messages.ts';
import { atBest } from '../../support/core/at-best.ts';
import { followServer, takeOverClock } from '../../support/db/moving-clock.ts';
import { timeSkippingServer } from '../../support/temporal/time-skipping.ts';
import { createSessionWorld, type SessionWorld } from '../../support/world/checkout-world.ts';

const APPROVED = '4242424242424242';
const CHALLENGE = '4000002760003184';
const MINUTE_MS = 60_000;

/** The service's defaults, not shortened. */
const REAL_TIMINGS = {
  reconcileSeconds: [2, 5, 15, 30, 60, 120],
  reconcileLongSeconds: [300, 900, 3_600, 21_600, 86_400],
};

let server: TestWorkflowEnvironment;
let world: SessionWorld;

beforeAll(async () => {
  server = await timeSkippingServer();
  world = await createSessionWorld({
    timings: REAL_TIMINGS,
    temporal: {
      client: server.client,
      nativeConnection: server.nativeConnection,
      namespace: server.namespace ?? 'default',
    },
    beforeActivity: (pool) => followServer(pool, server),
  });
  await takeOverClock(world.pool);
  await world.startWorker();
  // A worker's first task takes seconds, during which a time-skipping server would let its time-outs pass.
  const first = await session();
  await world.pay(first, APPROVED);
  await world.until(first, 'succeeded');
});
afterAll(async () => {
  await world?.close();
  await server?.teardown();
});

async function session(): Promise<string> {
  await followServer(world.pool, server);
  return world.session();
}

const handle = (id: string) => server.client.workflow.getHandle(id);

function lateness(id: string): Promise<number> {
  return world.pool.oneFirst(sql.type(z.object({ seconds: z.number() }))`
    select extract(epoch from finished_at - expires_at) as seconds from checkouts where id = ${id}
  `);
}

describe('with the real 30 and 10 minutes', () => {
  test('an unpaid session fails at its expiry, at most 5 s late', async () => {
    const expire = async () => {
      const id = await session();
      expect(await handle(id).result()).toEqual({ state: 'failed', failureReason: 'expired' });
      const late = await lateness(id);
      expect(late).toBeGreaterThanOrEqual(0);
      return late;
    };
    expect(await atBest(5, expire)).toBeLessThan(5);
  });

  test('an abandoned challenge is cancelled at the rail after 10 minutes, and the session can be paid again', async () => {
    const id = await session();
    await world.pay(id, CHALLENGE);
    await world.until(id, 'requires_action');
    await server.sleep(9.5 * MINUTE_MS);
    expect((await world.view(id)).state).toBe('requires_action');
    await server.sleep(1 * MINUTE_MS);
    await world.until(id, 'created');
    expect(await world.payments(id)).toMatchObject([{ status: 'cancelled' }]);
    await followServer(world.pool, server);
    await world.pay(id, APPROVED);
    await world.until(id, 'succeeded');
  });

  test('a challenge still open at the session’s expiry ends with it, at the rail first', async () => {
    const expire = async () => {
      const id = await session();
      await server.sleep(25 * MINUTE_MS);
      await followServer(world.pool, server);
      await world.pay(id, CHALLENGE);
      await world.until(id, 'requires_action');
      expect(await handle(id).result()).toEqual({ state: 'failed', failureReason: 'expired' });
      expect(await world.payments(id)).toMatchObject([{ status: 'cancelled' }]);
      return lateness(id);
    };
    expect(await atBest(5, expire)).toBeLessThan(5);
  });

  test('an unreachable rail is asked again after 2, 5, 15, 30, 60 and 120 s, then after 5 min, and finally every day', async () => {
    const id = await session();
    world.faults.add({ operation: 'authorize', mode: 'drop-before', count: 1, delayMs: 0 });
    for (const operation of ['lookup', 'cancel'] as const) {
      world.faults.add({ operation, mode: '500', count: 10_000, delayMs: 0 });
    }
    await world.pay(id, APPROVED);
    await server.sleep(3.5 * MINUTE_MS);
    expect((await world.view(id)).state).toBe('processing');
    await server.sleep(0.6 * MINUTE_MS);
    await world.until(id, 'reconciliation_required');
    await server.sleep(10 * 24 * 60 * MINUTE_MS);
    const asked = (await world.railRequests()).filter(({ operation }) => operation === 'lookup').length;
    await server.sleep(3 * 24 * 60 * MINUTE_MS);
    const later = (await world.railRequests()).filter(({ operation }) => operation === 'lookup').length;
    expect(later - asked).toBeGreaterThanOrEqual(2);
    expect((await world.view(id)).state).toBe('reconciliation_required');
    world.faults.clear();
    const request = { outcome: 'failed', operator: 'op', reason: 'test over', evidence: 'none' } as const;
    await handle(id)
      .executeUpdate(resolveUpdate, { args: [request] })
      .catch(() => {});
    await world.until(id, 'failed');
  });
});
