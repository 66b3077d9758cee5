import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { enterCode } from '../../../db/session/enter-code.ts';
import type { PageView } from '../../../page/document/view.ts';
import { eventually } from '../../support/core/eventually.ts';
import { createTestDatabase, type TestDatabase } from '../../support/db/postgres.ts';
import { createEndpoint } from '../../support/db/webhooks.ts';
import { addAttempt, createSession, moveTo, type TestSession } from '../core/fixtures.ts';
import { type ServedPage, servePage } from '../core/serve.ts';

/** Less than the 15 s after which a stream reads the state without a notification. */
const UNASKED_MS = 12_000;

let database: TestDatabase;
let served: ServedPage;

beforeAll(async () => {
  database = await createTestDatabase();
  served = await servePage({ databaseUrl: database.url });
});
afterAll(async () => {
  await served.close();
  await database.drop();
});

/** The views of a session's stream, as a browser would get them. */
async function* streamOf(session: TestSession, signal: AbortSignal): AsyncGenerator<PageView> {
  const response = await fetch(`${served.url}/pay/${session.pageToken}/events`, { signal });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  let text = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    const messages = text.split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages) {
      const data = /^event: state\ndata: (.*)$/m.exec(message)?.[1];
      if (data) yield JSON.parse(data);
    }
  }
}

async function open(session: TestSession) {
  const closing = new AbortController();
  const stream = streamOf(session, closing.signal);
  const next = async () => (await stream.next()).value as PageView | undefined;
  return { next, close: () => closing.abort() };
}

const milliseconds = async (work: () => Promise<unknown>) => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

test('a code entered in one tab updates the other tabs immediately', async () => {
  const session = await createSession(served.pool, { coupons: [{ code: 'SPRING', percent: 50 }] });
  const stream = await open(session);
  expect(await stream.next()).toMatchObject({ amount: 1_900, coupon: null });
  const took = await milliseconds(async () => {
    await enterCode(served.pool, session.id, 'spring');
    expect(await stream.next()).toMatchObject({ amount: 950, coupon: { code: 'SPRING' } });
  });
  expect(took).toBeLessThan(UNASKED_MS);
  stream.close();
});

test('a stream starts with the state and sends each change as it happens', async () => {
  const session = await createSession(served.pool);
  const stream = await open(session);
  expect((await stream.next())?.state).toBe('created');
  await addAttempt(served.pool, session, { status: 'processing' });
  await moveTo(served.pool, session, 'processing');
  const took = await milliseconds(async () => expect((await stream.next())?.state).toBe('processing'));
  expect(took).toBeLessThan(UNASKED_MS);
  stream.close();
});

test('a change reaches every open page of its session and no other page', async () => {
  const [session, other] = [await createSession(served.pool), await createSession(served.pool)];
  const [one, two, stranger] = [await open(session), await open(session), await open(other)];
  await Promise.all([one.next(), two.next(), stranger.next()]);
  await moveTo(served.pool, session, 'failed', 'cancelled');
  expect((await one.next())?.failureReason).toBe('cancelled');
  expect((await two.next())?.failureReason).toBe('cancelled');
  await moveTo(served.pool, other, 'succeeded');
  expect((await stranger.next())?.state).toBe('succeeded');
  stranger.close();
});

test('a stream without changes sends heartbeats that the page sees', async () => {
  const session = await createSession(served.pool);
  const closing = new AbortController();
  const response = await fetch(`${served.url}/pay/${session.pageToken}/events`, { signal: closing.signal });
  let text = '';
  const took = await milliseconds(async () => {
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      // A browser drops an event without a data line.
      if (/^event: heartbeat\ndata:\n\n/m.test(text)) break;
    }
  });
  expect(took).toBeLessThan(UNASKED_MS);
  closing.abort();
});

test('a stream ends with the final state', async () => {
  const session = await createSession(served.pool);
  const stream = await open(session);
  await stream.next();
  await moveTo(served.pool, session, 'failed', 'expired');
  expect((await stream.next())?.state).toBe('failed');
  expect(await stream.next()).toBeUndefined();
});

test('changes are sent again after the database has dropped every connection', async () => {
  const session = await createSession(served.pool);
  const stream = await open(session);
  await stream.next();
  await served.pool.query(sql.unsafe`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`);
  // A change made while the listener is down is sent once it has reconnected.
  await eventually(() => moveTo(served.pool, session, 'processing'));
  const took = await milliseconds(async () => expect((await stream.next())?.state).toBe('processing'));
  expect(took).toBeLessThan(UNASKED_MS);
  await moveTo(served.pool, session, 'succeeded');
  expect((await stream.next())?.state).toBe('succeeded');
  stream.close();
  expect(served.log.join()).toContain('reconnecting');
});

