/** "Where is my event?": the log of events and attempts, and resending. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { loggedAttempt, loggedEvent } from '../../../contract/webhook/webhook-endpoints.ts';
import { sql } from '../../../db/core/pool.ts';
import { expectMarks, expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { asPerson, testPeopleGate } from '../../support/api/people.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertApiKey, insertMerchant } from '../../support/db/fixtures.ts';
import { createEndpoint, type TestEndpoint } from '../../support/db/webhooks.ts';
import { type Receiver, startReceiver } from '../../support/server/receiver.ts';
import { createTestNamespace } from '../../support/temporal/temporal.ts';
import { type Delivery, QUICK, startDelivery } from '../../support/world/delivery.ts';

let api: TestApi;
let delivery: Delivery;
let receiver: Receiver;
let merchantId: string;
let apiKey: string;
let endpoint: TestEndpoint;
let version = 0;

beforeAll(async () => {
  const temporal = await createTestNamespace();
  api = await startTestApi({ temporal, merchantGate: testPeopleGate });
  delivery = await startDelivery(
    { ...QUICK, scheduleSeconds: [0, 1] },
    { databaseUrl: api.databaseUrl, temporal },
  );
});
afterAll(async () => {
  await delivery?.stop();
  await api?.stop();
});
beforeEach(async () => {
  receiver = await startReceiver();
  merchantId = await insertMerchant(api.pool);
  apiKey = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
  endpoint = await createEndpoint(api.pool, { merchantId, environment: 'sandbox' }, { url: receiver.url });
});
afterEach(() => receiver.stop());

const path = (rest: string) => `/v1/merchants/${merchantId}/${rest}`;
const get = (rest: string) => api.request('GET', path(rest), { apiKey });
const person = (method: string, rest: string, body?: unknown) =>
  api.request(method, path(rest), { headers: asPerson(merchantId), ...(body !== undefined && { body }) });
const record = (type: 'payment.succeeded' | 'payment.failed' = 'payment.succeeded') =>
  delivery.record({
    scope: { merchantId, environment: 'sandbox' },
    type,
    aggregateId: merchantId,
    aggregateVersion: ++version,
  });
const statusOf = async (eventId: string) =>
  (await get(`webhook-events/${eventId}`)).body.deliveries[0].status;
const settled = (eventId: string, wanted: string) =>
  eventually(async () => expect(await statusOf(eventId)).toBe(wanted));
const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);

/** The names of all rows of a list, across all pages. */
async function readPages(list: string, betweenPages: () => Promise<unknown> = async () => {}) {
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await get(`${list}${cursor && `&cursor=${cursor}`}`);
    seen.push(...body.data.map((row: { id?: string; event_id?: string; attempt?: number }) => nameOf(row)));
    cursor = body.next_cursor;
    await betweenPages();
  }
  return seen;
}

/** A cursor that no list has returned. */
const cursorOf = (...position: string[]) => Buffer.from(JSON.stringify(position)).toString('base64url');

/** The name of a row: an event's id, or an attempt's event and number. */
const nameOf = ({ id, event_id, attempt }: { id?: string; event_id?: string; attempt?: number }) =>
  id ?? `${event_id} ${attempt}`;

