import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createdApiKeyAnswer, MAX_API_KEYS } from '../../../../contract/merchant/api-keys.ts';
import { sql } from '../../../../db/core/pool.ts';
import type { Role } from '../../../../domain/core/permissions.ts';
import { expectMarks, expectRefusal } from '../../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { seesEveryAnswerOf } from '../../../support/api/seen-answers.ts';
import { insertApiKey, insertMerchant } from '../../../support/db/fixtures.ts';

let api: PeopleApi;
let merchantId: string;
const path = () => `/v1/merchants/${merchantId}/api-keys`;

beforeAll(async () => {
  api = await startPeopleApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  merchantId = await insertMerchant(api.pool);
});

const create = (environment: unknown, role: Role = 'owner', more: object = {}) =>
  api.as(role, merchantId)('POST', path(), { environment, name: 'Web shop', ...more });

describe('POST /v1/merchants/:merchantId/api-keys', () => {
  test.each([
    ['owner', 'sandbox', 'ap_test_'],
    ['owner', 'production', 'ap_live_'],
    ['developer', 'production', 'ap_live_'],
  ] as const)('201: %s creates a working key for the %s', async (role, environment, prefix) => {
    const answer = await create(environment, role);
    expect(answer.status).toBe(201);
    expectMarks(answer);
    const { key, ...shown } = createdApiKeyAnswer.schema.strict().parse(answer.body);
    expect(shown).toMatchObject({
      merchant_id: merchantId,
      environment,
      prefix,
      last4: key.slice(-4),
      name: 'Web shop',
      scope: 'all',
      created_by: `person:${role}@people.example`,
      expires_at: null,
      last_used_at: null,
    });
    expect(key).toMatch(new RegExp(`^${prefix}[0-9a-f]{72}$`));
    expect((await api.request('GET', '/v1/products', { apiKey: key })).status).toBe(200);
  });

  test('only this response contains the key, and the audit log names its creator', async () => {
    const { body } = await create('sandbox');
    const secret = body.key.slice(8, 60);
    const list = await api.as('owner', merchantId)('GET', path());
    expect(list.body.data).toHaveLength(1);
    const audited = await api.audited(merchantId);
    expect(audited).toMatchObject([
      {
        actor: 'person:owner@people.example',
        action: 'api_key.create',
        environment: 'sandbox',
        subject_id: body.id,
        request_id: body.request_id,
        before: null,
        after: { last4: body.last4 },
      },
    ]);
    for (const text of [JSON.stringify(list.body), JSON.stringify(audited), api.logLines.join('')]) {
      expect(text).not.toContain(secret);
    }
  });

  test('409 api_key_limit_reached: twenty active keys in one environment, even under concurrent requests', async () => {
    const answers = await Promise.all(Array.from({ length: MAX_API_KEYS + 3 }, () => create('sandbox')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(MAX_API_KEYS);
    for (const refused of answers.filter(({ status }) => status !== 201)) {
      expectRefusal(refused, 409, 'api_key_limit_reached');
    }
    expect((await create('production')).status).toBe(201);
  });

  test.each([undefined, null, '', 'test', 5])(
    '400 invalid_request: the environment %j',
    async (environment) => {
      expectRefusal(await create(environment), 400, 'invalid_request');
    },
  );

  test('201: with a scope and an expiry, after which the key is invalid', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const { body } = await create('sandbox', 'owner', { scope: 'read', expires_at });
    expect(body).toMatchObject({ scope: 'read', expires_at });
    expect((await api.request('GET', '/v1/products', { apiKey: body.key })).status).toBe(200);
    await api.pool.query(sql.unsafe`update api_keys set ends_at = service_clock() where id = ${body.id}`);
    expectRefusal(await api.request('GET', '/v1/products', { apiKey: body.key }), 401, 'api_key_invalid');
    expect((await api.as('owner', merchantId)('GET', path())).body.data).toEqual([]);
  });

  test.each([
    { name: undefined },
    { name: ' ' },
    { name: 'x'.repeat(101) },
    { scope: 'everything' },
    { expires_at: '2020-01-01T00:00:00Z' },
    { expires_at: 'tomorrow' },
    { expires_at: null },
  ])('400 invalid_request: %j', async (fields) => {
    expectRefusal(await create('sandbox', 'owner', fields), 400, 'invalid_request');
  });

  test('400 unknown_field: a misspelt scope does not create a key with full access', async () => {
    expectRefusal(await create('sandbox', 'owner', { scop: 'read' }), 400, 'unknown_field');
    expect((await api.as('owner', merchantId)('GET', path())).body.data).toEqual([]);
  });

  test('400 invalid_json, 413, 415: malformed JSON, a body that is too large, another content type', async () => {
    const headers = await api.provider.as('owner', merchantId);
    const send = (raw: string, more = {}) =>
      api.request('POST', path(), { headers: { ...headers, ...more }, raw });
    expectRefusal(await send('{'), 400, 'invalid_json');
    expectRefusal(await send(`"${'x'.repeat(102_400)}"`), 413, 'payload_too_large');
    expectRefusal(await send('{}', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
  });

  test('403 administration_forbidden: support, platform people, and a key', async () => {
    expectRefusal(await create('sandbox', 'support'), 403, 'administration_forbidden');
    expectRefusal(await create('sandbox', 'platform'), 403, 'administration_forbidden');
    const apiKey = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
    const body = { environment: 'sandbox', name: 'Web shop' };
    expectRefusal(await api.request('POST', path(), { apiKey, body }), 403, 'administration_forbidden');
  });

  test('401, 403, 404: no credentials, another merchant’s owner or id, an inactive or unknown merchant', async () => {
    const body = { environment: 'sandbox', name: 'Web shop' };
    expectRefusal(await api.request('POST', path(), { body }), 401, 'service_api_key_required');
    expectRefusal(await api.as('owner')('POST', path(), body), 403, 'service_merchant_forbidden');
    expectRefusal(
      await api.as('owner', merchantId)('POST', path(), { ...body, merchantId: 'ap_mer_other' }),
      403,
      'merchant_scope_mismatch',
    );
    const inactive = await insertMerchant(api.pool, { status: 'inactive' });
    expectRefusal(
      await api.as('owner', inactive)('POST', `/v1/merchants/${inactive}/api-keys`, body),
      403,
      'merchant_inactive',
    );
    expectRefusal(
      await api.as('owner', 'ap_mer_0')('POST', '/v1/merchants/ap_mer_0/api-keys', body),
      404,
      'merchant_not_found',
    );
  });
});

seesEveryAnswerOf('createApiKey');
