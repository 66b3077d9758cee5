/**
 * No delivery is missed between a drain that goes to sleep and a writer that still sees it awake (rule 22).
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { type Db, type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { endpointsLongOverdue, endpointsOverdue } from '../../../db/webhook/due-endpoints.ts';
import { endpointsToWake, markAwake, planSleep } from '../../../db/webhook/endpoint-sleep.ts';
import { recordEvent } from '../../../db/webhook/events.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let pool: Pool;
let scope: Scope;
let endpointId: string;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());
beforeEach(async () => {
  scope = await createMerchant(pool);
  endpointId = (await createEndpoint(pool, scope)).id;
});

let version = 0;
const write = () =>
  inTransaction(pool, (tx) =>
    recordEvent(tx, {
      scope,
      type: 'payment.succeeded',
      aggregateId: scope.merchantId,
      aggregateVersion: ++version,
    }),
  );

const deliverAll = () =>
  pool.query(sql.unsafe`update deliveries set status = 'succeeded' where endpoint_id = ${endpointId}`);

/** A pool that runs a callback just before its n-th statement. */
function interrupted(before: number, happens: () => Promise<unknown>): Db {
  let statements = 0;
  const next = async (method: 'query' | 'one', query: Parameters<Db['query']>[0]) => {
    statements += 1;
    if (statements === before) await happens();
    return pool[method](query);
  };
  return {
    ...pool,
    query: (query: Parameters<Db['query']>[0]) => next('query', query),
    one: (query: Parameters<Db['query']>[0]) => next('one', query),
  } as Db;
}

describe('a delivery written while the drain goes to sleep', () => {
  // An earlier writer has set the flag, which keeps the next writer from signalling.
  test.each([1, 2, 3, 4])(
    'before the drain’s statement %i, or after its last, is seen by the drain or wakes it',
    async (statement) => {
      expect(await endpointsToWake(pool, [await write()])).toHaveLength(1);
      await markAwake(pool, endpointId);
      await deliverAll();
      let told: number | undefined;
      const writeAndTell = async () => {
        told = (await endpointsToWake(pool, [await write()])).length;
      };
      const plan = await planSleep(interrupted(statement, writeAndTell), endpointId);
      if (told === undefined) await writeAndTell();
      const drainGoesOn = plan.missed || plan.sleepMs === 0;
      expect(drainGoesOn || told === 1).toBe(true);
    },
  );

  test('is picked up by the second check if its writer saw the drain awake', async () => {
    await markAwake(pool, endpointId);
    const eventId = await write();
    expect(await endpointsToWake(pool, [eventId])).toEqual([]);
    // Simulates a drain that planned its sleep from an earlier snapshot.
    await pool.query(sql.unsafe`update webhook_endpoints set wakes_at = 'infinity' where id = ${endpointId}`);
    const plan = await planSleep(withoutPlan(), endpointId);
    expect(plan.missed).toBe(true);
  });
});

/** Simulates a plan stored before the delivery was committed. */
function withoutPlan(): Db {
  const one = (query: Parameters<Db['one']>[0]) => pool.one(query);
  return { ...pool, oneFirst: async () => false, one } as unknown as Db;
}

describe('several writers to a sleeping endpoint', () => {
  const tell = async () => (await endpointsToWake(pool, [await write()])).length;

  test('wake it once, and again only if it has not woken after a second', async () => {
    expect([await tell(), await tell(), await tell()]).toEqual([1, 0, 0]);
    await pool.query(sql.unsafe`
      update webhook_endpoints set woken_at = woken_at - interval '1 second' where id = ${endpointId}`);
    expect([await tell(), await tell()]).toEqual([1, 0]);
  });

  test('wake it again as soon as its next sleep is planned', async () => {
    await tell();
    await markAwake(pool, endpointId);
    await deliverAll();
    expect(await planSleep(pool, endpointId)).toMatchObject({ sleepMs: null, missed: false });
    expect(await tell()).toBe(1);
  });

  test('do not wait for a row locked by another transaction', async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select from webhook_endpoints where id = $1 for no key update', [endpointId]);
      expect(await tell()).toBe(1);
    } finally {
      await other.end();
    }
  });

  test('still wake it if `woken_at` is in the future because the clock was set back', async () => {
    await pool.query(sql.unsafe`
      update webhook_endpoints set woken_at = service_clock() + interval '1 hour' where id = ${endpointId}`);
    expect(await tell()).toBe(1);
  });
});

describe('the sweep', () => {
  const overdueBy = (interval: string) =>
    pool.query(sql.unsafe`
    update deliveries set next_attempt_at = service_clock() - ${interval}::interval where endpoint_id = ${endpointId}`);
  const isOverdue = async () => (await endpointsOverdue(pool)).some((one) => one.endpointId === endpointId);

  test.each(['-infinity', 'infinity'])(
    'finds an endpoint with an overdue delivery, even if it wakes at %s',
    async (at) => {
      await write();
      await pool.query(
        sql.unsafe`update webhook_endpoints set wakes_at = ${at}::timestamptz where id = ${endpointId}`,
      );
      expect(await isOverdue()).toBe(false);
      await overdueBy('6 seconds');
      expect(await isOverdue()).toBe(true);
    },
  );

  test('finds an endpoint that a delivery should have woken in an earlier round', async () => {
    const isLongOverdue = async () =>
      (await endpointsLongOverdue(pool, 10_000)).some((one) => one.endpointId === endpointId);
    await write();
    await overdueBy('59 seconds');
    expect(await isLongOverdue()).toBe(false);
    await overdueBy('62 seconds');
    expect(await isLongOverdue()).toBe(true);
    await pool.query(sql.unsafe`
      update deliveries set leased_until = service_clock() - interval '30 seconds' where endpoint_id = ${endpointId}`);
    expect(await isLongOverdue()).toBe(false);
  });

  test('ignores deliveries leased by another drain', async () => {
    await write();
    await overdueBy('6 seconds');
    await pool.query(sql.unsafe`
      update deliveries set leased_until = service_clock() + interval '30 seconds' where endpoint_id = ${endpointId}`);
    expect(await isOverdue()).toBe(false);
  });
});
