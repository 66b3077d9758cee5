/** Deliveries of a paused, disabled, enabled or deleted endpoint, and how they change status (rule 23). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import { moveBacklog } from '../../../db/webhook/backlog.ts';
import { leaseDeliveries, recordResults } from '../../../db/webhook/deliveries.ts';
import { endpointsOverdue, endpointsWithDue } from '../../../db/webhook/due-endpoints.ts';
import { endpointsToWake, planSleep } from '../../../db/webhook/endpoint-sleep.ts';
import { deleteEndpoint, enableEndpoint, pauseEndpoint } from '../../../db/webhook/endpoint-status.ts';
import { type EndpointRef, recordEvent } from '../../../db/webhook/events.ts';
import { beginRecovery, oldestHeld, recoverBatch } from '../../../db/webhook/recover-deliveries.ts';
import { redeliver } from '../../../db/webhook/redeliver.ts';
import { listLoggedEvents } from '../../../db/webhook/search-deliveries.ts';
import { eventually } from '../../support/core/eventually.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';

const BATCH = 20;
const BACKLOG = 3 * BATCH + 10;
const ada = { actor: 'ada' };

let database: OpenTestDatabase;
let pool: Pool;
let endpoint: EndpointRef;
let version = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
  // Counts the rows that each statement changes, in any session.
  await pool.query(sql.unsafe`create table moves (rows integer not null)`);
  await pool.query(sql.unsafe`
    create function count_moves() returns trigger language plpgsql as $$
    begin
      insert into moves
      select count(*) from old_rows join new_rows using (endpoint_id, event_id) where old_rows.status <> new_rows.status;
      return null;
    end $$`);
  await pool.query(sql.unsafe`
    create trigger count_moves after update on deliveries
    referencing old table as old_rows new table as new_rows for each statement execute function count_moves()`);
});
afterAll(() => database?.close());
beforeEach(async () => {
  const scope = await createMerchant(pool);
  const { id } = await createEndpoint(pool, scope);
  endpoint = { endpointId: id, ...scope };
  await pool.query(sql.unsafe`truncate moves`);
});

const scope = () => ({ merchantId: endpoint.merchantId, environment: endpoint.environment });
const event = () => ({
  scope: scope(),
  type: 'payment.succeeded' as const,
  aggregateId: endpoint.merchantId,
  aggregateVersion: ++version,
});
const record = () => inTransaction(pool, (tx) => recordEvent(tx, event()));
const recordMany = async (count: number) => {
  const ids: string[] = [];
  for (let i = 0; i < count; i += 1) ids.push(await record());
  return ids;
};
const lease = (limit = 1_000) =>
  leaseDeliveries(pool, { endpointId: endpoint.endpointId, token: 'a', limit, leaseSeconds: 60 });
const leasedIds = async (limit?: number) => (await lease(limit)).map(({ eventId }) => eventId);
const settle = () => moveBacklog(pool, endpoint.endpointId, { limit: BATCH });
const answer = (eventIds: readonly string[], httpStatus: number) =>
  recordResults(pool, {
    endpoint,
    token: 'a',
    failing: false,
    results: eventIds.map((eventId) => ({
      eventId,
      url: 'https://shop.example/hooks',
      leasedAtMs: Date.now(),
      delivered: httpStatus < 300,
      httpStatus,
      error: httpStatus < 300 ? null : `the endpoint answered ${httpStatus}`,
      response: '',
      requestHeaders: {},
      durationMs: 1,
      nextInSeconds: httpStatus < 300 ? null : 300,
    })),
  });
/** Makes the endpoint's response to one delivery disable the endpoint. */
const disable = async () => {
  const [first = ''] = await leasedIds(1);
  expect(await answer([first], 410)).toBe(true);
};
const statusOf = (eventId: string) =>
  pool.oneFirst(sql.type(z.object({ status: z.string() }))`
    select status from deliveries where endpoint_id = ${endpoint.endpointId} and event_id = ${eventId}`);
const counts = async () =>
  Object.fromEntries(
    (
      await pool.any(sql.type(z.object({ status: z.string(), count: z.int() }))`
        select status, count(*)::int4 as count from deliveries
        where endpoint_id = ${endpoint.endpointId} group by status`)
    ).map(({ status, count }) => [status, count]),
  );
const mostMoved = () =>
  pool.oneFirst(sql.type(z.object({ most: z.int() }))`select coalesce(max(rows), 0) as most from moves`);
const shown = async (status: string) =>
  (
    await listLoggedEvents(pool, { ...scope(), endpointId: endpoint.endpointId, status, limit: 100 }, null)
  ).flatMap(({ deliveries }) => deliveries.map((each) => [each.status, each.next_attempt_at]));
const recoverAll = async (since = '2020-01-01T00:00:00Z') => {
  const until = (await beginRecovery(pool, endpoint, since, ada)) ?? '';
  const { endpointId } = endpoint;
  let after: Parameters<typeof recoverBatch>[1]['after'] = null;
  let all = 0;
  for (;;) {
    const { recovered, next } = await recoverBatch(pool, { endpointId, since, until, after, limit: BATCH });
    if (next === null) return all;
    all += recovered;
    after = next;
  }
};

