/** PATCH /v1/invoice-settings: an echo. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';

let api: TestApi;
let shop: Shop;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool);
});
afterAll(() => api?.stop());

const PATHS = ['/v1/invoice-settings', '/v1/invoice-settings/footer'];
const patch = (path: string, body: unknown) => api.request('PATCH', path, { apiKey: shop.apiKey, body });

test.each(PATHS)('%s echoes its body with the request id of the response', async (path) => {
  const sent = { prefix: 'RE-', nested: { days: [7, 14] }, off: null, merchantId: shop.merchantId };
  const { status, headers, body } = await patch(path, { ...sent, request_id: 'mine' });
  expect(status).toBe(200);
  expect(body).toEqual({ ...sent, request_id: headers.get('x-request-id') });
});

test.each(PATHS)('%s stores nothing: the next response contains only its own body', async (path) => {
  await patch(path, { prefix: 'RE-' });
  const { body } = await patch(path, { days: 7 });
  expect(Object.keys(body)).toEqual(['days', 'request_id']);
  const without = await api.request('PATCH', path, { apiKey: shop.apiKey });
  expect(Object.keys(without.body)).toEqual(['request_id']);
});

test.each(PATHS)(
  '%s rejects a body that is not a JSON object, a missing key and another merchant',
  async (path) => {
    expectRefusal(await patch(path, []), 400, 'invalid_request');
    expectRefusal(await api.request('PATCH', path, { apiKey: shop.apiKey, raw: '{' }), 400, 'invalid_json');
    expectRefusal(await api.request('PATCH', path, { body: {} }), 401, 'service_api_key_required');
    expectRefusal(await patch(path, { merchantId: 'ap_mer_other' }), 403, 'merchant_scope_mismatch');
    const get = await api.request('GET', path, { apiKey: shop.apiKey });
    expectRefusal(get, 405, 'method_not_allowed');
    expect(get.headers.get('allow')).toBe('PATCH');
  },
);

test.each(PATHS)('%s rejects a body that is nested too deeply', async (path) => {
  const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
  const send = (depth: number) => api.request('PATCH', path, { apiKey: shop.apiKey, raw: nested(depth) });
  expect((await send(64)).status).toBe(200);
  for (const depth of [65, 15_000]) expectRefusal(await send(depth), 400, 'invalid_request');
});

seesEveryAnswerOf('echoInvoiceSettings', 'echoInvoiceSettingsById');