describe('the list of events', () => {
  test('shows each event with its deliveries, newest first', async () => {
    const first = await record();
    await settled(first, 'succeeded');
    const second = await record('payment.failed');
    await settled(second, 'succeeded');
    const answer = await get('webhook-events');
    expect(answer.status).toBe(200);
    expectMarks(answer);
    expect(ids(answer)).toEqual([second, first]);
    const [shown] = answer.body.data.map((event: unknown) => loggedEvent.parse(event));
    expect(shown).toMatchObject({ type: 'payment.failed', environment: 'sandbox' });
    expect(shown.deliveries).toEqual([
      expect.objectContaining({
        endpoint_id: endpoint.id,
        status: 'succeeded',
        attempts: 1,
        last_status: 200,
        last_error: null,
        next_attempt_at: null,
      }),
    ]);
  });

  test('shows an event that no endpoint subscribes to, without deliveries', async () => {
    await person('PATCH', `webhook-endpoints/${endpoint.id}`, { event_types: ['payment.failed'] });
    const eventId = await record();
    const [shown] = (await get('webhook-events')).body.data;
    expect(shown).toMatchObject({ id: eventId, deliveries: [] });
  });

  test('is filtered by type, time, status and endpoint', async () => {
    receiver.answer = (response, { event }) =>
      response.writeHead(event.type === 'payment.failed' ? 500 : 200).end();
    const good = await record();
    await settled(good, 'succeeded');
    const between = new Date(Date.now() + 1).toISOString();
    await new Promise((resolve) => setTimeout(resolve, 5));
    const bad = await record('payment.failed');
    await settled(bad, 'exhausted');
    const other = await createEndpoint(api.pool, { merchantId, environment: 'sandbox' });

    expect(ids(await get('webhook-events?type=payment.failed'))).toEqual([bad]);
    expect(ids(await get('webhook-events?status=exhausted'))).toEqual([bad]);
    expect(ids(await get('webhook-events?status=succeeded'))).toEqual([good]);
    expect(ids(await get('webhook-events?status=held'))).toEqual([]);
    expect(ids(await get(`webhook-events?to=${between}`))).toEqual([good]);
    expect(ids(await get(`webhook-events?type=payment.failed&from=${between}`))).toEqual([bad]);
    expect(ids(await get(`webhook-events?type=payment.failed&to=${between}`))).toEqual([]);
    expect(ids(await get(`webhook-events?endpoint_id=${endpoint.id}`))).toEqual([bad, good]);
    expect(ids(await get(`webhook-events?endpoint_id=${other.id}`))).toEqual([]);
    expect(
      ids(await get(`webhook-events?endpoint_id=${endpoint.id}&status=exhausted&type=payment.succeeded`)),
    ).toEqual([]);
  });

  test('is paginated without gaps or duplicates while new events arrive', async () => {
    const written: string[] = [];
    for (let i = 0; i < 7; i += 1) written.unshift(await record());
    expect(await readPages('webhook-events?limit=3', () => record())).toEqual(written);
  });

  test('is paginated even if all rows have the same instant', async () => {
    const written: string[] = [];
    for (let i = 0; i < 7; i += 1) written.push(await record());
    await api.pool.query(sql.unsafe`
      update events set created_at = (select service_clock() - interval '1 hour') where merchant_id = ${merchantId}`);
    expect(await readPages('webhook-events?limit=3')).toEqual(written.sort().reverse());
  });

  test.each(['%2B16:00', '-23:59'])('accepts instants with any offset, as %s', async (offset) => {
    const eventId = await record();
    const always = `from=2026-01-01T00:00:00${offset}&to=9999-12-30T00:00:00${offset}`;
    expect(ids(await get(`webhook-events?${always}`))).toEqual([eventId]);
    expect((await get(`webhook-attempts?${always}`)).status).toBe(200);
  });

  test.each([
    'limit=0',
    'to=9999-12-31T23:59:59-23:59',
    'from=1970-01-01T00:00:00%2B16:00',
    'limit=101',
    'limit=many',
    'type=payment.exploded',
    'status=lost',
    'from=yesterday',
    'to=0000-01-01T00:00:00Z',
    'environment=test',
    'endpoint_id=%00',
    'cursor=nonsense',
    `cursor=${Buffer.from('["2026-02-31T00:00:00.000000Z","evt_1"]').toString('base64url')}`,
    `cursor=${cursorOf('0000-01-01T00:00:00.000000Z', 'evt_1')}`,
    `cursor=${cursorOf('2026-01-01T00:00:00.000000Z', 'evt_\0')}`,
    `cursor=${Buffer.from('{}').toString('base64url')}`,
  ])('400 invalid_request: ?%s', async (query) => {
    expectRefusal(await person('GET', `webhook-events?${query}`), 400, 'invalid_request');
  });
});