describe('a backlog of several batches', () => {
  test('is sent in order when a pause ends, without duplicates', async () => {
    const ids = await recordMany(BACKLOG);
    await pauseEndpoint(pool, endpoint, ada);
    ids.push(...(await recordMany(5)));
    await settle();
    expect(await lease()).toEqual([]);
    await enableEndpoint(pool, endpoint, ada);
    const later = await record();
    const sent: string[] = [];
    while (sent.length < ids.length) sent.push(...(await leasedIds(5)).sort(by(ids)));
    expect(sent).toEqual(ids);
    expect(await leasedIds()).toEqual([later]);
    // Neither change may have moved a delivery.
    expect(await mostMoved()).toBe(0);
  });

  test('is held when its endpoint is disabled, and sent when it is recovered', async () => {
    await recordMany(BACKLOG);
    await disable();
    const missed = BACKLOG + (await recordMany(5)).length;
    await settle();
    expect(await counts()).toEqual({ held: missed });
    await enableEndpoint(pool, endpoint, ada);
    await settle();
    const later = await record();
    expect(await leasedIds()).toEqual([later]);
    await answer([later], 200);
    expect(await counts()).toEqual({ held: missed, succeeded: 1 });
    expect(await recoverAll()).toBe(missed);
    expect(await lease()).toHaveLength(missed);
    expect(await mostMoved()).toBe(BATCH);
  });

  test('is not sent without a recovery if its endpoint is enabled before the backlog is held', async () => {
    const ids = await recordMany(BACKLOG);
    await disable();
    await enableEndpoint(pool, endpoint, ada);
    const later = await record();
    expect(await lease()).toEqual([]);
    await settle();
    expect(await leasedIds()).toEqual([later]);
    expect(await counts()).toEqual({ held: ids.length, pending: 1 });
  });

  test('is not missed by a recovery that begins before it is held', async () => {
    await recordMany(BACKLOG);
    await disable();
    await enableEndpoint(pool, endpoint, ada);
    const since = (await oldestHeld(pool, endpoint.endpointId)) ?? '';
    expect(await recoverAll(since)).toBe(BACKLOG);
    await settle();
    expect(await counts()).toEqual({ pending: BACKLOG });
    expect(await lease()).toHaveLength(BACKLOG);
  });

  test('is not sent after its endpoint is deleted, and is shown as held', async () => {
    const ids = await recordMany(BACKLOG);
    await deleteEndpoint(pool, endpoint, ada);
    await settle();
    expect(await lease()).toEqual([]);
    expect(await shown('held')).toHaveLength(ids.length);
    expect(await mostMoved()).toBe(0);
  });

  test('is moved completely by concurrent runs, in batches', async () => {
    await recordMany(BACKLOG);
    await disable();
    expect(await Promise.all([settle(), settle(), settle()])).toEqual([true, true, true]);
    expect(await counts()).toEqual({ held: BACKLOG });
    expect(await mostMoved()).toBeLessThanOrEqual(BATCH);
  });

  test('waits for the next run if the worker stops between two batches', async () => {
    await recordMany(BACKLOG);
    await disable();
    const stopping = new AbortController();
    const plan = await planSleep(pool, endpoint.endpointId, {
      limit: BATCH,
      moved: () => stopping.abort(),
      stop: stopping.signal,
    });
    expect(plan).toMatchObject({ status: 'disabled', missed: true });
    expect(await counts()).toEqual({ held: BATCH, pending: BACKLOG - BATCH });
    expect(await planSleep(pool, endpoint.endpointId)).toMatchObject({ missed: false, sleepMs: null });
    expect(await counts()).toEqual({ held: BACKLOG });
  });
});

const by = (order: readonly string[]) => (a: string, b: string) => order.indexOf(a) - order.indexOf(b);

/** Resolves once a statement waits for a lock on the table. */
const untilLocked = (table: string) =>
  eventually(async () =>
    expect(
      await pool.exists(sql.unsafe`
        select from pg_locks l join pg_database d on d.oid = l.database
        where not l.granted and l.relation = ${table}::regclass and d.datname = current_database()`),
    ).toBe(true),
  );

