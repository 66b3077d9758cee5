/** Requests that match no route, and the properties of every response and log line. */
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sql } from '../../../db/core/pool.ts';
import { expectMarks, expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertShop, type Shop, TEST_PEPPER } from '../../support/db/fixtures.ts';

let api: TestApi;
let shop: Shop;

beforeAll(async () => {
  api = await startTestApi({ requestTimeoutMs: 500 });
  shop = await insertShop(api.pool);
});
afterAll(() => api?.stop());

/** Sends raw bytes and reads until the server closes. */
async function sendRaw(
  bytes: string,
): Promise<{ status: number; body: Record<string, unknown>; head: string }> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  socket.write(bytes);
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n');
  return { status: Number(head.split(' ')[1]), body: JSON.parse(body), head };
}

test.each(['/healthz', '/v1/products', '/pay/ap_chk_unknown', '/nothing'])(
  'with an https PUBLIC_URL, %s tells browsers to use only TLS',
  async (path) => {
    const { headers } = await fetch(`${api.url}${path}`);
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  },
);

test('with an http PUBLIC_URL, responses have no Strict-Transport-Security header', async () => {
  const plain = await startTestApi({ publicUrl: 'http://127.0.0.1:8080' });
  const { headers } = await fetch(`${plain.url}/healthz`);
  await plain.stop();
  expect(headers.get('strict-transport-security')).toBeNull();
});

test('GET / names the service and links to its description', async () => {
  const answer = await api.request('GET', '/');
  expect(answer.status).toBe(200);
  expectMarks(answer);
  const { request_id: _, name, ...links } = answer.body;
  expect(name).toBe('Hosted checkout and billing');
  expect(Object.keys(links)).toEqual(['reference', 'description', 'health']);
  for (const link of Object.values(links)) {
    const { pathname } = new URL(String(link));
    expect((await fetch(`${api.url}${pathname}`)).status).toBe(200);
  }
});

describe('requests that match no route', () => {
  test.each(['/v1', '/v1/nothing', '/v1/products/', '/V1/products', '/v1/products/ap_prod_1'])(
    '404 route_not_found: %s',
    async (path) =>
      expectRefusal(await api.request('GET', path, { apiKey: shop.apiKey }), 404, 'route_not_found'),
  );

  test('400 invalid_request: a path that is not valid percent-encoding', async () => {
    const answer = await api.request('POST', '/rails/%zz/acct_1/webhooks');
    expectRefusal(answer, 400, 'invalid_request');
  });

  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    '405 method_not_allowed with Allow: %s /v1/checkouts',
    async (method) => {
      const answer = await api.request(method, '/v1/checkouts');
      expectRefusal(answer, 405, 'method_not_allowed');
      expect(answer.headers.get('allow')).toBe('POST');
    },
  );

  test('408 request_timeout: a body that never arrives', async () => {
    const head = `POST /v1/checkouts HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${shop.apiKey}\r\n`;
    const answer = await sendRaw(`${head}Content-Type: application/json\r\nContent-Length: 10\r\n\r\n{`);
    expect(answer).toMatchObject({ status: 408, body: { code: 'request_timeout' } });
    expect(answer.head).toContain(`x-request-id: ${answer.body.request_id}`);
  });

  test('408 request_timeout: headers that never end', async () => {
    const answer = await sendRaw('GET /v1/products HTTP/1.1\r\nHost: x\r\n');
    expect(answer).toMatchObject({ status: 408, body: { code: 'request_timeout' } });
  });

  test('400 invalid_request: not HTTP', async () => {
    expect(await sendRaw('hello\r\n\r\n')).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  });
});

describe('a response', () => {
  test('is never cached and does not name its framework', async () => {
    const { headers } = await api.request('GET', '/v1/products', { apiKey: shop.apiKey });
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-powered-by')).toBeNull();
  });

  test('accepts any Service-Version and responds with its own', async () => {
    const headers = { 'Service-Version': '1999-01-01' };
    const answer = await api.request('GET', '/v1/products', { apiKey: shop.apiKey, headers });
    expect([answer.status, answer.headers.get('service-version')]).toEqual([200, '2026-01-01']);
  });

  test('has its own request id, whatever the client sends', async () => {
    const headers = { 'x-request-id': 'mine' };
    const answer = await api.request('GET', '/v1/products', { apiKey: shop.apiKey, headers });
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  });

  test('500 internal_error reveals no internals, and the log has the source position but no values', async () => {
    await api.pool.query(sql.unsafe`alter table orders rename column status to state_canary`);
    const answer = await api.request('GET', '/v1/orders', { apiKey: shop.apiKey });
    await api.pool.query(sql.unsafe`alter table orders rename column state_canary to status`);
    expectRefusal(answer, 500, 'internal_error');
    expect(answer.body.message).toBe('Internal error. Quote the request_id in support requests.');
    const logged = api.logLines.find(
      (line) => line.includes(answer.body.request_id) && line.includes('failed'),
    );
    expect(JSON.parse(logged ?? '{}')).toMatchObject({ code: 'internal_error', err: { code: '42703' } });
    expect(logged).not.toContain('select');
  });

  test('500 checkout_failed on the route that creates sessions', async () => {
    await api.pool.query(sql.unsafe`alter table checkouts rename column terms to terms_canary`);
    const body = { productId: shop.products.oneTime, externalCustomerId: 'u-1' };
    const answer = await api.request('POST', '/v1/checkouts', { apiKey: shop.apiKey, body });
    await api.pool.query(sql.unsafe`alter table checkouts rename column terms_canary to terms`);
    expectRefusal(answer, 500, 'checkout_failed');
  });
});

describe('the log', () => {
  test('has one line per request, without key, email, token or body', async () => {
    const canaries = { email: 'canary@example.eu', name: 'Canary Name' };
    const body = {
      productId: shop.products.oneTime,
      externalCustomerId: 'canary-reference',
      customer: canaries,
    };
    const created = await api.request('POST', '/v1/checkouts', { apiKey: shop.apiKey, body });
    await api.request('GET', `/pay/${created.body.sessionId}`);
    await api.request('POST', '/v1/checkouts', {
      apiKey: shop.apiKey,
      body: { ...body, amount: 'canary-amount' },
    });
    await api.request('GET', `/v1/orders?canary=${shop.apiKey}`, { apiKey: shop.apiKey });

    const lines = api.logLines.join('');
    for (const secret of ['canary', 'Canary', shop.apiKey, created.body.sessionId, TEST_PEPPER]) {
      expect(lines.split(secret)).toHaveLength(1);
    }
    const ofRequest = api.logLines.filter((line) => line.includes(created.body.request_id));
    expect(ofRequest.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        method: 'POST',
        route: '/v1/checkouts',
        status: 201,
        merchantId: shop.merchantId,
        environment: 'sandbox',
        ms: expect.any(Number),
      }),
    ]);
  });
});
