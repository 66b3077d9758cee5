/** Managing webhook endpoints: people change them, API keys only read them, and each change takes effect. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { z } from 'zod';
import type { ApiContext } from '../../../api/http/context.ts';
import { endpointUrl } from '../../../api/webhook/webhook-endpoints/endpoint-url.ts';
import { webhookEndpoint } from '../../../contract/webhook/webhook-endpoints.ts';
import { sql } from '../../../db/core/pool.ts';
import { verifyWebhook } from '../../../packages/webhooks/src/index.ts';
import { taskQueue } from '../../../workflows/core/task-queues.ts';
import {
  RECOVER_DELIVERIES_WORKFLOW,
  recoverDeliveriesStart,
  recoveryWorkflowId,
} from '../../../workflows/webhook/recovery-messages.ts';
import {
  type Answer,
  expectMarks,
  expectRefusal,
  startTestApi,
  type TestApi,
} from '../../support/api/api.ts';
import { asPerson, PERSON, testPeopleGate } from '../../support/api/people.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertApiKey, insertMerchant } from '../../support/db/fixtures.ts';
import { type Receiver, startReceiver, status } from '../../support/server/receiver.ts';
import { keepHistory } from '../../support/temporal/replay.ts';
import { isTerminated, startStuckRun } from '../../support/temporal/stuck-run.ts';
import { createTestNamespace } from '../../support/temporal/temporal.ts';
import { type Delivery, QUICK, startDelivery } from '../../support/world/delivery.ts';

let api: TestApi;
let delivery: Delivery;
let receiver: Receiver;
let merchantId: string;
let apiKey: string;
let version = 0;

beforeAll(async () => {
  const temporal = await createTestNamespace();
  api = await startTestApi({ temporal, merchantGate: testPeopleGate });
  delivery = await startDelivery(QUICK, { databaseUrl: api.databaseUrl, temporal });
});
afterAll(async () => {
  await delivery?.stop();
  await api?.stop();
});
beforeEach(async () => {
  receiver = await startReceiver();
  merchantId = await insertMerchant(api.pool);
  apiKey = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
});
afterEach(() => receiver.stop());

const base = () => `/v1/merchants/${merchantId}/webhook-endpoints`;
const person = (method: string, path: string, body?: unknown) =>
  api.request(method, path, { headers: asPerson(merchantId), ...(body !== undefined && { body }) });
const create = (fields: object = {}) =>
  person('POST', base(), { environment: 'sandbox', url: receiver.url, ...fields });
async function created(fields: object = {}): Promise<{ id: string; secret: string }> {
  const { status: code, body } = await create(fields);
  expect(code).toBe(201);
  return body;
}
const record = (type: 'payment.succeeded' | 'refund.created' = 'payment.succeeded') =>
  delivery.record({
    scope: { merchantId, environment: 'sandbox' },
    type,
    aggregateId: merchantId,
    aggregateVersion: ++version,
  });
const withoutMarks = ({ body }: Answer) => {
  const { request_id, secret, ...endpoint } = body;
  return endpoint;
};
const audited = () =>
  api.pool.any(sql.type(z.object({ action: z.string(), actor: z.string(), before: z.any(), after: z.any() }))`
    select action, actor, before, after from audit_log where merchant_id = ${merchantId} order by id`);
const deliveryStatus = (eventId: string) =>
  api.pool.oneFirst(sql.type(z.object({ status: z.string() }))`
    select status from deliveries where event_id = ${eventId}`);

describe('creating an endpoint', () => {
  test('answers 201 with its fields and its secret, which is never shown again', async () => {
    const answer = await create({
      event_types: ['payment.succeeded', 'webhook.test'],
      standard_headers: true,
    });
    expect(answer.status).toBe(201);
    expectMarks(answer);
    expect(webhookEndpoint.parse(withoutMarks(answer))).toMatchObject({
      merchant_id: merchantId,
      environment: 'sandbox',
      url: receiver.url,
      event_types: ['payment.succeeded', 'webhook.test'],
      standard_headers: true,
      status: 'enabled',
      disabled_reason: null,
      failing_since: null,
      failing_status: null,
      failing_waiting: null,
      slow_answer_ms: null,
      previous_secret_until: null,
    });
    const { secret, id } = answer.body;
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const shown = [await person('GET', base()), await person('GET', `${base()}/${id}`)];
    expect(JSON.stringify(shown.map(({ body }) => body))).not.toContain(secret.slice(6));
    expect(api.logLines.join('')).not.toContain(secret.slice(6));
  });

  test('stores the secret encrypted', async () => {
    const { id, secret } = await created();
    const stored = await api.pool.oneFirst(sql.type(z.object({ secret: z.instanceof(Buffer) }))`
      select secret from webhook_endpoints where id = ${id}`);
    expect(stored.includes(secret.slice(6))).toBe(false);
  });

  test.each([
    ['http on another host', { url: 'http://shop.example/hooks' }],
    ['another scheme', { url: 'ftp://shop.example/hooks' }],
    ['credentials in the URL', { url: 'https://user:pass@shop.example/hooks' }],
    ['a fragment in the URL', { url: 'https://shop.example/hooks#x' }],
    ['no URL', { url: undefined }],
    ['an empty URL', { url: '' }],
    ['text that is not a URL', { url: 'shop' }],
    ['a URL that is too long', { url: `https://shop.example/${'x'.repeat(500)}` }],
    ['a URL with NUL', { url: 'https://shop.example/\0' }],
    ['no environment', { environment: undefined }],
    ['an unknown environment', { environment: 'staging' }],
    ['an unknown event type', { event_types: ['payment.exploded'] }],
    ['an empty list of event types', { event_types: [] }],
    ['null as event types, which would be all', { event_types: null }],
    ['a flag that is not a boolean', { standard_headers: 'yes' }],
  ])('400 invalid_request: %s', async (_what, fields) => {
    expectRefusal(await create(fields), 400, 'invalid_request');
    expect((await person('GET', base())).body.data).toEqual([]);
  });

  test.each([
    ['private IPv4', 'https://10.1.2.3/hooks'],
    ['private IPv4 as one number', 'https://167838211/hooks'],
    ['private IPv4 in hexadecimal', 'https://0xc0.0xa8.1.1/hooks'],
    ['link-local IPv4, with the metadata of a cloud', 'https://169.254.169.254/hooks'],
    ['this network', 'https://0.0.0.0/hooks'],
    ['carrier-grade NAT', 'https://100.64.0.1/hooks'],
    ['private IPv6', 'https://[fd00::1]/hooks'],
    ['link-local IPv6', 'https://[fe80::1]/hooks'],
    ['IPv4 mapped into IPv6', 'https://[::ffff:192.168.1.1]/hooks'],
    ['IPv4 translated into IPv6', 'https://[64:ff9b::10.0.0.1]/hooks'],
    ['a multicast DNS name', 'https://printer.local/hooks'],
    ['an internal name', 'https://shop.internal./hooks'],
  ])('400 invalid_request: %s', async (_what, url) => {
    const refused = await create({ url, environment: 'production' });
    expectRefusal(refused, 400, 'invalid_request');
    expect(refused.body.message).toBe('url must resolve to a public internet address.');
    const { id } = await created();
    expectRefusal(await person('PATCH', `${base()}/${id}`, { url }), 400, 'invalid_request');
  });

  test.each([
    'https://127.0.0.1/hooks',
    'https://[::1]/hooks',
    'https://localhost/hooks',
    'https://a.localhost/hooks',
  ])('400 invalid_request: %s, unless loopback is allowed for development', (url) => {
    const context = (allowLoopback: boolean) => ({ config: { webhooks: { allowLoopback } } }) as ApiContext;
    expect(() => endpointUrl(url, context(false))).toThrow('public internet');
    expect(endpointUrl(url, context(true))).toBe(url);
  });

  test.each(['https://1.1.1.1/hooks', 'https://[2606:4700::1111]/hooks', 'https://local.shop.example/hooks'])(
    '201: the public URL %s',
    async (url) => expect((await create({ url })).status).toBe(201),
  );

  test('409 webhook_endpoint_limit_reached: an eleventh endpoint, even under concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: 14 }, () => create()));
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(10);
    for (const answer of answers.filter(({ status: code }) => code !== 201)) {
      expectRefusal(answer, 409, 'webhook_endpoint_limit_reached');
    }
    // The other environment has its own limit of ten, and deleting an endpoint makes room for another.
    expect((await create({ environment: 'production' })).status).toBe(201);
    const [first] = (await person('GET', `${base()}?environment=sandbox`)).body.data;
    await person('DELETE', `${base()}/${first.id}`);
    expect((await create()).status).toBe(201);
  });

  test('records the actor in the audit log', async () => {
    const { id } = await created();
    expect(await audited()).toEqual([
      {
        action: 'webhook_endpoint.create',
        actor: PERSON,
        before: null,
        after: expect.objectContaining({ id }),
      },
    ]);
  });
});

describe('authorization', () => {
  const ROUTES = [
    ['GET', ''],
    ['POST', ''],
    ['GET', '/ap_whe_0'],
    ['PATCH', '/ap_whe_0'],
    ['DELETE', '/ap_whe_0'],
    ['POST', '/ap_whe_0/rotate-secret'],
    ['POST', '/ap_whe_0/test'],
    ['POST', '/ap_whe_0/recover'],
  ] as const;

  test.each(ROUTES)('%s %s: 401 without a key, 403 for another merchant', async (method, path) => {
    expectRefusal(await api.request(method, base() + path), 401, 'service_api_key_required');
    const other = await insertApiKey(api.pool, {
      merchantId: await insertMerchant(api.pool),
      environment: 'sandbox',
    });
    expectRefusal(
      await api.request(method, base() + path, { apiKey: other }),
      403,
      'service_merchant_forbidden',
    );
  });

  test.each(ROUTES.filter(([method]) => method !== 'GET'))(
    "%s %s: 403 for the merchant's own key",
    async (method, path) => {
      expectRefusal(await api.request(method, base() + path, { apiKey }), 403, 'administration_forbidden');
    },
  );

  test("the merchant's own key reads its environment only", async () => {
    const { id } = await created();
    const live = await created({ environment: 'production' });
    const list = await api.request('GET', base(), { apiKey });
    expect(list.body.data.map((endpoint: { id: string }) => endpoint.id)).toEqual([id]);
    expect((await api.request('GET', `${base()}/${id}`, { apiKey })).status).toBe(200);
    expectRefusal(
      await api.request('GET', `${base()}/${live.id}`, { apiKey }),
      404,
      'webhook_endpoint_not_found',
    );
    const asked = await api.request('GET', `${base()}?environment=production`, { apiKey });
    expectRefusal(asked, 403, 'merchant_scope_mismatch');
  });

  test('a person sees both environments, or the requested one', async () => {
    await created();
    const live = await created({ environment: 'production' });
    expect((await person('GET', base())).body.data).toHaveLength(2);
    const [only] = (await person('GET', `${base()}?environment=production`)).body.data;
    expect(only.id).toBe(live.id);
    expectRefusal(await person('GET', `${base()}?environment=test`), 400, 'invalid_request');
  });

  test.each(['ap_whe_0', 'nonsense', '%00', 'ap_whe_019ab'])(
    '404 for an unknown endpoint: %s',
    async (id) => {
      expectRefusal(await person('GET', `${base()}/${id}`), 404, 'webhook_endpoint_not_found');
      expectRefusal(await person('DELETE', `${base()}/${id}`), 404, 'webhook_endpoint_not_found');
    },
  );

  test('403 merchant_scope_mismatch: a body that names another merchant; nothing changes', async () => {
    const { id } = await created();
    const changes = [
      ['POST', base(), { environment: 'sandbox', url: receiver.url }],
      ['PATCH', `${base()}/${id}`, { status: 'paused' }],
      ['POST', `${base()}/${id}/rotate-secret`, {}],
      ['POST', `${base()}/${id}/recover`, { since: new Date().toISOString() }],
    ] as const;
    const before = await audited();
    for (const [method, path, body] of changes) {
      const answer = await person(method, path, { ...body, merchantId: 'ap_mer_other' });
      expectRefusal(answer, 403, 'merchant_scope_mismatch');
    }
    expect(await audited()).toEqual(before);
    expect((await person('PATCH', `${base()}/${id}`, { merchantId })).status).toBe(200);
  });

  test("404 for another merchant's endpoint", async () => {
    const { id } = await created();
    merchantId = await insertMerchant(api.pool);
    const body = { since: new Date().toISOString() };
    for (const [method, path] of ROUTES.filter(([, route]) => route !== '')) {
      const answer = await person(
        method,
        base() + path.replace('ap_whe_0', id),
        method === 'GET' ? undefined : body,
      );
      expectRefusal(answer, 404, 'webhook_endpoint_not_found');
    }
  });
});

describe('changing an endpoint', () => {
  test('changes URL and filter, and leaves the rest unchanged', async () => {
    const { id } = await created({ event_types: ['payment.succeeded'] });
    const moved = await startReceiver();
    try {
      const answer = await person('PATCH', `${base()}/${id}`, { url: moved.url });
      expect(answer.body).toMatchObject({
        url: moved.url,
        event_types: ['payment.succeeded'],
        status: 'enabled',
      });
      await record('refund.created');
      await record();
      await moved.untilReceived(1);
      expect(receiver.received).toHaveLength(0);
      await person('PATCH', `${base()}/${id}`, { event_types: null });
      await record('refund.created');
      await moved.untilReceived(2);
      expect(moved.received.map(({ event }) => event.type)).toEqual(['payment.succeeded', 'refund.created']);
    } finally {
      await moved.stop();
    }
  });

  test('rejects the same values as creation, without changing anything', async () => {
    const { id } = await created();
    for (const fields of [
      { url: 'http://shop.example' },
      { event_types: ['x'] },
      { status: 'disabled' },
      { status: 'deleted' },
    ]) {
      expectRefusal(await person('PATCH', `${base()}/${id}`, fields), 400, 'invalid_request');
    }
    expect((await person('GET', `${base()}/${id}`)).body).toMatchObject({
      url: receiver.url,
      status: 'enabled',
    });
  });

  test('pauses it; held events are sent once it is enabled again', async () => {
    const { id } = await created();
    expect((await person('PATCH', `${base()}/${id}`, { status: 'paused' })).body.status).toBe('paused');
    const eventId = await record();
    const logged = await person('GET', `/v1/merchants/${merchantId}/webhook-events/${eventId}`);
    expect(logged.body.deliveries).toMatchObject([{ status: 'held', next_attempt_at: null }]);
    expect((await person('PATCH', `${base()}/${id}`, { status: 'enabled' })).body.status).toBe('enabled');
    await receiver.untilReceived(1);
    expect((await audited()).map(({ action }) => action)).toEqual([
      'webhook_endpoint.create',
      'webhook_endpoint.pause',
      'webhook_endpoint.enable',
    ]);
  });

  test('changes the URL before releasing held events: nothing goes to the old URL', async () => {
    const { id } = await created();
    await person('PATCH', `${base()}/${id}`, { status: 'paused' });
    const eventId = await record();
    const moved = await startReceiver();
    try {
      await person('PATCH', `${base()}/${id}`, { status: 'enabled', url: moved.url });
      await moved.untilReceived(1);
      expect(moved.nth(0).event.id).toBe(eventId);
      expect(receiver.received).toHaveLength(0);
      expect((await audited()).map(({ action }) => action).slice(-2)).toEqual([
        'webhook_endpoint.update',
        'webhook_endpoint.enable',
      ]);
    } finally {
      await moved.stop();
    }
  });

  test('enables a disabled endpoint, whose missed events need a recovery', async () => {
    const { id } = await created();
    receiver.answer = status(410);
    const missed = await record();
    await eventually(async () =>
      expect((await person('GET', `${base()}/${id}`)).body.status).toBe('disabled'),
    );
    expect((await person('GET', `${base()}/${id}`)).body.disabled_reason).toBe('gone');
    expectRefusal(
      await person('PATCH', `${base()}/${id}`, { status: 'paused' }),
      409,
      'webhook_endpoint_not_enabled',
    );
    receiver.answer = status(200);
    const answer = await person('PATCH', `${base()}/${id}`, { status: 'enabled' });
    expect(answer.body).toMatchObject({ status: 'enabled', disabled_reason: null, failing_since: null });
    const later = await record();
    await eventually(async () => expect(await deliveryStatus(later)).toBe('succeeded'));
    expect(await deliveryStatus(missed)).toBe('held');
  });

  test('deletes it, which stops deliveries; every route then answers 404', async () => {
    const { id } = await created();
    await record();
    await receiver.untilReceived(1);
    const answer = await person('DELETE', `${base()}/${id}`);
    expect(answer).toMatchObject({ status: 200, body: { id, deleted: true } });
    await record();
    expectRefusal(await person('GET', `${base()}/${id}`), 404, 'webhook_endpoint_not_found');
    expect((await person('GET', base())).body.data).toEqual([]);
    await delivery.client.workflow.getHandle(id).result();
    expect(receiver.received).toHaveLength(1);
  });
});

/** Whether the request was signed with the secret. */
function verifies(nth: number, secret: string): boolean {
  const { headers, body } = receiver.nth(nth);
  try {
    verifyWebhook({ rawBody: body, signature: headers['service-signature'], secret });
    return true;
  } catch {
    return false;
  }
}

