import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { merchantListAnswer } from '../../../../contract/merchant/merchants.ts';
import { expectMarks, expectRefusal } from '../../../support/api/api.ts';
import { type PeopleApi, startPeopleApi } from '../../../support/api/people-api.ts';
import { seesEveryAnswerOf } from '../../../support/api/seen-answers.ts';
import { insertApiKey, insertMerchant } from '../../../support/db/fixtures.ts';

let api: PeopleApi;
let ids: string[];

beforeAll(async () => {
  api = await startPeopleApi();
  ids = [];
  for (let n = 0; n < 3; n++) ids.unshift(await insertMerchant(api.pool));
});
afterAll(() => api?.stop());

const idsOf = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id);

describe('GET /v1/merchants', () => {
  test('200: platform people see every merchant, newest first', async () => {
    const answer = await api.as('platform')('GET', '/v1/merchants');
    expectMarks(answer);
    expect(merchantListAnswer.schema.strict().parse(answer.body).next_cursor).toBeNull();
    expect(idsOf(answer)).toEqual(ids);
  });

  test('200: other people see the merchants named in their token', async () => {
    for (const role of ['owner', 'developer', 'support'] as const) {
      expect(idsOf(await api.as(role, ids[1])('GET', '/v1/merchants'))).toEqual([ids[1]]);
    }
    expect(idsOf(await api.as('owner')('GET', '/v1/merchants'))).toEqual([]);
  });

  test('200: the list is paginated', async () => {
    const first = await api.as('platform')('GET', '/v1/merchants?limit=2');
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    const next = await api.as('platform')('GET', `/v1/merchants?limit=2&cursor=${first.body.next_cursor}`);
    expect(idsOf(next)).toEqual(ids.slice(2));
    expect(next.body.next_cursor).toBeNull();
    const whole = await api.as('platform')('GET', `/v1/merchants?limit=${ids.length}`);
    expect([idsOf(whole), whole.body.next_cursor]).toEqual([ids, null]);
  });

  test.each(['limit=0', 'limit=101', 'limit=x', 'cursor=', 'cursor=%00'])(
    '400 invalid_request: %s',
    async (query) => {
      expectRefusal(await api.as('platform')('GET', `/v1/merchants?${query}`), 400, 'invalid_request');
    },
  );

  test('401 without credentials, 403 for an API key', async () => {
    expectRefusal(await api.request('GET', '/v1/merchants'), 401, 'service_api_key_required');
    const apiKey = await insertApiKey(api.pool, { merchantId: ids[0] ?? '', environment: 'sandbox' });
    expectRefusal(await api.request('GET', '/v1/merchants', { apiKey }), 403, 'administration_forbidden');
  });
});

seesEveryAnswerOf('listMerchants');