describe('one event', () => {
  test('is shown with the body that was sent', async () => {
    const eventId = await record();
    await receiver.untilReceived(1);
    const { status, body } = await get(`webhook-events/${eventId}`);
    expect(status).toBe(200);
    expect(body.body).toBe(receiver.nth(0).body);
  });

  test.each(['evt_1', 'nonsense', '%00', `evt_${'0'.repeat(32)}`])(
    '404 webhook_event_not_found: %s',
    async (id) => {
      expectRefusal(await get(`webhook-events/${id}`), 404, 'webhook_event_not_found');
      expectRefusal(await person('POST', `webhook-events/${id}/resend`, {}), 404, 'webhook_event_not_found');
    },
  );

  test("404 for another merchant's event, and, with a key, for the other environment's", async () => {
    const eventId = await record();
    const live = await insertApiKey(api.pool, { merchantId, environment: 'production' });
    const answer = await api.request('GET', path(`webhook-events/${eventId}`), { apiKey: live });
    expectRefusal(answer, 404, 'webhook_event_not_found');
    merchantId = await insertMerchant(api.pool);
    expectRefusal(await person('GET', `webhook-events/${eventId}`), 404, 'webhook_event_not_found');
    expectRefusal(
      await person('POST', `webhook-events/${eventId}/resend`, {}),
      404,
      'webhook_event_not_found',
    );
  });
});

describe('the list of attempts', () => {
  test('shows the outcome of each, newest first', async () => {
    receiver.answer = (response, _webhook, count) =>
      count === 1 ? response.writeHead(503).end('overloaded, sorry') : response.writeHead(200).end('thanks');
    const eventId = await record();
    await settled(eventId, 'succeeded');
    const answer = await get(`webhook-attempts?event_id=${eventId}`);
    expectMarks(answer);
    const [second, first] = answer.body.data.map((attempt: unknown) => loggedAttempt.parse(attempt));
    expect(first).toMatchObject({
      event_id: eventId,
      event_type: 'payment.succeeded',
      endpoint_id: endpoint.id,
      attempt: 1,
      status: 503,
      error: 'the endpoint answered 503',
      response: 'overloaded, sorry',
    });
    expect(Date.parse(first.next_attempt_at) - Date.parse(first.at)).toBe(1_000);
    expect(second).toMatchObject({
      attempt: 2,
      status: 200,
      error: null,
      response: 'thanks',
      next_attempt_at: null,
    });
    expect(second.duration_ms).toBeGreaterThanOrEqual(0);
    for (const [attempt, { headers }] of [first, second].map((each, n) => [each, receiver.nth(n)] as const)) {
      expect(headers).toMatchObject(attempt.request_headers);
      expect(attempt.request_headers['service-signature']).toMatch(/^t=\d+,v1=/);
    }
  });

  test('describes the failure of an attempt without a response', async () => {
    await receiver.stop();
    const eventId = await record();
    await settled(eventId, 'exhausted');
    await receiver.start();
    const [last] = (await get(`webhook-attempts?event_id=${eventId}`)).body.data;
    expect(last).toMatchObject({
      attempt: 2,
      status: null,
      error: 'connection refused',
      response: null,
      next_attempt_at: null,
    });
  });

  test('is filtered by outcome, type and endpoint, and paginated', async () => {
    receiver.answer = (response, _webhook, count) => response.writeHead(count % 2 ? 500 : 200).end();
    const eventIds: string[] = [];
    for (let i = 0; i < 3; i += 1) {
      eventIds.push(await record());
      await settled(eventIds[i] ?? '', 'succeeded');
    }
    const of = async (query: string) => (await get(`webhook-attempts?${query}`)).body.data;
    expect(await of('status=failed')).toHaveLength(3);
    expect(await of('status=succeeded')).toHaveLength(3);
    expect(await of('type=payment.failed')).toHaveLength(0);
    expect(await of('endpoint_id=ap_whe_0')).toHaveLength(0);
    const inTime = eventIds.toReversed().flatMap((id) => [`${id} 2`, `${id} 1`]);
    expect(await readPages('webhook-attempts?limit=4')).toEqual(inTime);
    // Results are written in batches: many attempts end at the same instant.
    await api.pool.query(sql.unsafe`
      update delivery_attempts set at = (select service_clock()) where endpoint_id = ${endpoint.id}`);
    expect(await readPages('webhook-attempts?limit=4')).toEqual(inTime.sort().reverse());
  });

  test.each([
    'status=pending',
    'event_id=%00',
    `cursor=${cursorOf('2026-01-01T00:00:00.000000Z', 'e', 'e', 'x')}`,
    `cursor=${cursorOf('0000-01-01T00:00:00.000000Z', 'e', 'e', '1')}`,
    `cursor=${cursorOf('2026-01-01T00:00:00.000000Z', '\0', 'e', '1')}`,
    `cursor=${cursorOf('2026-01-01T00:00:00.000000Z', 'e', '\0', '1')}`,
  ])('400 invalid_request: ?%s', async (query) => {
    expectRefusal(await person('GET', `webhook-attempts?${query}`), 400, 'invalid_request');
  });
});