describe('rotating the secret', () => {
  test('replaces the secret immediately', async () => {
    const before = await created();
    const { body } = await person('POST', `${base()}/${before.id}/rotate-secret`);
    expect(body).toMatchObject({ id: before.id, previous_secret_until: null });
    await record();
    await receiver.untilReceived(1);
    expect([verifies(0, before.secret), verifies(0, body.secret)]).toEqual([false, true]);
  });

  test('400 invalid_request: an overlap that is not a boolean', async () => {
    const { id } = await created();
    const answer = await person('POST', `${base()}/${id}/rotate-secret`, { overlap: 'yes' });
    expectRefusal(answer, 400, 'invalid_request');
  });

  test('with `overlap`, signs with the old and new secret for 24 hours', async () => {
    const before = await created({ standard_headers: true });
    const { body } = await person('POST', `${base()}/${before.id}/rotate-secret`, { overlap: true });
    const hours = (Date.parse(body.previous_secret_until) - Date.now()) / 3_600_000;
    expect(hours).toBeGreaterThan(23.9);
    expect(hours).toBeLessThanOrEqual(24.01);
    await record();
    await receiver.untilReceived(1);
    expect([verifies(0, before.secret), verifies(0, body.secret)]).toEqual([true, true]);
    const { headers, body: rawBody } = receiver.nth(0);
    for (const secret of [before.secret, body.secret]) {
      expect(new Webhook(secret).verify(rawBody, headers as Record<string, string>)).toBeTruthy();
    }

    await api.pool.query(sql.unsafe`
      update webhook_endpoints set previous_secret_until = service_clock() where id = ${before.id}`);
    await record();
    await receiver.untilReceived(2);
    expect([verifies(1, before.secret), verifies(1, body.secret)]).toEqual([false, true]);
  });
});

