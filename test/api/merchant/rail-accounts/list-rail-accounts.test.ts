import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { railAccountListAnswer } from '../../../../contract/merchant/rail-accounts.ts';
import { expectMarks, expectRefusal } from '../../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { seesEveryAnswerOf } from '../../../support/api/seen-answers.ts';
import { insertApiKey, insertMerchant, insertRailAccount } from '../../../support/db/fixtures.ts';

let api: PeopleApi;
let merchantId: string;
let ids: string[];
const path = () => `/v1/merchants/${merchantId}/rail-accounts`;

beforeAll(async () => {
  api = await startPeopleApi();
  merchantId = await insertMerchant(api.pool);
  const credential = { secretKey: 'sk_test_canary' };
  ids = [
    await insertRailAccount(api.pool, { merchantId, environment: 'sandbox', status: 'disabled', credential }),
    await insertRailAccount(api.pool, {
      merchantId,
      environment: 'sandbox',
      status: 'activating',
      credential,
    }),
    await insertRailAccount(api.pool, { merchantId, environment: 'production', rail: 'stripe', credential }),
  ].reverse();
  const other = await insertMerchant(api.pool);
  await insertRailAccount(api.pool, { merchantId: other, environment: 'sandbox' });
});
afterAll(() => api?.stop());

const shown = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id);

describe('GET /v1/merchants/:merchantId/rail-accounts', () => {
  test.each(['owner', 'developer', 'support', 'platform'] as const)(
    '200: %s sees all accounts with their states, newest first, without credentials',
    async (role) => {
      const answer = await api.as(role, merchantId)('GET', path());
      expectMarks(answer);
      const { data } = railAccountListAnswer.schema.strict().parse(answer.body);
      expect(shown(answer)).toEqual(ids);
      expect(data.map(({ rail, status }) => `${rail} ${status}`)).toEqual([
        'stripe active',
        'sandbox activating',
        'sandbox disabled',
      ]);
      expect(JSON.stringify(answer.body)).not.toMatch(/canary|credential/);
    },
  );

  test('200: `environment` filters the accounts; a key sees only its own environment', async () => {
    const live = await api.as('owner', merchantId)('GET', `${path()}?environment=production`);
    expect(shown(live)).toEqual(ids.slice(0, 1));
    const apiKey = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
    expect(shown(await api.request('GET', path(), { apiKey }))).toEqual(ids.slice(1));
    const foreign = await api.request('GET', `${path()}?environment=production`, { apiKey });
    expectRefusal(foreign, 403, 'merchant_scope_mismatch');
  });

  test('400, 401, 403, 404: an unknown environment, no credentials, another owner, an unknown merchant', async () => {
    const unknown = await api.as('owner', merchantId)('GET', `${path()}?environment=test`);
    expectRefusal(unknown, 400, 'invalid_request');
    expectRefusal(await api.request('GET', path()), 401, 'service_api_key_required');
    expectRefusal(await api.as('owner')('GET', path()), 403, 'service_merchant_forbidden');
    const missing = await api.as('platform')('GET', '/v1/merchants/ap_mer_0/rail-accounts');
    expectRefusal(missing, 404, 'merchant_not_found');
  });
});

seesEveryAnswerOf('listRailAccounts');