describe('a delivery to a disabled endpoint', () => {
  test('is held if an attempt was running, even if the next attempt is due later', async () => {
    const [failed = '', gone = ''] = await recordMany(2);
    await lease();
    await answer([gone], 410);
    await answer([failed], 500);
    await settle();
    expect([await statusOf(failed), await statusOf(gone)]).toEqual(['held', 'held']);
  });

  test('is sent when the endpoint is enabled, if it was resent while disabled', async () => {
    const [resent = '', missed = ''] = await recordMany(2);
    await disable();
    await redeliver(pool, endpoint, resent, ada);
    await settle();
    expect(await lease()).toEqual([]);
    await enableEndpoint(pool, endpoint, ada);
    await settle();
    expect(await leasedIds()).toEqual([resent]);
    expect(await statusOf(missed)).toBe('held');
  });

  test('is held before anything is sent, if its writer commits after the backlog was held', async () => {
    await record();
    const written = Promise.withResolvers<void>();
    const mayCommit = Promise.withResolvers<void>();
    const writing = inTransaction(pool, async (tx) => {
      const id = await recordEvent(tx, event());
      written.resolve();
      await mayCommit.promise;
      return id;
    });
    await written.promise;
    await disable();
    await settle();
    mayCommit.resolve();
    const late = await writing;
    await enableEndpoint(pool, endpoint, ada);
    expect(await lease()).toEqual([]);
    await settle();
    expect(await lease()).toEqual([]);
    expect(await statusOf(late)).toBe('held');
  });

  test('is held even if its writer still saw the endpoint enabled; one written after re-enabling is sent', async () => {
    await record();
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    let late: string;
    try {
      // Blocks the alert that the status change waits for.
      await other.query('begin');
      await other.query('lock table operator_alerts in share mode');
      const disabling = disable();
      await untilLocked('operator_alerts');
      late = await record();
      await other.query('commit');
      await disabling;
    } finally {
      await other.end();
    }
    await enableEndpoint(pool, endpoint, ada);
    const later = await record();
    expect(await lease()).toEqual([]);
    await settle();
    expect(await statusOf(late)).toBe('held');
    expect(await leasedIds()).toEqual([later]);
  });

  test('is sent if its writer still saw the endpoint disabled when it was enabled; events missed earlier stay held', async () => {
    const missed = await record();
    await disable();
    await settle();
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    let late: string;
    try {
      await other.query('begin');
      await other.query('lock table audit_log in share mode');
      const enabling = enableEndpoint(pool, endpoint, ada);
      await untilLocked('audit_log');
      late = await record();
      await other.query('commit');
      await enabling;
    } finally {
      await other.end();
    }
    expect(await statusOf(late)).toBe('held');
    expect((await endpointsOverdue(pool)).map(({ endpointId }) => endpointId)).toContain(endpoint.endpointId);
    await settle();
    expect(await leasedIds()).toEqual([late]);
    expect(await statusOf(missed)).toBe('held');
  });

  test('is held as soon as another transaction releases its lock', async () => {
    const [locked = ''] = await recordMany(2);
    await disable();
    await enableEndpoint(pool, endpoint, ada);
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    try {
      await other.query('begin');
      await other.query('select from deliveries where event_id = $1 for update', [locked]);
      let looks = 0;
      const settled = moveBacklog(pool, endpoint.endpointId, {
        limit: BATCH,
        moved: () => {
          looks += 1;
          if (looks === 2) void other.query('commit');
        },
      });
      expect(await settled).toBe(true);
      expect(looks).toBeGreaterThanOrEqual(2);
    } finally {
      await other.end();
    }
    expect(await counts()).toEqual({ held: 2 });
  });
});

describe('an endpoint whose backlog is not held yet', () => {
  const isOverdue = async () =>
    (await endpointsOverdue(pool)).some(({ endpointId }) => endpointId === endpoint.endpointId);

  test('is found by the sweep until it is held, whether disabled or enabled', async () => {
    await recordMany(BATCH);
    await disable();
    expect(await isOverdue()).toBe(true);
    await settle();
    expect(await isOverdue()).toBe(false);
    await enableEndpoint(pool, endpoint, ada);
    expect(await isOverdue()).toBe(true);
    await settle();
    expect(await isOverdue()).toBe(false);
  });

  test('has nothing due, because its writers rely on the run that holds the backlog', async () => {
    await recordMany(BATCH);
    const due = () => endpointsWithDue(pool, [endpoint.endpointId]);
    expect(await due()).toEqual([endpoint.endpointId]);
    await disable();
    await enableEndpoint(pool, endpoint, ada);
    const later = await record();
    expect([await due(), await endpointsToWake(pool, [later])]).toEqual([[], []]);
    expect(await planSleep(pool, endpoint.endpointId)).toMatchObject({ sleepMs: 0, waiting: 1 });
    expect(await due()).toEqual([endpoint.endpointId]);
  });
});

describe('a paused endpoint', () => {
  test('has nothing due, and its deliveries are shown as held until it is resumed', async () => {
    await record();
    await pauseEndpoint(pool, endpoint, ada);
    await record();
    expect(await endpointsWithDue(pool, [endpoint.endpointId])).toEqual([]);
    expect([await shown('held'), await shown('pending')]).toEqual([
      [
        ['held', null],
        ['held', null],
      ],
      [],
    ]);
    await enableEndpoint(pool, endpoint, ada);
    expect(await shown('held')).toEqual([]);
    expect((await shown('pending')).map(([status]) => status)).toEqual(['pending', 'pending']);
  });
});