describe('a second rotation during an overlap', () => {
  const rotate = (id: string, overlap: boolean) =>
    person('POST', `${base()}/${id}/rotate-secret`, { overlap });

  test('409 webhook_secret_overlap_running if it requests an overlap; the first secret still signs', async () => {
    const first = await created();
    // The merchant does not know the second secret, because the response was lost.
    const { body: lost } = await rotate(first.id, true);
    const before = await audited();
    expectRefusal(await rotate(first.id, true), 409, 'webhook_secret_overlap_running');
    expect(await audited()).toEqual(before);
    expect((await person('GET', `${base()}/${first.id}`)).body).toMatchObject({
      previous_secret_until: lost.previous_secret_until,
    });
    await record();
    await receiver.untilReceived(1);
    expect([verifies(0, first.secret), verifies(0, lost.secret)]).toEqual([true, true]);
  });

  test('replaces both secrets if it requests no overlap', async () => {
    const first = await created();
    const { body: second } = await rotate(first.id, true);
    const { body: third } = await rotate(first.id, false);
    expect(third.previous_secret_until).toBeNull();
    await record();
    await receiver.untilReceived(1);
    expect([first, second, third].map(({ secret }) => verifies(0, secret))).toEqual([false, false, true]);
  });

  test('may request an overlap once the first overlap is over', async () => {
    const { id } = await created();
    await rotate(id, true);
    await api.pool.query(sql.unsafe`
      update webhook_endpoints set previous_secret_until = service_clock() where id = ${id}`);
    expect((await rotate(id, true)).status).toBe(200);
  });
});

