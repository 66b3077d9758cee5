import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { merchantAnswer } from '../../../../contract/merchant/merchants.ts';
import { DEFAULT_SETTINGS } from '../../../../contract/merchant/settings.ts';
import type { Role } from '../../../../domain/core/permissions.ts';
import { expectMarks, expectRefusal } from '../../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { seesEveryAnswerOf } from '../../../support/api/seen-answers.ts';
import { insertApiKey, insertMerchant, insertShop } from '../../../support/db/fixtures.ts';

let api: PeopleApi;
let merchantId: string;

beforeAll(async () => {
  api = await startPeopleApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  merchantId = await insertMerchant(api.pool, { branding: { color: '#0a7', language: 'de' } });
});

const path = () => `/v1/merchants/${merchantId}`;
const update = (role: Role, body: unknown) => api.as(role, merchantId)('PATCH', path(), body);
const shown = async () => (await api.as('support', merchantId)('GET', path())).body;

const CHANGES = {
  name: { name: 'Harbour Coffee' },
  legal_identity: { legal_identity: { vat_id: 'DE999999999' } },
  branding: { branding: { color: '#123abc' } },
  capabilities: { capabilities: { subscriptions: false } },
  status: { status: 'inactive' },
  renew_after_lost_dispute: { renew_after_lost_dispute: true },
} as const;

