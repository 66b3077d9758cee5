import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { merchantAnswer } from '../../../../contract/merchant/merchants.ts';
import { expectMarks, expectRefusal } from '../../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { seesEveryAnswerOf } from '../../../support/api/seen-answers.ts';
import { insertApiKey, insertMerchant } from '../../../support/db/fixtures.ts';

let api: PeopleApi;
let merchantId: string;

beforeAll(async () => {
  api = await startPeopleApi();
  merchantId = await insertMerchant(api.pool, { branding: { color: '#0a7' } });
});
afterAll(() => api?.stop());

describe('GET /v1/merchants/:merchantId', () => {
  test.each(['owner', 'developer', 'support', 'platform'] as const)('200: %s', async (role) => {
    const answer = await api.as(role, merchantId)('GET', `/v1/merchants/${merchantId}`);
    expect(answer.status).toBe(200);
    expectMarks(answer);
    expect(merchantAnswer.schema.strict().parse(answer.body)).toMatchObject({
      id: merchantId,
      name: 'Kaffeerösterei Nord',
      status: 'active',
      capabilities: { subscriptions: true },
      branding: { logo_url: null, color: '#0a7', language: null },
      legal_identity: { name: 'Kaffeerösterei Nord GmbH', vat_id: 'DE123456789' },
    });
  });

  test.each(['sandbox', 'production'] as const)('200: a key of the %s', async (environment) => {
    const apiKey = await insertApiKey(api.pool, { merchantId, environment });
    const answer = await api.request('GET', `/v1/merchants/${merchantId}`, { apiKey });
    expect(answer).toMatchObject({ status: 200, body: { id: merchantId } });
  });

  test('401, 403, 404: no credentials, another merchant’s people and keys, an unknown merchant', async () => {
    const path = `/v1/merchants/${merchantId}`;
    const other = await insertMerchant(api.pool);
    const apiKey = await insertApiKey(api.pool, { merchantId: other, environment: 'sandbox' });
    expectRefusal(await api.request('GET', path), 401, 'service_api_key_required');
    expectRefusal(await api.as('owner', other)('GET', path), 403, 'service_merchant_forbidden');
    for (const query of ['', `?merchantId=${merchantId}`, '?merchantId=ap_mer_third']) {
      expectRefusal(await api.request('GET', path + query, { apiKey }), 403, 'service_merchant_forbidden');
    }
    expectRefusal(await api.as('platform')('GET', '/v1/merchants/ap_mer_0'), 404, 'merchant_not_found');
  });
});

seesEveryAnswerOf('showMerchant');