describe('a request repeated under its Idempotency-Key', () => {
  const send = (path: string, body: object) =>
    api.request('POST', `${base()}${path}`, {
      headers: { ...asPerson(merchantId), 'idempotency-key': 'lost response' },
      body,
    });
  /** As if the process had died before it stored its response. */
  const forgetAnswer = () =>
    api.pool.query(sql.unsafe`
      update idempotency_keys set answer = null, lease_until = service_clock()
      where scope = ${`merchant:${merchantId}:people`}`);
  const ROTATED = [
    'rotation',
    async () => `/${(await created()).id}/rotate-secret`,
    { overlap: true },
  ] as const;
  const CREATED = [
    'creation',
    async () => '',
    { environment: 'sandbox', url: 'https://shop.example' },
  ] as const;

  test.each([ROTATED, CREATED])(
    'gets the same secret, which is stored encrypted: %s',
    async (_, path, body) => {
      const to = await path();
      const first = await send(to, body);
      const again = await send(to, body);
      expect(again.headers.get('idempotency-replayed')).toBe('true');
      expect(again.body).toEqual(first.body);
      const stored = await api.pool.oneFirst(sql.unsafe`
      select answer::text from idempotency_keys where scope = ${`merchant:${merchantId}:people`}`);
      expect(stored).not.toContain(first.body.secret.slice(6));
    },
  );

  test.each([ROTATED, CREATED])('gets the same secret after a crash: %s', async (_, path, body) => {
    const to = await path();
    const first = await send(to, body);
    await forgetAnswer();
    const again = await send(to, body);
    expect(again.status).toBe(first.status);
    expect(withoutMarks(again)).toEqual(withoutMarks(first));
    expect(again.body.secret).toBe(first.body.secret);
    expect((await person('GET', base())).body.data).toHaveLength(1);
  });

  test('does not rotate again if somebody has rotated the secret since the crash', async () => {
    const to = await ROTATED[1]();
    await send(to, { overlap: false });
    await forgetAnswer();
    const other = await person('POST', base() + to, { overlap: false });
    const again = await send(to, { overlap: false });
    expect(again.body.secret).toBe(other.body.secret);
  });

  test('does not recreate an endpoint that was deleted since the crash', async () => {
    const [, , body] = CREATED;
    const { id } = (await send('', body)).body;
    await forgetAnswer();
    await person('DELETE', `${base()}/${id}`);
    expectRefusal(await send('', body), 404, 'webhook_endpoint_not_found');
  });
});

