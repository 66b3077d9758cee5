/** An endpoint's leases, results and sleep on a real database (rules 22 and 23). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { inTransaction } from '../../../db/core/transaction.ts';
import {
  type DeliveryResult,
  leaseDeliveries,
  recordResults,
  releaseDeliveries,
} from '../../../db/webhook/deliveries.ts';
import { endpointsOverdue } from '../../../db/webhook/due-endpoints.ts';
import { alertOfFailingEndpoints } from '../../../db/webhook/endpoint-health.ts';
import { endpointsToWake, markAwake, planSleep } from '../../../db/webhook/endpoint-sleep.ts';
import { deleteEndpoint, enableEndpoint, pauseEndpoint } from '../../../db/webhook/endpoint-status.ts';
import { type EndpointRef, recordEvent } from '../../../db/webhook/events.ts';
import { pruneEvents } from '../../../db/webhook/prune-events.ts';
import {
  beginRecovery,
  oldestHeld,
  recoverBatch,
  unfinishedRecoveries,
} from '../../../db/webhook/recover-deliveries.ts';
import { redeliver } from '../../../db/webhook/redeliver.ts';
import { findWebhookEndpoint, updateWebhookEndpoint } from '../../../db/webhook/webhook-endpoints.ts';
import { type OpenTestDatabase, openTestDatabase } from '../../support/db/postgres.ts';
import { createEndpoint, createMerchant } from '../../support/db/webhooks.ts';

let database: OpenTestDatabase;
let pool: Pool;
let endpoint: EndpointRef;
let version = 0;

beforeAll(async () => {
  database = await openTestDatabase();
  ({ pool } = database);
});
afterAll(() => database?.close());
beforeEach(async () => {
  const scope = await createMerchant(pool);
  const { id } = await createEndpoint(pool, scope, { url: URL_OF_ENDPOINT });
  endpoint = { endpointId: id, ...scope };
});

const URL_OF_ENDPOINT = 'https://shop.example/hooks';

const event = () => ({
  scope: { merchantId: endpoint.merchantId, environment: endpoint.environment },
  type: 'payment.succeeded' as const,
  aggregateId: endpoint.merchantId,
  aggregateVersion: ++version,
});
const record = () => inTransaction(pool, (tx) => recordEvent(tx, event()));
const lease = (token: string, limit = 10, leaseSeconds = 60) =>
  leaseDeliveries(pool, { endpointId: endpoint.endpointId, token, limit, leaseSeconds });
const idsOf = (leased: readonly { eventId: string }[]) => leased.map(({ eventId }) => eventId).sort();
const result = (eventId: string, changes: Partial<DeliveryResult> = {}): DeliveryResult => ({
  eventId,
  url: URL_OF_ENDPOINT,
  leasedAtMs: Date.now(),
  delivered: true,
  httpStatus: 200,
  error: null,
  response: '',
  requestHeaders: { 'service-signature': 't=1,v1=00' },
  durationMs: 12,
  nextInSeconds: null,
  ...changes,
});
const failed = (eventId: string, changes: Partial<DeliveryResult> = {}) =>
  result(eventId, {
    delivered: false,
    httpStatus: 500,
    error: 'the endpoint answered 500',
    nextInSeconds: 60,
    ...changes,
  });
const write = (token: string, results: DeliveryResult[], failing = false) =>
  recordResults(pool, { endpoint, token, results, failing });
const delivery = (eventId: string) =>
  pool.one(
    sql.type(z.object({ status: z.string(), attempts: z.int(), lease_token: z.string().nullable() }))`
      select status, attempts, lease_token from deliveries
      where endpoint_id = ${endpoint.endpointId} and event_id = ${eventId}`,
  );
const attempts = (eventId: string) =>
  pool.anyFirst(sql.type(z.object({ attempt: z.int() }))`
    select attempt from delivery_attempts where event_id = ${eventId} order by attempt`);
const later = (seconds: number) =>
  pool.query(sql.unsafe`
    update deliveries set next_attempt_at = next_attempt_at - make_interval(secs => ${seconds}),
      leased_until = leased_until - make_interval(secs => ${seconds})`);

describe('a lease', () => {
  test('takes each due delivery once, the longest overdue first', async () => {
    const ids = [await record(), await record(), await record()];
    const first = await lease('a', 2);
    expect(idsOf(first)).toEqual(ids.slice(0, 2).sort());
    expect(idsOf(await lease('b'))).toEqual(ids.slice(2));
    expect(await lease('c')).toEqual([]);
  });

  test('never takes a delivery twice under concurrency', async () => {
    const ids = await Promise.all(Array.from({ length: 40 }, record));
    const leases = await Promise.all(Array.from({ length: 8 }, (_, index) => lease(`token-${index}`, 7)));
    const all = idsOf(leases.flat());
    expect(new Set(all).size).toBe(all.length);
    expect(all.length + (await lease('rest', 100)).length).toBe(ids.length);
  });

  test('holds no lock while its deliveries are sent', async () => {
    const id = await record();
    await lease('a');
    const free = pool.any(sql.unsafe`select from deliveries where event_id = ${id} for update nowait`);
    await expect(free).resolves.toHaveLength(1);
  });

  test('expires: another lease then takes the delivery, and the result of the first no longer counts', async () => {
    const id = await record();
    await lease('killed', 10, 30);
    await later(29);
    expect(await lease('too early')).toEqual([]);
    await later(2);
    expect(idsOf(await lease('heir'))).toEqual([id]);
    await write('killed', [failed(id)]);
    expect(await delivery(id)).toEqual({ status: 'pending', attempts: 0, lease_token: 'heir' });
    expect(await attempts(id)).toEqual([]);
    await write('heir', [result(id)]);
    expect(await delivery(id)).toEqual({ status: 'succeeded', attempts: 1, lease_token: null });
  });

  test('finds nothing while the endpoint is paused', async () => {
    await record();
    await pauseEndpoint(pool, endpoint, { actor: 'ada' });
    expect(await lease('a')).toEqual([]);
    await enableEndpoint(pool, endpoint, { actor: 'ada' });
    expect(await lease('a')).toHaveLength(1);
  });

  test('includes, after a resume, deliveries held since the given instant', async () => {
    expect(await oldestHeld(pool, endpoint.endpointId)).toBeNull();
    const ids = [await record(), await record()];
    await pool.query(sql.unsafe`
      update webhook_endpoints set status = 'disabled' where id = ${endpoint.endpointId}`);
    await pool.query(sql.unsafe`
      update deliveries set status = 'held' where endpoint_id = ${endpoint.endpointId}`);
    await enableEndpoint(pool, endpoint, { actor: 'ada' });
    const since = await oldestHeld(pool, endpoint.endpointId);
    const until = (await beginRecovery(pool, endpoint, since ?? '', { actor: 'ada' })) ?? '';
    const batch = { endpointId: endpoint.endpointId, since: since ?? '', until, after: null, limit: 10 };
    expect((await recoverBatch(pool, batch)).recovered).toBe(ids.length);
    expect(await oldestHeld(pool, endpoint.endpointId)).toBeNull();
  });

  test('does not count as an attempt if it is released', async () => {
    const id = await record();
    await lease('a');
    await releaseDeliveries(pool, { ...endpoint, token: 'other' }, [id]);
    expect(await lease('b')).toEqual([]);
    await releaseDeliveries(pool, { ...endpoint, token: 'a' }, [id]);
    expect((await lease('b'))[0]).toMatchObject({ eventId: id, attempts: 0 });
  });
});

describe('a recovery', () => {
  const begin = () => beginRecovery(pool, endpoint, '2020-01-01T00:00:00Z', { actor: 'ada' });
  const ofEndpoint = async () =>
    (await unfinishedRecoveries(pool, 100)).filter(({ endpointId }) => endpointId === endpoint.endpointId);
  const aMinuteLater = () =>
    pool.query(
      sql.unsafe`update webhook_endpoints set recover_until = recover_until - interval '61 seconds'`,
    );
  const goneAt = async () => [failed(await record(), { httpStatus: 410, nextInSeconds: null })];

  test('is its endpoint’s only recovery until a batch finds no more deliveries', async () => {
    const until = (await begin()) ?? '';
    expect(await begin()).toBeNull();
    const { endpointId } = endpoint;
    const batch = { endpointId, since: '2020-01-01T00:00:00Z', until, after: null, limit: 10 };
    await recoverBatch(pool, { ...batch, until: '2020-01-02T00:00:00Z' });
    expect(await begin()).toBeNull();
    await recoverBatch(pool, batch);
    expect(await begin()).not.toBeNull();
  });

  test.each([
    ['paused', () => pauseEndpoint(pool, endpoint, { actor: 'ada' })],
    ['deleted', () => deleteEndpoint(pool, endpoint, { actor: 'ada' })],
    ['disabled', async () => write('a', await goneAt())],
  ])('is unfinished after a minute, until its endpoint is %s', async (_status, end) => {
    await begin();
    expect(await ofEndpoint()).toEqual([]);
    await aMinuteLater();
    expect(await ofEndpoint()).toMatchObject([endpoint]);
    await end();
    expect(await ofEndpoint()).toEqual([]);
    // The endpoint is not enabled, so nothing may become due.
    expect(await begin()).toBeNull();
    const eventId = await record();
    await pool.query(sql.unsafe`
      insert into deliveries (endpoint_id, event_id, status, next_attempt_at)
      values (${endpoint.endpointId}, ${eventId}, 'exhausted', service_clock())
      on conflict (endpoint_id, event_id) do update set status = 'exhausted'`);
    const batch = {
      ...endpoint,
      since: '2020-01-01T00:00:00Z',
      until: '2120-01-01T00:00:00Z',
      after: null,
      limit: 10,
    };
    expect(await recoverBatch(pool, batch)).toMatchObject({ recovered: 0, next: { eventId: '' } });
    expect((await delivery(eventId)).status).toBe('exhausted');
  });
});

describe('a 410', () => {
  test.each([
    ['disables the endpoint', {}, 'disabled'],
    ['of an earlier URL only fails', { url: 'https://new.example/hooks' }, 'enabled'],
  ])('%s', async (_name, changes, status) => {
    const id = await record();
    await lease('a');
    await updateWebhookEndpoint(pool, endpoint.merchantId, endpoint.endpointId, changes, { actor: 'ada' });
    await write('a', [failed(id, { httpStatus: 410 })]);
    expect(await delivery(id)).toMatchObject({ status: 'pending', attempts: 1 });
    const { merchantId, endpointId } = endpoint;
    expect(await findWebhookEndpoint(pool, merchantId, endpointId)).toMatchObject({ status });
  });
});

describe('a result', () => {
  test('is written once, with its row in the attempt log', async () => {
    const id = await record();
    await lease('a');
    await write('a', [failed(id)]);
    await write('a', [failed(id)]);
    expect(await delivery(id)).toEqual({ status: 'pending', attempts: 1, lease_token: null });
    expect(await attempts(id)).toEqual([1]);
  });

  test('never overwrites a success, whatever the result of a late or repeated attempt', async () => {
    const id = await record();
    await lease('a');
    await write('a', [result(id)]);
    await write('a', [failed(id)]);
    expect(await delivery(id)).toMatchObject({ status: 'succeeded', attempts: 1 });
    await pool.query(sql.unsafe`update deliveries set status = 'pending' where event_id = ${id}`);
    await lease('b');
    await write('b', [failed(id)]);
    expect(await delivery(id)).toMatchObject({ status: 'succeeded', attempts: 2 });
  });

  test('leaves the delivery due if a person has redelivered it since', async () => {
    const ids = [await record(), await record()];
    const leased = await lease('a');
    for (const id of ids) await redeliver(pool, endpoint, id, { actor: 'ada' });
    const { leasedAtMs } = leased[0] ?? { leasedAtMs: Number.NaN };
    await write('a', [
      result(ids[0] ?? '', { leasedAtMs }),
      failed(ids[1] ?? '', { leasedAtMs, nextInSeconds: null }),
    ]);
    expect(idsOf(await lease('b'))).toEqual([...ids].sort());
    await write(
      'b',
      ids.map((id) => failed(id, { nextInSeconds: null })),
    );
    // The delivery that succeeded in between keeps its status.
    expect([(await delivery(ids[0] ?? '')).status, (await delivery(ids[1] ?? '')).status]).toEqual([
      'succeeded',
      'exhausted',
    ]);
  });

  test('leaves the delivery due in a new round if the endpoint was recovered during its last attempt', async () => {
    const [first, last] = [await record(), await record()];
    await pool.query(
      sql.unsafe`update deliveries set attempts = 2, round_attempts = 2 where event_id = ${last}`,
    );
    const [{ leasedAtMs = Number.NaN } = {}] = await lease('a');
    const until = (await beginRecovery(pool, endpoint, '2020-01-01T00:00:00Z', { actor: 'ada' })) ?? '';
    const { endpointId } = endpoint;
    const batch = { endpointId, since: '2020-01-01T00:00:00Z', until, after: null, limit: 10 };
    // The first attempt of a round is followed by others.
    expect((await recoverBatch(pool, batch)).recovered).toBe(1);
    expect((await recoverBatch(pool, batch)).recovered).toBe(0);
    await write('a', [failed(first, { leasedAtMs }), failed(last, { leasedAtMs, nextInSeconds: null })]);
    expect(await delivery(last)).toMatchObject({ status: 'pending', attempts: 3 });
    expect(await lease('b')).toMatchObject([{ eventId: last, roundAttempts: 0 }]);
  });

  test('without a next attempt exhausts the delivery, with one alert a day', async () => {
    const ids = [await record(), await record()];
    await lease('a');
    const first = await write('a', [failed(ids[0] ?? '', { nextInSeconds: null })]);
    const second = await write('a', [failed(ids[1] ?? '', { nextInSeconds: null })]);
    expect([first, second]).toEqual([true, false]);
    await pool.query(sql.unsafe`
      update webhook_endpoints set last_exhausted_alert_at = last_exhausted_alert_at - interval '1 day'`);
    const third = await record();
    await lease('a');
    expect(await write('a', [failed(third, { nextInSeconds: null })])).toBe(true);
  });

  test('raises an alert after 15 minutes of failures, once per series', async () => {
    const alerts = () =>
      pool.oneFirst(sql.type(z.object({ count: z.number() }))`
        select count(*) from operator_alerts where code = 'webhook_endpoint_failing' and reference = ${endpoint.endpointId}`);
    const alertsAfter = async (minutes: number) => {
      await pool.query(sql.unsafe`
        update webhook_endpoints set failing_since = service_clock() - ${minutes} * interval '1 minute'
        where id = ${endpoint.endpointId}`);
      await alertOfFailingEndpoints(pool);
      return alerts();
    };
    const id = await record();
    await lease('a');
    expect(await write('a', [failed(id)], true)).toBe(false);
    expect([await alertsAfter(14), await alertsAfter(16), await alertsAfter(17)]).toEqual([0, 1, 1]);
    await pool.query(sql.unsafe`
      update webhook_endpoints set last_failing_alert_at = last_failing_alert_at - interval '1 hour'`);
    expect(await alertsAfter(16)).toBe(2);
  });

  test('after a pause leaves a failed delivery to be retried once the endpoint is resumed', async () => {
    const [bad, good] = [await record(), await record()];
    await lease('a');
    await pauseEndpoint(pool, endpoint, { actor: 'ada' });
    await write('a', [failed(bad), result(good)]);
    expect([(await delivery(bad)).status, (await delivery(good)).status]).toEqual(['pending', 'succeeded']);
  });

  test('of success among failures keeps the endpoint from being marked as failing', async () => {
    const ids = [await record(), await record()];
    await lease('a');
    await pool.query(sql.unsafe`
      update webhook_endpoints set failing_since = service_clock() - interval '6 days' where id = ${endpoint.endpointId}`);
    expect(await write('a', [failed(ids[0] ?? ''), result(ids[1] ?? '')], true)).toBe(false);
    expect((await planSleep(pool, endpoint.endpointId)).failingSince).toBeNull();
  });
});

describe('the sleep of an endpoint', () => {
  test('lasts until the next attempt or a wake-up', async () => {
    expect(await planSleep(pool, endpoint.endpointId)).toMatchObject({
      missed: false,
      sleepMs: null,
      waiting: 0,
    });
    const id = await record();
    await lease('a');
    await write('a', [failed(id, { nextInSeconds: 300 })]);
    const plan = await planSleep(pool, endpoint.endpointId);
    expect(plan).toMatchObject({ missed: false, waiting: 1 });
    expect(plan.sleepMs).toBeGreaterThan(299_000);
    expect(plan.sleepMs).toBeLessThanOrEqual(300_000);
  });

  test('ends with the lease that a killed worker left', async () => {
    await record();
    await lease('killed', 10, 20);
    const { sleepMs } = await planSleep(pool, endpoint.endpointId);
    expect(sleepMs).toBeGreaterThan(19_000);
    expect(sleepMs).toBeLessThanOrEqual(20_000);
  });

  test('lasts as long as the endpoint is paused, however many deliveries wait', async () => {
    await record();
    await pauseEndpoint(pool, endpoint, { actor: 'ada' });
    expect(await planSleep(pool, endpoint.endpointId)).toMatchObject({
      status: 'paused',
      sleepMs: null,
      missed: false,
    });
  });

  test('does not begin if a writer committed between the plan and the second check', async () => {
    // The writer's transaction is open during the plan and commits before the second check.
    let commit = () => {};
    const mayCommit = new Promise<void>((resolve) => {
      commit = resolve;
    });
    let inserted = () => {};
    const isInserted = new Promise<void>((resolve) => {
      inserted = resolve;
    });
    const writing = inTransaction(pool, async (tx) => {
      const id = await recordEvent(tx, event());
      inserted();
      await mayCommit;
      return id;
    });
    await isInserted;
    let statements = 0;
    const slow = new Proxy(pool, {
      get(target, name) {
        const value = Reflect.get(target, name);
        if (name !== 'oneFirst' && name !== 'one') return value;
        return async (query: never) => {
          statements += 1;
          // Runs after the plan is committed and before the second check.
          if (statements === 2) {
            commit();
            await writing;
          }
          return Reflect.apply(value, target, [query]);
        };
      },
    });
    const plan = await planSleep(slow, endpoint.endpointId);
    expect(statements).toBe(2);
    expect(plan.missed).toBe(true);
    // The writer, which checks in a new statement after its commit, also sees that the drain sleeps.
    expect(await endpointsToWake(pool, [await writing])).toHaveLength(1);
  });

  test('is seen by any writer that commits after it began, however writers and drains interleave', async () => {
    const lost: string[] = [];
    for (let round = 0; round < 40; round += 1) {
      await markAwake(pool, endpoint.endpointId);
      const writer = (async () => {
        const id = await record();
        return { id, woken: (await endpointsToWake(pool, [id])).length > 0 };
      })();
      const sleeper = planSleep(pool, endpoint.endpointId);
      const [{ id, woken }, plan] = await Promise.all([writer, sleeper]);
      const seen = plan.missed || plan.sleepMs !== null;
      if (!woken && !seen) lost.push(id);
      await write(
        'x',
        idsOf(await lease('x')).map((eventId) => result(eventId)),
      );
    }
    expect(lost).toEqual([]);
  });

  test('releases deliveries held at the moment a pause ended', async () => {
    const id = await record();
    await pool.query(sql.unsafe`update deliveries set status = 'held' where event_id = ${id}`);
    expect(await planSleep(pool, endpoint.endpointId)).toMatchObject({ waiting: 1, sleepMs: 0 });
    expect((await delivery(id)).status).toBe('pending');
  });
});

describe('the sweep', () => {
  const overdue = async () => (await endpointsOverdue(pool)).map(({ endpointId }) => endpointId);

  test('finds an endpoint whose delivery is more than 5 s overdue, whatever its wakes_at', async () => {
    await record();
    await pool.query(
      sql.unsafe`update webhook_endpoints set wakes_at = 'infinity' where id = ${endpoint.endpointId}`,
    );
    await later(4);
    expect(await overdue()).not.toContain(endpoint.endpointId);
    await later(2);
    expect(await overdue()).toContain(endpoint.endpointId);
    await lease('a');
    expect(await overdue()).not.toContain(endpoint.endpointId);
  });

  test('ignores paused endpoints and deliveries that wait for a recovery', async () => {
    await record();
    await later(60);
    await pauseEndpoint(pool, endpoint, { actor: 'ada' });
    expect(await overdue()).not.toContain(endpoint.endpointId);
    await enableEndpoint(pool, endpoint, { actor: 'ada' });
    const [{ eventId = '' } = {}] = await lease('a');
    await write('a', [failed(eventId, { httpStatus: 410 })]);
    await planSleep(pool, endpoint.endpointId);
    await enableEndpoint(pool, endpoint, { actor: 'ada' });
    await planSleep(pool, endpoint.endpointId);
    await later(600);
    expect((await delivery(eventId)).status).toBe('held');
    expect(await overdue()).not.toContain(endpoint.endpointId);
  });
});

describe('pruning', () => {
  test('deletes events older than 90 days with their deliveries and attempts in batches, and keeps newer events', async () => {
    const old = [await record(), await record(), await record()];
    const young = await record();
    await lease('a');
    await write(
      'a',
      [...old, young].map((id) => result(id)),
    );
    const age = (id: string, days: number) =>
      pool.query(sql.unsafe`
        update events set created_at = service_clock() - make_interval(days => ${days}) where id = ${id}`);
    for (const id of old) await age(id, 91);
    await age(young, 89);
    expect(await pruneEvents(pool, 2)).toBe(2);
    expect(await pruneEvents(pool, 2)).toBe(1);
    expect(await pruneEvents(pool, 2)).toBe(0);
    const left = sql.type(z.object({ events: z.int(), deliveries: z.int(), attempts: z.int() }));
    const counts = await pool.one(left`
      select
        (select count(*)::int4 from events where merchant_id = ${endpoint.merchantId}) as events,
        (select count(*)::int4 from deliveries where endpoint_id = ${endpoint.endpointId}) as deliveries,
        (select count(*)::int4 from delivery_attempts where endpoint_id = ${endpoint.endpointId}) as attempts`);
    expect(counts).toEqual({ events: 1, deliveries: 1, attempts: 1 });
  });
});
