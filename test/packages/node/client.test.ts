/** The client's own behaviour, against a server that answers as the test specifies. */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Group } from '../../../packages/node/src/caller.ts';
import {
  ApiError,
  ConnectionError,
  everyRow,
  HostedCheckout,
  isApiError,
  RequestTimeoutError,
} from '../../../packages/node/src/index.ts';
import { PROJECT_DIR } from '../../../sandbox/stack/core/directories.ts';

interface Answer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  /** Ends the connection instead. */
  readonly hangUp?: boolean;
  readonly afterMs?: number;
}

let server: Server;
let baseUrl: string;
let answers: Answer[] = [];
let requests: { method: string; url: string; headers: IncomingHttpHeaders; body: string }[] = [];

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    requests.push({ method: request.method ?? '', url: request.url ?? '', headers: request.headers, body });
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    if (!answer || answer.hangUp) return void request.socket.destroy();
    if (answer.afterMs) await new Promise((resolve) => setTimeout(resolve, answer.afterMs));
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {});
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers }).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});
beforeEach(() => {
  requests = [];
});

const KEY = `ap_test_${'0'.repeat(64)}`;
const client = (key = KEY) => new HostedCheckout(key, { baseUrl });
const refusal = (status: number, code: string, headers?: Record<string, string>): Answer => ({
  status,
  body: { code, message: 'Because.', request_id: 'req_1' },
  ...(headers && { headers }),
});
const keys = () => requests.map(({ headers }) => headers['idempotency-key']);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => 'no error',
    (error: unknown) => error,
  );

/** Names of the methods of a client and its groups: `refunds.create`. */
function methodsOf(group: object): string[] {
  const own = Object.getOwnPropertyNames(Object.getPrototypeOf(group));
  const inGroups = Object.entries(group).flatMap(([name, inner]) =>
    inner instanceof Group ? methodsOf(inner).map((method) => `${name}.${method}`) : [],
  );
  return [...own.filter((name) => name !== 'constructor'), ...inGroups];
}

test('a call sends key, contract version, path, query and body in the format of the API', async () => {
  answers = [{ status: 200, body: { data: [], next_cursor: null, request_id: 'req_1' } }];
  await client().merchants.webhookEvents.list('ap_mer/1', {
    type: 'payment.failed',
    limit: 5,
    cursor: undefined,
  });
  await client().checkouts.create({ productId: 'ap_prod_1', externalCustomerId: 'c' });
  expect(requests[0]).toMatchObject({
    method: 'GET',
    url: '/v1/merchants/ap_mer%2F1/webhook-events?type=payment.failed&limit=5',
    headers: { authorization: `Bearer ${KEY}`, 'service-version': '2026-01-01' },
  });
  expect(requests[1]).toMatchObject({
    method: 'POST',
    url: '/v1/checkouts',
    body: '{"productId":"ap_prod_1","externalCustomerId":"c"}',
  });
  expect(keys()).toEqual([undefined, undefined]);
});

test('the client has the groups of the API description, and one method name per operation', () => {
  const checkout = client();
  const { paths } = JSON.parse(readFileSync(join(PROJECT_DIR, 'docs/openapi.json'), 'utf8'));
  const operations = Object.values<Record<string, { 'x-client-method'?: string }>>(paths).flatMap((each) =>
    Object.values(each),
  );
  const named = operations.flatMap((each) => each['x-client-method'] ?? []);
  expect(methodsOf(checkout).sort()).toEqual(named.sort());
  expect(new Set(named).size).toBe(named.length);
});

test.each<[string, unknown]>([
  ['NaN', Number.NaN],
  ['Infinity', Number.POSITIVE_INFINITY],
  ['an invalid date', new Date('tomorrow')],
])('the client does not send %s, which JSON would turn into null', async (_name, value) => {
  answers = [{ status: 201, body: {} }];
  const body = { paymentId: 'ap_pay_1', nested: [{ amount: value }] } as never;
  await expect(client().refunds.create(body)).rejects.toThrow(
    /^amount is .*: JSON would turn it into null\.$/,
  );
  expect(requests).toEqual([]);
});