describe('a test event', () => {
  test('arrives only at this endpoint, regardless of its filter, signed and logged like any other', async () => {
    const other = await startReceiver();
    try {
      const { id, secret } = await created({ event_types: ['refund.created'] });
      await created({ url: other.url });
      const { status: code, body } = await person('POST', `${base()}/${id}/test`);
      expect(code).toBe(202);
      await receiver.untilReceived(1);
      const { body: rawBody, headers } = receiver.nth(0);
      const event = verifyWebhook({ rawBody, signature: headers['service-signature'], secret });
      expect(event).toMatchObject({
        id: body.event_id,
        type: 'webhook.test',
        merchant_id: merchantId,
        payment: null,
      });
      expect(headers).not.toHaveProperty('webhook-id');
      await person('POST', `${base()}/${id}/test`);
      await receiver.untilReceived(2);
      expect(receiver.nth(1).event.id).not.toBe(event.id);
      expect(other.received).toHaveLength(0);
    } finally {
      await other.stop();
    }
  });

  test('409 webhook_endpoint_not_enabled: for a paused endpoint', async () => {
    const { id } = await created();
    await person('PATCH', `${base()}/${id}`, { status: 'paused' });
    expectRefusal(await person('POST', `${base()}/${id}/test`), 409, 'webhook_endpoint_not_enabled');
  });
});

