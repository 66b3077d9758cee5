import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createdMerchantAnswer } from '../../../../contract/merchant/merchants.ts';
import { expectMarks, expectRefusal } from '../../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { seesEveryAnswerOf } from '../../../support/api/seen-answers.ts';
import { insertApiKey, insertMerchant } from '../../../support/db/fixtures.ts';

let api: PeopleApi;

beforeAll(async () => {
  api = await startPeopleApi();
});
afterAll(() => api?.stop());

const create = (body: unknown = { name: 'Harbour Coffee' }) =>
  api.as('platform')('POST', '/v1/merchants', body);

describe('POST /v1/merchants', () => {
  test('201: returns the merchant with defaults, and a working first API key', async () => {
    const answer = await create();
    expect(answer.status).toBe(201);
    expectMarks(answer);
    const created = createdMerchantAnswer.schema.strict().parse(answer.body);
    expect(created).toMatchObject({
      id: expect.stringMatching(/^ap_mer_[0-9a-f]{32}$/),
      name: 'Harbour Coffee',
      status: 'active',
      capabilities: { subscriptions: true },
      branding: { logo_url: null, color: null, language: null },
      legal_identity: { name: null, address_lines: [], vat_id: null, vat_note: null },
      api_key: { environment: 'sandbox', prefix: 'ap_test_', merchant_id: created.id, expires_at: null },
    });
    const { key, last4 } = created.api_key;
    expect(key.endsWith(last4)).toBe(true);
    const products = await api.request('GET', '/v1/products', { apiKey: key });
    expect(products).toMatchObject({ status: 200, body: { data: [] } });
  });

  test('201: stores every optional field', async () => {
    const body = {
      name: 'Kaffeerösterei Nord',
      capabilities: { subscriptions: false },
      branding: { logo_url: 'https://shop.example/logo.svg', color: '#0f766e', language: 'de' },
      legal_identity: {
        name: 'Nord GmbH',
        address_lines: ['Hafenweg 1', '20457 Hamburg'],
        vat_id: 'DE1',
        vat_note: 'Gemäß § 19 UStG wird keine Umsatzsteuer berechnet.',
      },
    };
    const { body: created } = await create(body);
    expect(created).toMatchObject(body);
    const shown = await api.as('owner', created.id)('GET', `/v1/merchants/${created.id}`);
    expect(shown.body).toMatchObject(body);
  });

  test('only this response contains the key: neither database, log, audit log nor another response does', async () => {
    const { body } = await create();
    const secret = body.api_key.key.slice(8, 60);
    const others = [
      await api.as('owner', body.id)('GET', `/v1/merchants/${body.id}`),
      await api.as('owner', body.id)('GET', `/v1/merchants/${body.id}/api-keys`),
      await api.as('owner', body.id)('GET', `/v1/merchants/${body.id}/audit`),
    ];
    expect(others.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(JSON.stringify(others.map((answer) => answer.body))).not.toContain(secret);
    expect(api.logLines.join('')).not.toContain(secret);
    expect(JSON.stringify(await api.audited(body.id))).not.toContain(secret);
  });

  test('the audit log records who created the merchant and the key, and the request', async () => {
    const { body } = await create();
    const { request_id, api_key, ...merchant } = body;
    const by = { actor: 'person:platform@people.example', request_id, before: null };
    expect(await api.audited(body.id)).toEqual([
      { ...by, environment: null, action: 'merchant.create', subject_id: body.id, after: merchant },
      {
        ...by,
        environment: 'sandbox',
        action: 'api_key.create',
        subject_id: api_key.id,
        after: expect.objectContaining({ id: api_key.id, last4: api_key.last4 }),
      },
    ]);
  });

  test.each<[string, unknown]>([
    ['no name', {}],
    ['an empty name', { name: '' }],
    ['a name that is too long', { name: 'x'.repeat(161) }],
    ['a name that is not a string', { name: 5 }],
    ['a logo that is not https', { name: 'a', branding: { logo_url: 'http://shop.example/logo.svg' } }],
    ['a logo that is not a URL', { name: 'a', branding: { logo_url: 'logo.svg' } }],
    ['a logo with credentials', { name: 'a', branding: { logo_url: 'https://u:p@shop.example/l.svg' } }],
    [
      "a logo whose host would end the policy's directive",
      { name: 'a', branding: { logo_url: 'https://a;sandbox/' } },
    ],
    ['a named colour', { name: 'a', branding: { color: 'teal' } }],
    ['a colour that would end the style', { name: 'a', branding: { color: '#fff}' } }],
    ['a language name instead of a code', { name: 'a', branding: { language: 'german' } }],
    ['a capability that is not a boolean', { name: 'a', capabilities: { subscriptions: 'yes' } }],
    ['too many address lines', { name: 'a', legal_identity: { address_lines: Array(7).fill('x') } }],
    ['a NUL', { name: 'a\0' }],
  ])('400 invalid_request: %s', async (_name, body) => {
    expectRefusal(await create(body), 400, 'invalid_request');
  });

  test('400 invalid_json, 413 payload_too_large, 415 unsupported_media_type', async () => {
    const headers = await api.provider.as('platform');
    const send = (raw: string, more = {}) =>
      api.request('POST', '/v1/merchants', { headers: { ...headers, ...more }, raw });
    expectRefusal(await send('{'), 400, 'invalid_json');
    expectRefusal(await send(`"${'x'.repeat(102_400)}"`), 413, 'payload_too_large');
    expectRefusal(await send('{}', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
  });

  test.each(['owner', 'developer', 'support'] as const)('403 administration_forbidden: %s', async (role) => {
    const merchantId = await insertMerchant(api.pool);
    const answer = await api.as(role, merchantId)('POST', '/v1/merchants', { name: 'Mine too' });
    expectRefusal(answer, 403, 'administration_forbidden');
  });

  test('403 administration_forbidden for an API key, 401 without credentials', async () => {
    const merchantId = await insertMerchant(api.pool);
    const apiKey = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
    const body = { name: 'Mine too' };
    expectRefusal(
      await api.request('POST', '/v1/merchants', { apiKey, body }),
      403,
      'administration_forbidden',
    );
    expectRefusal(await api.request('POST', '/v1/merchants', { body }), 401, 'service_api_key_required');
  });

  test('405: an unsupported method', async () => {
    const answer = await api.request('DELETE', '/v1/merchants');
    expectRefusal(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, POST');
  });
});

seesEveryAnswerOf('createMerchant');
