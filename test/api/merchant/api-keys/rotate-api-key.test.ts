import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_API_KEYS, rotatedApiKeyAnswer } from '../../../../contract/merchant/api-keys.ts';
import { sql } from '../../../../db/core/pool.ts';
import { expectMarks, expectRefusal } from '../../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { seesEveryAnswerOf } from '../../../support/api/seen-answers.ts';
import { insertMerchant } from '../../../support/db/fixtures.ts';

let api: PeopleApi;
let merchantId: string;
/** The key as its creation returned it. */
let old: { id: string; key: string; last4: string };
const path = () => `/v1/merchants/${merchantId}/api-keys`;

beforeAll(async () => {
  api = await startPeopleApi();
});
afterAll(() => api?.stop());
beforeEach(async () => {
  merchantId = await insertMerchant(api.pool);
  old = (await api.as('owner', merchantId)('POST', path(), { environment: 'production', name: 'Test' })).body;
});

const rotate = (
  body?: unknown,
  role: 'owner' | 'developer' | 'support' | 'platform' = 'owner',
  id = old.id,
) => api.as(role, merchantId)('POST', `${path()}/${id}/rotate`, body);
const use = (apiKey: string) => api.request('GET', '/v1/products', { apiKey });
const hoursUntil = (instant: string) => (Date.parse(instant) - Date.now()) / 3_600_000;

describe('POST /v1/merchants/:merchantId/api-keys/:keyId/rotate', () => {
  test.each([
    ['24 hours without a body', undefined, 24],
    ['the requested number of hours', { overlap_hours: 72 }, 72],
  ])('201: both keys are valid for %s', async (_name, body, hours) => {
    const answer = await rotate(body, 'developer');
    expect(answer.status).toBe(201);
    expectMarks(answer);
    const rotated = rotatedApiKeyAnswer.schema.strict().parse(answer.body);
    expect(rotated).toMatchObject({ environment: 'production', prefix: 'ap_live_', expires_at: null });
    expect(rotated.replaces.id).toBe(old.id);
    expect(hoursUntil(rotated.replaces.expires_at)).toBeCloseTo(hours, 1);
    expect([(await use(old.key)).status, (await use(rotated.key)).status]).toEqual([200, 200]);
    const list = await api.as('owner', merchantId)('GET', path());
    expect(list.body.data).toMatchObject([
      { id: rotated.id, expires_at: null },
      { id: old.id, expires_at: rotated.replaces.expires_at },
    ]);

    await api.pool.query(sql.unsafe`update api_keys set expires_at = service_clock() where id = ${old.id}`);
    expectRefusal(await use(old.key), 401, 'api_key_invalid');
    expect((await use(rotated.key)).status).toBe(200);
  });

  test('201: the new key inherits name, scope and chosen expiry, even during the old key’s overlap', async () => {
    const expires_at = new Date(Date.now() + 30 * 86_400_000).toISOString();
    const terms = { name: 'Contractor', scope: 'read', expires_at };
    const owner = api.as('owner', merchantId);
    const { body: first } = await owner('POST', path(), { environment: 'sandbox', ...terms });
    const { body: second } = await rotate(undefined, 'developer', first.id);
    expect(second).toMatchObject({ ...terms, created_by: 'person:developer@people.example' });
    expect(hoursUntil(second.replaces.expires_at)).toBeCloseTo(24, 1);
    expect((await rotate(undefined, 'owner', first.id)).body).toMatchObject(terms);
  });

  test('201: without an overlap the previous key is refused immediately', async () => {
    const { body } = await rotate({ overlap_hours: 0 });
    expectRefusal(await use(old.key), 401, 'api_key_invalid');
    expect((await use(body.key)).status).toBe(200);
  });

  test('201: a key that expires before the overlap ends keeps its expiry', async () => {
    const first = await rotate({ overlap_hours: 1 });
    const second = await rotate({ overlap_hours: 48 });
    expect(second.body.replaces).toEqual(first.body.replaces);
  });

  test('the audit log records the end of the old key and the new key’s creation, but neither secret', async () => {
    const { body } = await rotate();
    const audited = (await api.audited(merchantId)).slice(1);
    const by = { actor: 'person:owner@people.example', request_id: body.request_id };
    expect(audited).toMatchObject([
      {
        ...by,
        action: 'api_key.expire',
        subject_id: old.id,
        before: { expires_at: null },
        after: { expires_at: body.replaces.expires_at },
      },
      { ...by, action: 'api_key.rotate', subject_id: body.id, before: null, after: { last4: body.last4 } },
    ]);
    const everywhere = JSON.stringify(audited) + api.logLines.join('');
    expect(everywhere).not.toContain(body.key.slice(8, 60));
    expect(everywhere).not.toContain(old.key.slice(8, 60));
  });

  test.each([-1, 169, 1.5, '24', null])(
    '400 invalid_request: an overlap of %j hours',
    async (overlap_hours) => {
      expectRefusal(await rotate({ overlap_hours }), 400, 'invalid_request');
      expect((await api.as('owner', merchantId)('GET', path())).body.data).toHaveLength(1);
    },
  );

  test('400 invalid_json, 413, 415: malformed JSON, a body that is too large, another content type', async () => {
    const headers = await api.provider.as('owner', merchantId);
    const send = (raw: string, more = {}) =>
      api.request('POST', `${path()}/${old.id}/rotate`, { headers: { ...headers, ...more }, raw });
    expectRefusal(await send('{'), 400, 'invalid_json');
    expectRefusal(await send(`"${'x'.repeat(102_400)}"`), 413, 'payload_too_large');
    expectRefusal(await send('{}', { 'content-type': 'text/plain' }), 415, 'unsupported_media_type');
  });

  test('404 api_key_not_found: an unknown key, another merchant’s, and one already revoked', async () => {
    for (const id of ['ap_key_0', 'nothing', '%00']) {
      expectRefusal(await rotate({}, 'owner', id), 404, 'api_key_not_found');
    }
    const other = await insertMerchant(api.pool);
    const foreign = await api.as('owner', other)('POST', `/v1/merchants/${other}/api-keys/${old.id}/rotate`);
    expectRefusal(foreign, 404, 'api_key_not_found');
    await api.as('owner', merchantId)('DELETE', `${path()}/${old.id}`);
    expectRefusal(await rotate(), 404, 'api_key_not_found');
  });

  test('409 api_key_limit_reached: both keys count during an overlap', async () => {
    const owner = api.as('owner', merchantId);
    for (let n = 1; n < MAX_API_KEYS; n++)
      await owner('POST', path(), { environment: 'production', name: 'Test' });
    expectRefusal(await rotate(), 409, 'api_key_limit_reached');
    expect((await use(old.key)).status).toBe(200);
    expect((await rotate({ overlap_hours: 0 })).status).toBe(201);
  });

  test('401 and 403: no credentials, another merchant’s owner, an insufficient role, a key', async () => {
    const rotation = `${path()}/${old.id}/rotate`;
    expectRefusal(await api.request('POST', rotation), 401, 'service_api_key_required');
    expectRefusal(await api.as('owner')('POST', rotation), 403, 'service_merchant_forbidden');
    expectRefusal(await rotate({}, 'support'), 403, 'administration_forbidden');
    expectRefusal(await rotate({}, 'platform'), 403, 'administration_forbidden');
    expectRefusal(await api.request('POST', rotation, { apiKey: old.key }), 403, 'administration_forbidden');
    expect((await use(old.key)).status).toBe(200);
  });
});

seesEveryAnswerOf('rotateApiKey');