describe('a recovery', () => {
  const recover = (id: string, since: string) => person('POST', `${base()}/${id}/recover`, { since });
  const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
  const finished = (id: string) =>
    eventually(async () => {
      const run = delivery.client.workflow.getHandle(recoveryWorkflowId(id));
      expect((await run.describe()).status.name).toBe('COMPLETED');
      return run.result();
    });

  test('sends only events missed while the endpoint was disabled or after their last attempt', async () => {
    const { id } = await created();
    const fine = await record();
    await eventually(async () => expect(await deliveryStatus(fine)).toBe('succeeded'));
    receiver.answer = status(500);
    const exhausted = await record();
    await eventually(async () => expect(await deliveryStatus(exhausted)).toBe('exhausted'));
    receiver.answer = status(410);
    const held = await record();
    await eventually(async () => expect(await deliveryStatus(held)).toBe('held'));
    receiver.answer = status(200);
    await person('PATCH', `${base()}/${id}`, { status: 'enabled' });

    const before = receiver.received.length;
    const answer = await recover(id, anHourAgo());
    expect(answer.status).toBe(202);
    expect(answer.headers.get('x-service-flow-id')).toBe(recoveryWorkflowId(id));
    expect((await finished(id)).recovered).toBe(2);
    await eventually(async () => {
      expect(await deliveryStatus(exhausted)).toBe('succeeded');
      expect(await deliveryStatus(held)).toBe('succeeded');
    });
    const again = receiver.received.slice(before).map(({ event }) => event.id);
    expect(again.sort()).toEqual([exhausted, held].sort());
    await keepHistory(delivery.client.workflow.getHandle(recoveryWorkflowId(id)), 'recover-deliveries');
  });

  test('leaves out events before the requested instant', async () => {
    const { id } = await created();
    receiver.answer = status(500);
    const eventId = await record();
    await eventually(async () => expect(await deliveryStatus(eventId)).toBe('exhausted'));
    receiver.answer = status(200);
    await recover(id, new Date(Date.now() + 1_000).toISOString());
    expect((await finished(id)).recovered).toBe(0);
    expect(await deliveryStatus(eventId)).toBe('exhausted');
  });

  test('409 webhook_recovery_in_progress: one at a time per endpoint', async () => {
    const { id } = await created();
    const endpoint = { endpointId: id, merchantId, environment: 'sandbox' } as const;
    const start = recoverDeliveriesStart(endpoint, anHourAgo(), new Date().toISOString());
    // No worker serves this task queue, so the recovery stays in progress, and the next one waits for its end.
    await delivery.client.workflow.start(RECOVER_DELIVERIES_WORKFLOW, { ...start, taskQueue: 'nobody' });
    const since = anHourAgo();
    expect((await recover(id, since)).status).toBe(202);
    const [requested] = (await audited()).slice(-1);
    expect(requested).toMatchObject({ action: 'webhook_endpoint.recover_requested', after: { since } });
    expectRefusal(await recover(id, anHourAgo()), 409, 'webhook_recovery_in_progress');
    expect((await audited()).slice(-1)).toEqual([requested]);
    await delivery.client.workflow.getHandle(recoveryWorkflowId(id)).terminate();
  });

  test('replaces a recovery whose tasks keep failing', async () => {
    const { id } = await created();
    const stuck = await startStuckRun(
      delivery.client,
      recoveryWorkflowId(id),
      taskQueue('webhooks', 'sandbox'),
    );
    expect((await recover(id, anHourAgo())).status).toBe(202);
    expect(await isTerminated(delivery.client, stuck)).toBe(true);
  });

  test.each([
    ['PATCH', '', { status: 'deleted' }],
    ['PATCH', '', { url: 'http://shop.example' }],
    ['POST', '/rotate-secret', { overlap: 'yes' }],
    ['POST', '/recover', { since: 'yesterday' }],
  ])('%s %s: 400 for an invalid field, %j, even of an unknown endpoint', async (method, path, body) => {
    expectRefusal(await person(method, `${base()}/ap_whe_0${path}`, body), 400, 'invalid_request');
  });

  test('400 for an invalid instant, 409 for an endpoint that is not enabled', async () => {
    const { id } = await created();
    for (const since of ['yesterday', '', '0000-01-01T00:00:00Z', '9999-12-31T23:59:59-23:59', 5]) {
      expectRefusal(await recover(id, since as string), 400, 'invalid_request');
    }
    await person('PATCH', `${base()}/${id}`, { status: 'paused' });
    expectRefusal(await recover(id, anHourAgo()), 409, 'webhook_endpoint_not_enabled');
  });
});

seesEveryAnswerOf(
  'listWebhookEndpoints',
  'createWebhookEndpoint',
  'showWebhookEndpoint',
  'updateWebhookEndpoint',
  'deleteWebhookEndpoint',
  'rotateWebhookEndpointSecret',
  'sendTestEvent',
  'recoverWebhookEndpoint',
);
