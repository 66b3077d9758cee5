import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiKeyListAnswer } from '../../../../contract/merchant/api-keys.ts';
import { sql } from '../../../../db/core/pool.ts';
import { expectMarks, expectRefusal } from '../../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { seesEveryAnswerOf } from '../../../support/api/seen-answers.ts';
import { eventually } from '../../../support/core/eventually.ts';
import { insertApiKey, insertMerchant } from '../../../support/db/fixtures.ts';

let api: PeopleApi;
let merchantId: string;
let sandbox: string;
let live: string;
const path = () => `/v1/merchants/${merchantId}/api-keys`;

beforeAll(async () => {
  api = await startPeopleApi();
  merchantId = await insertMerchant(api.pool);
  sandbox = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
  live = await insertApiKey(api.pool, { merchantId, environment: 'production' });
  const other = await insertMerchant(api.pool);
  await insertApiKey(api.pool, { merchantId: other, environment: 'sandbox' });
  for (const ended of ['revoked_at', 'expires_at']) {
    const key = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
    await api.pool.query(sql.unsafe`
      update api_keys set ${sql.identifier([ended])} = service_clock() where last4 = ${key.slice(-4)}
        and id = (select max(id) from api_keys)`);
  }
});
afterAll(() => api?.stop());

const shown = ({ body }: { body: { data: { prefix: string; last4: string }[] } }) =>
  body.data.map(({ prefix, last4 }) => prefix + last4);

describe('GET /v1/merchants/:merchantId/api-keys', () => {
  test.each(['owner', 'developer', 'support', 'platform'] as const)(
    '200: %s sees the keys of both environments, newest first, but not in full',
    async (role) => {
      const answer = await api.as(role, merchantId)('GET', path());
      expectMarks(answer);
      apiKeyListAnswer.schema.strict().parse(answer.body);
      expect(shown(answer)).toEqual([`ap_live_${live.slice(-4)}`, `ap_test_${sandbox.slice(-4)}`]);
      expect(JSON.stringify(answer.body)).not.toContain(live.slice(8, -4));
    },
  );

  test('200: `environment` filters the keys', async () => {
    const owner = api.as('owner', merchantId);
    expect(shown(await owner('GET', `${path()}?environment=sandbox`))).toEqual([
      `ap_test_${sandbox.slice(-4)}`,
    ]);
    expectRefusal(await owner('GET', `${path()}?environment=test`), 400, 'invalid_request');
  });

  test('200: a key sees only its own environment, and its last use', async () => {
    await eventually(async () => {
      const answer = await api.request('GET', path(), { apiKey: sandbox });
      expect(shown(answer)).toEqual([`ap_test_${sandbox.slice(-4)}`]);
      expect(Date.parse(answer.body.data[0].last_used_at)).toBeGreaterThan(Date.now() - 60_000);
    });
    const answer = await api.request('GET', `${path()}?environment=production`, { apiKey: sandbox });
    expectRefusal(answer, 403, 'merchant_scope_mismatch');
  });

  test('401, 403, 404: no credentials, another merchant’s owner, an unknown merchant', async () => {
    expectRefusal(await api.request('GET', path()), 401, 'service_api_key_required');
    expectRefusal(await api.as('owner')('GET', path()), 403, 'service_merchant_forbidden');
    const missing = await api.as('platform')('GET', '/v1/merchants/ap_mer_0/api-keys');
    expectRefusal(missing, 404, 'merchant_not_found');
  });
});

seesEveryAnswerOf('listApiKeys');
