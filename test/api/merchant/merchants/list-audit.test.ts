import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { auditAnswer } from '../../../../contract/merchant/audit.ts';
import { expectMarks, expectRefusal } from '../../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { seesEveryAnswerOf } from '../../../support/api/seen-answers.ts';
import { insertApiKey, insertMerchant } from '../../../support/db/fixtures.ts';

let api: PeopleApi;
let merchantId: string;

beforeAll(async () => {
  api = await startPeopleApi();
  merchantId = await insertMerchant(api.pool);
  const owner = api.as('owner', merchantId);
  for (const environment of ['sandbox', 'production']) {
    await owner('POST', `/v1/merchants/${merchantId}/api-keys`, { environment, name: 'Test' });
  }
  await owner('PATCH', `/v1/merchants/${merchantId}`, { name: 'Harbour Coffee' });
  const other = await insertMerchant(api.pool);
  await api.as('owner', other)('PATCH', `/v1/merchants/${other}`, { name: 'Somebody else' });
});
afterAll(() => api?.stop());

const list = (query = '', role: 'owner' | 'developer' | 'support' | 'platform' = 'owner') =>
  api.as(role, merchantId)('GET', `/v1/merchants/${merchantId}/audit${query}`);
const actions = ({ body }: { body: { data: { action: string; environment: string | null }[] } }) =>
  body.data.map(({ action, environment }) => `${action} ${environment}`);

const ALL = ['merchant.update null', 'api_key.create production', 'api_key.create sandbox'];

describe('GET /v1/merchants/:merchantId/audit', () => {
  test.each(['owner', 'platform'] as const)(
    '200: %s can read this merchant’s audit log, newest first',
    async (role) => {
      const answer = await list('', role);
      expectMarks(answer);
      expect(actions({ body: auditAnswer.schema.strict().parse(answer.body) })).toEqual(ALL);
      expect(answer.body.data[0]).toMatchObject({
        actor: 'person:owner@people.example',
        subject_id: merchantId,
        request_id: expect.stringMatching(/^req_/),
        before: { name: 'Kaffeerösterei Nord' },
        after: { name: 'Harbour Coffee' },
      });
    },
  );

  test('200: the log is filtered by environment and subject, and paginated', async () => {
    expect(actions(await list('?environment=sandbox'))).toEqual([ALL[2]]);
    expect(actions(await list(`?subject_id=${merchantId}`))).toEqual([ALL[0]]);
    const first = await list('?limit=2');
    expect(actions(first)).toEqual(ALL.slice(0, 2));
    const next = await list(`?limit=2&cursor=${first.body.next_cursor}`);
    expect(actions(next)).toEqual(ALL.slice(2));
    expect(next.body.next_cursor).toBeNull();
    expect((await list(`?limit=${ALL.length}`)).body.next_cursor).toBeNull();
  });

  test('200: the log is filtered by time', async () => {
    const { at } = (await list()).body.data[0];
    expect(actions(await list(`?from=${at}`))).toEqual([ALL[0]]);
    expect(actions(await list(`?to=${at}`))).toEqual(ALL.slice(1));
    expect(actions(await list(`?from=${at}&to=${at}`))).toEqual([]);
  });

  test.each([
    '?from=yesterday',
    '?environment=test',
    '?limit=0',
    '?cursor=x',
    '?cursor=-1',
    '?cursor=99999999999999999999',
    '?subject_id=',
  ])('400 invalid_request: %s', async (query) => {
    expectRefusal(await list(query), 400, 'invalid_request');
  });

  test('403 administration_forbidden: developers, support and keys', async () => {
    expectRefusal(await list('', 'developer'), 403, 'administration_forbidden');
    expectRefusal(await list('', 'support'), 403, 'administration_forbidden');
    const apiKey = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
    const answer = await api.request('GET', `/v1/merchants/${merchantId}/audit`, { apiKey });
    expectRefusal(answer, 403, 'administration_forbidden');
  });

  test('401, 403, 404: no credentials, another merchant’s owner, an unknown merchant', async () => {
    const path = `/v1/merchants/${merchantId}/audit`;
    expectRefusal(await api.request('GET', path), 401, 'service_api_key_required');
    expectRefusal(await api.as('owner')('GET', path), 403, 'service_merchant_forbidden');
    expectRefusal(await api.as('platform')('GET', '/v1/merchants/ap_mer_0/audit'), 404, 'merchant_not_found');
  });
});

seesEveryAnswerOf('listAudit');