describe('PATCH /v1/merchants/:merchantId', () => {
  test.each([
    ['owner', 'name'],
    ['owner', 'legal_identity'],
    ['owner', 'branding'],
    ['developer', 'branding'],
    ['manager', 'renew_after_lost_dispute'],
    ['owner', 'renew_after_lost_dispute'],
    ['platform', 'name'],
    ['platform', 'legal_identity'],
    ['platform', 'capabilities'],
    ['platform', 'status'],
  ] as const)('200: %s changes %s and nothing else, and the change is audited', async (role, field) => {
    const before = await shown();
    const answer = await update(role, CHANGES[field]);
    expect(answer.status).toBe(200);
    expectMarks(answer);
    const { request_id, ...after } = merchantAnswer.schema.strict().parse(answer.body);
    expect(after).toMatchObject(CHANGES[field]);
    const { request_id: _, updated_at, [field]: changed, ...rest } = before;
    expect(after).toMatchObject(rest);
    expect(await api.audited(merchantId)).toEqual([
      {
        actor: `person:${role}@people.example`,
        action: 'merchant.update',
        environment: null,
        subject_id: merchantId,
        request_id,
        after,
        before: { ...rest, updated_at, [field]: changed },
      },
    ]);
  });

  test.each([
    ['owner', 'status'],
    ['owner', 'capabilities'],
    ['developer', 'name'],
    ['developer', 'legal_identity'],
    ['developer', 'status'],
    ['developer', 'capabilities'],
    ['developer', 'renew_after_lost_dispute'],
    ['manager', 'name'],
    ['manager', 'status'],
    ['platform', 'branding'],
    ['platform', 'renew_after_lost_dispute'],
  ] as const)(
    '403 administration_forbidden: %s may not change %s, and the rest of the body is not applied',
    async (role, field) => {
      const before = await shown();
      const answer = await update(role, { branding: { color: '#000' }, name: 'X', ...CHANGES[field] });
      expectRefusal(answer, 403, 'administration_forbidden');
      const { request_id, ...now } = await shown();
      expect(before).toMatchObject(now);
      expect(await api.audited(merchantId)).toEqual([]);
    },
  );

  test('403 administration_forbidden: support, an analyst, and a key', async () => {
    expectRefusal(await update('support', CHANGES.branding), 403, 'administration_forbidden');
    expectRefusal(await update('analyst', CHANGES.branding), 403, 'administration_forbidden');
    const apiKey = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
    const answer = await api.request('PATCH', path(), { apiKey, body: CHANGES.branding });
    expectRefusal(answer, 403, 'administration_forbidden');
  });

  test('200: absent members of branding and legal identity are kept; null removes one', async () => {
    const { body } = await update('owner', {
      branding: { language: null, logo_url: 'https://shop.example/logo.svg' },
      legal_identity: { name: null },
    });
    expect(body.branding).toEqual({
      logo_url: 'https://shop.example/logo.svg',
      color: '#0a7',
      language: null,
    });
    expect(body.legal_identity).toMatchObject({ name: null, vat_id: 'DE123456789' });
  });

  test('200: an empty body changes nothing and is not audited', async () => {
    const { request_id, ...before } = await shown();
    expect((await update('owner', {})).body).toMatchObject(before);
    expect(await api.audited(merchantId)).toEqual([]);
  });

  test('200: unknown fields are ignored and never stored', async () => {
    const { status, body } = await update('owner', { id: 'ap_mer_x', branding: { canary: 'x' } });
    expect(status).toBe(200);
    expect(body.id).toBe(merchantId);
    expect(JSON.stringify(await api.audited(merchantId))).not.toContain('canary');
  });

  test('until an inactive merchant is reactivated, its keys are refused and its people may only read', async () => {
    const shop = await insertShop(api.pool);
    const set = (status: string) =>
      api.as('platform')('PATCH', `/v1/merchants/${shop.merchantId}`, { status });
    const products = () => api.request('GET', '/v1/products', { apiKey: shop.apiKey });
    expect((await products()).status).toBe(200);
    expect((await set('inactive')).status).toBe(200);
    expectRefusal(await products(), 403, 'merchant_inactive');
    const owner = api.as('owner', shop.merchantId);
    expectRefusal(
      await owner('PATCH', `/v1/merchants/${shop.merchantId}`, CHANGES.name),
      403,
      'merchant_inactive',
    );
    expect((await owner('GET', `/v1/merchants/${shop.merchantId}`)).body.status).toBe('inactive');
    expect((await set('active')).status).toBe(200);
    expect((await products()).status).toBe(200);
  });

  test('the subscriptions capability takes effect immediately', async () => {
    const shop = await insertShop(api.pool);
    const sell = () =>
      api.request('POST', '/v1/checkouts', {
        apiKey: shop.apiKey,
        body: { productId: shop.products.recurring, externalCustomerId: 'c-1' },
      });
    expect((await sell()).status).toBe(201);
    await api.as('platform')('PATCH', `/v1/merchants/${shop.merchantId}`, CHANGES.capabilities);
    expectRefusal(await sell(), 403, 'merchant_feature_not_enabled');
  });

  test.each<[string, unknown]>([
    ['an empty name', { name: '' }],
    ['no name', { name: null }],
    ['another status', { status: 'closed' }],
    ['a logo that is not https', { branding: { logo_url: 'http://shop.example/l.svg' } }],
    ['branding that is not an object', { branding: '#fff' }],
    ['a capability that is not a boolean', { capabilities: { subscriptions: null } }],
  ])('400 invalid_request: %s', async (_name, body) => {
    expectRefusal(await update('platform', body), 400, 'invalid_request');
  });

  test('400 invalid_json, 413, 415: malformed JSON, a body that is too large, another content type', async () => {
    const headers = await api.provider.as('platform');
    const send = (raw: string, more = {}) =>
      api.request('PATCH', path(), { headers: { ...headers, ...more }, raw });
    expectRefusal(await send('{'), 400, 'invalid_json');
    expectRefusal(await send(`"${'x'.repeat(102_400)}"`), 413, 'payload_too_large');
    expectRefusal(await send('{}', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
  });

  test('401, 403, 404: no credentials, other people, another merchantId in the body, an unknown merchant', async () => {
    const other = await insertMerchant(api.pool);
    expectRefusal(await api.request('PATCH', path(), { body: {} }), 401, 'service_api_key_required');
    expectRefusal(await api.as('owner', other)('PATCH', path(), {}), 403, 'service_merchant_forbidden');
    expectRefusal(await update('owner', { merchantId: other }), 403, 'merchant_scope_mismatch');
    expectRefusal(await api.as('platform')('PATCH', '/v1/merchants/ap_mer_0', {}), 404, 'merchant_not_found');
  });
});

describe('/v1/merchants/:merchantId/settings', () => {
  const settings = (role: Role, body?: unknown) =>
    api.as(role, merchantId)(body === undefined ? 'GET' : 'PATCH', `${path()}/settings`, body);

  test('200: a new merchant has the defaults', async () => {
    const { request_id, ...shownSettings } = (await settings('support')).body;
    expect(shownSettings).toEqual(DEFAULT_SETTINGS);
  });

  test('200: an absent field keeps its value, and the old and new value are audited', async () => {
    await settings('owner', { invoice_prefix: 'RE-' });
    const answer = await settings('owner', { time_zone: 'Europe/Berlin', invoice_prefix: 'RE-' });
    expectMarks(answer);
    expect(answer.body).toMatchObject({
      ...DEFAULT_SETTINGS,
      time_zone: 'Europe/Berlin',
      invoice_prefix: 'RE-',
    });
    expect(await api.audited(merchantId)).toMatchObject([
      { action: 'settings.update', before: { invoice_prefix: '' }, after: { invoice_prefix: 'RE-' } },
      { action: 'settings.update', before: { time_zone: 'UTC' }, after: { time_zone: 'Europe/Berlin' } },
    ]);
  });

  test.each([
    { time_zone: 'Europe/Atlantis' },
    { time_zone: '+02:00' },
    { time_zone: null },
    { invoice_prefix: 'RE-2' },
    { invoice_prefix: 'CN-' },
    { invoice_prefix: 'A/' },
    { invoice_first_number: 0 },
    { invoice_first_number: 1.5 },
    { support_refund_limit: -1 },
    { support_refund_limit: null },
    { support_email: 'help' },
    { support_url: 'javascript:alert(1)' },
    { support_phone: 'call us' },
  ])('400: the settings %j', async (changes) => {
    expectRefusal(await settings('owner', changes), 400, 'invalid_request');
    expect((await settings('owner')).body).toMatchObject(DEFAULT_SETTINGS);
  });

  test('200: the buyers’ contact can be set and cleared', async () => {
    const contact = {
      support_email: 'help@shop.example',
      support_url: 'https://shop.example/help',
      support_phone: '+49 (40) 123-456',
    };
    expect((await settings('owner', contact)).body).toMatchObject(contact);
    expect((await settings('owner', { support_url: null })).body).toMatchObject({
      ...contact,
      support_url: null,
    });
  });

  test('only an owner can set support’s refund limit; one forbidden field rejects the whole body', async () => {
    const changes = { support_refund_limit: 2_000, invoice_prefix: 'RE-' };
    expectRefusal(await settings('platform', changes), 403, 'administration_forbidden');
    expect((await settings('owner')).body).toMatchObject(DEFAULT_SETTINGS);
    expect((await settings('owner', changes)).body).toMatchObject(changes);
    expect(await api.audited(merchantId)).toMatchObject([
      { before: { support_refund_limit: 0 }, after: changes },
    ]);
  });

  test.each(['manager', 'developer', 'support'] as const)(
    '403 administration_forbidden: %s',
    async (role) => {
      expectRefusal(await settings(role, { invoice_prefix: 'RE-' }), 403, 'administration_forbidden');
    },
  );
});

seesEveryAnswerOf('updateMerchant', 'showMerchantSettings', 'updateMerchantSettings');