describe('resending', () => {
  test('resends an event once, with the same id and body; a delivered event stays delivered', async () => {
    const eventId = await record();
    await settled(eventId, 'succeeded');
    receiver.answer = (response) => response.writeHead(500).end();
    const { status, body } = await person('POST', `webhook-events/${eventId}/resend`, {});
    expect({ status, ids: body.endpoint_ids }).toEqual({ status: 202, ids: [endpoint.id] });
    await receiver.untilReceived(2);
    expect(receiver.nth(1).body).toBe(receiver.nth(0).body);
    await settled(eventId, 'succeeded');
    const [second] = (await get(`webhook-attempts?event_id=${eventId}`)).body.data;
    expect(second).toMatchObject({ attempt: 2, status: 500 });
  });

  test('restarts the retry schedule of an exhausted delivery', async () => {
    receiver.answer = (response, _webhook, count) => response.writeHead(count < 4 ? 500 : 200).end();
    const eventId = await record();
    await settled(eventId, 'exhausted');
    await person('POST', `webhook-events/${eventId}/resend`, { endpoint_id: endpoint.id });
    await settled(eventId, 'succeeded');
    expect(receiver.received.map(({ headers }) => headers['service-delivery-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
    ]);
  });

  test('resends to the named endpoint only', async () => {
    const other = await startReceiver();
    try {
      const second = await createEndpoint(
        api.pool,
        { merchantId, environment: 'sandbox' },
        { url: other.url },
      );
      const eventId = await record();
      await receiver.untilReceived(1);
      await other.untilReceived(1);
      await person('POST', `webhook-events/${eventId}/resend`, { endpoint_id: second.id });
      await other.untilReceived(2);
      expect(receiver.received).toHaveLength(1);
      const nobody = await person('POST', `webhook-events/${eventId}/resend`, { endpoint_id: 'ap_whe_0' });
      expectRefusal(nobody, 404, 'webhook_event_not_found');
    } finally {
      await other.stop();
    }
  });

  test('400 invalid_request: an endpoint that is not a string', async () => {
    const answer = await person('POST', `webhook-events/${await record()}/resend`, { endpoint_id: 1 });
    expectRefusal(answer, 400, 'invalid_request');
  });

  test('403 merchant_scope_mismatch: a body that names another merchant', async () => {
    const body = { merchantId: 'ap_mer_other' };
    const answer = await person('POST', `webhook-events/${await record()}/resend`, body);
    expectRefusal(answer, 403, 'merchant_scope_mismatch');
  });

  test('403 administration_forbidden: with an API key', async () => {
    const eventId = await record();
    const answer = await api.request('POST', path(`webhook-events/${eventId}/resend`), { apiKey, body: {} });
    expectRefusal(answer, 403, 'administration_forbidden');
  });
});

seesEveryAnswerOf('listWebhookEvents', 'showWebhookEvent', 'resendWebhookEvent', 'listWebhookAttempts');