test('429 too_many_streams: a session’s 21st stream', async () => {
  const session = await createSession(served.pool);
  const streams = await Promise.all(Array.from({ length: 20 }, () => open(session)));
  await Promise.all(streams.map((stream) => stream.next()));
  const refused = await fetch(`${served.url}/pay/${session.pageToken}/events`);
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({ code: 'too_many_streams' });
  for (const stream of streams) stream.close();
});

test('404 session_not_found: the stream of an unknown session', async () => {
  const response = await fetch(`${served.url}/pay/ap_chk_unknown/events`);
  expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([
    404,
    'session_not_found',
  ]);
});

/** A finished session whose event is not delivered yet. */
async function finishedUndelivered(state: 'succeeded' | 'failed' = 'succeeded'): Promise<TestSession> {
  const session = await createSession(served.pool);
  const paymentId = await addAttempt(served.pool, session, { status: state });
  const merchantId = await served.pool.oneFirst(
    sql.type(
      z.object({ merchant_id: z.string() }),
    )`select merchant_id from checkouts where id = ${session.id}`,
  );
  const endpoint = await createEndpoint(served.pool, { merchantId, environment: 'sandbox' });
  await served.pool.query(sql.unsafe`
    insert into events (id, merchant_id, environment, type, aggregate_id, aggregate_version, body)
    values (${`evt_${paymentId}`}, ${merchantId}, 'sandbox', 'payment.succeeded', ${paymentId}, 2, '{}')`);
  await served.pool.query(sql.unsafe`
    insert into deliveries (endpoint_id, event_id) values (${endpoint.id}, ${`evt_${paymentId}`})`);
  await moveTo(served.pool, session, state, state === 'failed' ? 'cancelled' : null);
  return session;
}

test('the redirect to the shop waits for the event’s delivery', async () => {
  const session = await finishedUndelivered();
  const stream = await open(session);
  expect(await stream.next()).toMatchObject({
    state: 'succeeded',
    redirect: { url: 'http://localhost:3000/thanks', ready: false },
  });
  await served.pool.query(
    sql.unsafe`update deliveries set status = 'succeeded' where event_id like 'evt_ap_pay%'`,
  );
  expect((await stream.next())?.redirect?.ready).toBe(true);
  expect(await stream.next()).toBeUndefined();
});

test('the redirect to the shop waits about 5 seconds at most', async () => {
  const took = await milliseconds(async () => {
    const session = await finishedUndelivered('failed');
    const stream = await open(session);
    expect((await stream.next())?.redirect).toEqual({ url: 'http://localhost:3000/cart', ready: false });
    expect((await stream.next())?.redirect?.ready).toBe(true);
  });
  expect(took).toBeGreaterThan(4_500);
  expect(took).toBeLessThan(20_000);
});

test('the redirect does not wait for an endpoint whose next try is minutes away', async () => {
  const session = await finishedUndelivered();
  await served.pool.query(sql.unsafe`
    update deliveries set attempts = 1, next_attempt_at = service_clock() + interval '5 minutes'`);
  const stream = await open(session);
  expect((await stream.next())?.redirect?.ready).toBe(true);
  stream.close();
});

test('the redirect does not wait for an endpoint that is paused', async () => {
  const session = await finishedUndelivered();
  await served.pool.query(sql.unsafe`update webhook_endpoints set status = 'paused'`);
  const stream = await open(session);
  expect((await stream.next())?.redirect?.ready).toBe(true);
  stream.close();
});

test('one address holds at most fifty streams, whatever their sessions', async () => {
  const closing = new AbortController();
  const streams = [];
  for (let i = 0; i < 51; i += 1) {
    const { pageToken } = await createSession(served.pool);
    streams.push(await fetch(`${served.url}/pay/${pageToken}/events`, { signal: closing.signal }));
  }
  expect(streams.map(({ status }) => status)).toEqual([...Array(50).fill(200), 429]);
  expect(await streams.at(-1)?.json()).toMatchObject({ code: 'too_many_streams' });
  closing.abort();
  const session = await createSession(served.pool);
  await eventually(async () => {
    const stream = await open(session);
    expect((await stream.next())?.state).toBe('created');
    stream.close();
  });
});