describe('a transient failure', () => {
  test.each([
    ['503', refusal(503, 'dependency_unavailable')],
    ['500', refusal(500, 'internal_error')],
    ['408', refusal(408, 'request_timeout')],
    ['429', refusal(429, 'rate_limited', { 'retry-after': '1' })],
    ['a first request that is still running', refusal(409, 'idempotency_key_in_progress')],
    ['a lost connection', { status: 0, hangUp: true }],
  ])('of a keyed operation is retried under the same key: %s', async (_name, first) => {
    answers = [first, { status: 201, body: { id: 'ap_ref_1' } }];
    await expect(client().refunds.create({ paymentId: 'ap_pay_1' })).resolves.toMatchObject({
      id: 'ap_ref_1',
    });
    expect(requests).toHaveLength(2);
    expect(keys()[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys()[1]).toBe(keys()[0]);
  });

  test('is retried twice, after 250 and 500 ms, and then thrown with the key', async () => {
    answers = [refusal(503, 'dependency_unavailable')];
    const started = performance.now();
    const error = await failure(client().refunds.create({ orderId: 'o' }, { idempotencyKey: 'mine' }));
    expect(performance.now() - started).toBeGreaterThanOrEqual(740);
    expect(keys()).toEqual(['mine', 'mine', 'mine']);
    expect(error).toMatchObject({
      code: 'dependency_unavailable',
      idempotencyKey: 'mine',
      requestId: 'req_1',
    });
  });

  test('without a key is not retried where the effect could happen twice', async () => {
    answers = [refusal(503, 'dependency_unavailable')];
    await failure(client().merchants.create({ name: 'Twice' }));
    answers = [{ status: 0, hangUp: true }];
    await failure(client().merchants.create({ name: 'Twice' }));
    expect(requests).toHaveLength(2);
    answers = [refusal(429, 'rate_limited'), { status: 201, body: { id: 'ap_mer_1' } }];
    await client().merchants.create({ name: 'Once' });
    expect(requests).toHaveLength(4);
  });

  test('with a long Retry-After is left to the caller', async () => {
    answers = [refusal(503, 'dependency_unavailable', { 'retry-after': '60' })];
    const error = await failure(client().orders.list());
    expect(requests).toHaveLength(1);
    expect(error).toMatchObject({ retryAfterSeconds: 60 });
  });

  test('the error about an outdated preview has the total as a number', async () => {
    const { status, body } = refusal(409, 'preview_outdated');
    answers = [{ status, body: { ...(body as object), total: 428 } }];
    expect(await failure(client().orders.list())).toMatchObject({ code: 'preview_outdated', total: 428 });
    answers = [refusal(409, 'preview_outdated')];
    expect(await failure(client().orders.list())).toMatchObject({ total: null });
  });

  test('the error about a field has its path, the reason and the limit', async () => {
    const { status, body } = refusal(400, 'invalid_request');
    const fault = { field: 'recurring.interval_count', reason: 'too_large', limit: 365 };
    answers = [{ status, body: { ...(body as object), ...fault } }];
    expect(await failure(client().orders.list())).toMatchObject(fault);
    answers = [refusal(409, 'preview_outdated')];
    expect(await failure(client().orders.list())).toMatchObject({ field: null, reason: null, limit: null });
  });

  test('with Retry-After as a date is repeated at that time, or left to the caller', async () => {
    const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();
    answers = [refusal(503, 'dependency_unavailable', { 'retry-after': inSeconds(60) })];
    const error = (await failure(client().orders.list())) as ApiError;
    expect(requests).toHaveLength(1);
    expect(error.retryAfterSeconds).toBeGreaterThan(55);
    answers = [
      refusal(503, 'dependency_unavailable', { 'retry-after': inSeconds(2) }),
      { status: 200, body: { data: [] } },
    ];
    const started = performance.now();
    await client().orders.list();
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
  });

  test.each(['soon', '-5', '1e2'])('with an invalid Retry-After is not repeated: %s', async (value) => {
    answers = [refusal(503, 'dependency_unavailable', { 'retry-after': value })];
    expect(await failure(client().orders.list())).toMatchObject({ retryAfterSeconds: null });
    expect(requests).toHaveLength(1);
  });
});

describe('before any request, the client rejects', () => {
  test.each(['\n', ' x', '\u00a0', 'é'])('an API key with %j, without quoting it', (suffix) => {
    let refused: unknown;
    try {
      client(KEY + suffix);
    } catch (error) {
      refused = error;
    }
    expect(refused).toBeInstanceOf(TypeError);
    expect(String(refused)).toContain('white space');
    expect(String(refused)).not.toContain('ap_test_');
  });

  test.each(['', 'ü', 'a\nb', 'x'.repeat(256), ' ', ' a', 'a '])(
    'the idempotency key %j',
    async (idempotencyKey) => {
      const error = await failure(client().refunds.create({ paymentId: 'p' }, { idempotencyKey }));
      expect(error).toBeInstanceOf(TypeError);
      expect(String(error)).toContain('1 to 255');
      expect(requests).toHaveLength(0);
    },
  );

  test('an idempotency key for an operation that takes none, which would not protect it', async () => {
    const options = { idempotencyKey: 'mine' } as never;
    const error = await failure(client().merchants.create({ name: 'Twice' }, options));
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toContain('takes no idempotencyKey');
    expect(requests).toHaveLength(0);
  });

  test.each(['', '.', '..', undefined, null])(
    'the id %j, which would lead to another operation',
    async (id) => {
      const path = id as string;
      const calls = [
        client().merchants.products.update('ap_mer_1', path, { status: 'inactive' }),
        client().refunds.show(path),
        client().subscriptions.cancel(path),
      ];
      for (const call of calls) {
        const error = await failure(call);
        expect(error).toBeInstanceOf(TypeError);
        expect(String(error)).toContain('id is missing');
      }
      expect(requests).toHaveLength(0);
    },
  );
});

test('an export keeps its byte order mark, by which Excel knows its encoding', async () => {
  answers = [{ status: 200, body: '\ufeffPłatność\n', headers: { 'content-type': 'text/csv' } }];
  expect(await client().merchants.exports.payments('ap_mer_1')).toBe('\ufeffPłatność\n');
});

test('an error response is not retried, and becomes an error with its code', async () => {
  answers = [refusal(409, 'payment_not_refundable')];
  const error = await failure(client().refunds.create({ paymentId: 'p' }));
  expect(requests).toHaveLength(1);
  expect(error).toBeInstanceOf(ApiError);
  expect(isApiError(error, 'payment_not_refundable')).toBe(true);
  expect(isApiError(error, 'payment_not_found')).toBe(false);
});

test('a slow response is abandoned at the time limit, and a signal aborts a call and its waits', async () => {
  answers = [{ status: 200, afterMs: 3_000 }];
  const slow = await failure(client().orders.list({ timeoutMs: 50, maxAttempts: 1 }));
  expect(slow).toBeInstanceOf(RequestTimeoutError);
  const aborted = await failure(client().orders.list({ signal: AbortSignal.timeout(50) }));
  expect(aborted).toMatchObject({ name: 'TimeoutError' });
  answers = [refusal(503, 'dependency_unavailable', { 'retry-after': '4' })];
  expect(await failure(client().merchants.list({}, { signal: AbortSignal.timeout(200) }))).toMatchObject({
    name: 'TimeoutError',
  });
  // The aborted requests may arrive late.
  expect(requests.filter(({ url }) => url === '/v1/merchants').length).toBeLessThanOrEqual(1);
});

test('the client reads a paginated list to its end', async () => {
  answers = [
    { status: 200, body: { data: [1, 2], next_cursor: 'b' } },
    { status: 200, body: { data: [3], next_cursor: null } },
  ];
  const rows: unknown[] = [];
  for await (const row of everyRow((cursor) => client().merchants.list({ cursor }))) rows.push(row);
  expect(rows).toEqual([1, 2, 3]);
  expect(requests.map(({ url }) => url)).toEqual(['/v1/merchants', '/v1/merchants?cursor=b']);
});

describe('the client’s error names cause and remedy for', () => {
  const messageOf = async (key: string, answer: Answer) => {
    answers = [answer];
    return String(await failure(client(key).orders.list({ maxAttempts: 1 })));
  };

  test.each([
    ['a webhook secret as key', 'whsec_abc', 'secret of a webhook endpoint'],
    ['something else as key', 'sk_test_1', 'begins with ap_test_ or ap_live_'],
    ['an unknown key', KEY, 'belongs to another installation. Copy it again'],
    ['an expired key', KEY, 'it has expired, was revoked'],
  ])('%s', async (_name, key, sentence) => {
    expect(await messageOf(key, refusal(401, 'api_key_invalid'))).toContain(sentence);
  });

  test('a key of the other environment', async () => {
    expect(await messageOf(KEY, refusal(404, 'payment_not_found'))).toContain(
      'production has its own objects',
    );
    expect(await messageOf(KEY.replace('test', 'live'), refusal(403, 'sandbox_only'))).toContain('ap_test_');
  });

  test.each(['merchant', 'offering', 'plan', 'price', 'product', 'subscription_change'])(
    'a missing %s, which belongs to no environment, without suggesting the other one',
    async (kind) => {
      expect(await messageOf(KEY, refusal(404, `${kind}_not_found`))).not.toContain('ap_live_');
    },
  );

  test('another server at the address', async () => {
    const html = { status: 502, body: '<html>Bad gateway</html>', headers: { 'content-type': 'text/html' } };
    expect(await messageOf(KEY, html)).toContain('any proxy in between');
    expect(await messageOf(KEY, { ...html, status: 200 })).toContain('any proxy in between');
  });

  test('a redirect, without following it with the key', async () => {
    const elsewhere = { status: 301, body: '', headers: { location: 'https://elsewhere.example/' } };
    expect(await messageOf(KEY, elsewhere)).toContain('any proxy in between');
    expect(requests).toHaveLength(1);
  });

  test('an address without a server, and a missing address', async () => {
    const error = await failure(new HostedCheckout(KEY, { baseUrl: 'http://127.0.0.1:1' }).orders.list());
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toContain('http://127.0.0.1:1 could not be reached');
    expect(() => new HostedCheckout(KEY)).toThrow('HOSTED_CHECKOUT_URL');
    for (const address of ['127.0.0.1:8080', 'localhost:8080']) {
      const make = () => new HostedCheckout(KEY, { baseUrl: address });
      expect(make).toThrow(`${address} is not an installation's address, which begins with https://`);
    }
    expect(() => new HostedCheckout('', { baseUrl })).toThrow('API key is missing');
  });
});
