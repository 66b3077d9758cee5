/** Offerings: named groups of plans, each plan in at most one. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { offering } from '../../../contract/catalogue/offerings.ts';
import { sql } from '../../../db/core/pool.ts';
import {
  type AdminApi,
  atOnce,
  describeGate,
  resourceOf,
  startAdminApi,
} from '../../support/api/admin-api.ts';
import { type Answer, expectMarks, expectRefusal } from '../../support/api/api.ts';
import { PERSON } from '../../support/api/people.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertProduct, RECURRING } from '../../support/db/fixtures.ts';

let api: AdminApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api?.server.stop());

const NONE = '/offerings/ap_off_00000000000000000000000000000000';
describeGate(() => api, 'GET', '/offerings');
describeGate(() => api, 'POST', '/offerings');
describeGate(() => api, 'GET', NONE);
describeGate(() => api, 'PATCH', NONE);

const newPlan = async () =>
  (await insertProduct(api.server.pool, { merchantId: api.shop.merchantId, price: RECURRING })).productId;
const create = (fields: object = {}) => api.admin('POST', '/offerings', { name: 'Abos', ...fields });
async function created(planIds: readonly string[] = []): Promise<string> {
  const answer = await create({ plan_ids: planIds });
  expect(answer.status).toBe(201);
  return answer.body.id;
}
const show = (id: string) => api.admin('GET', `/offerings/${id}`);
const change = (id: string, fields: unknown) => api.admin('PATCH', `/offerings/${id}`, fields);
const plansOf = async (id: string) => (await show(id)).body.plan_ids;

/** Plans that creation and update refuse. */
const PLANS_REFUSED: readonly [number, string, string, () => Promise<string>][] = [
  [404, 'plan_not_found', 'an unknown plan', async () => 'ap_prod_00000000000000000000000000000000'],
  [404, 'plan_not_found', "another merchant's plan", async () => api.other.products.recurring],
  [422, 'product_not_recurring', 'a one-off product', async () => api.shop.products.oneTime],
  [
    422,
    'product_not_recurring',
    'a product without a price',
    async () =>
      (await insertProduct(api.server.pool, { merchantId: api.shop.merchantId, price: null })).productId,
  ],
  [
    409,
    'plan_in_other_offering',
    'a plan of another offering',
    async () => {
      const plan = await newPlan();
      await created([plan]);
      return plan;
    },
  ],
];

const INVALID: readonly [string, object][] = [
  ['an empty name', { name: '' }],
  ['a name that is too long', { name: 'x'.repeat(201) }],
  ['plans that are not a list', { plan_ids: 'ap_prod_1' }],
  ['a plan that is not a string', { plan_ids: [7] }],
  ['a plan with NUL', { plan_ids: ['\0'] }],
  ['too many plans', { plan_ids: Array(101).fill('ap_prod_1') }],
];

describe('POST /offerings', () => {
  test('201: returns the offering with its plans deduplicated, and writes an audit row', async () => {
    const [first, second] = [await newPlan(), await newPlan()];
    const answer = await create({ plan_ids: [second, first, second] });
    expect(answer.status).toBe(201);
    expectMarks(answer);
    expect(offering.strict().parse(resourceOf(answer))).toMatchObject({
      id: expect.stringMatching(/^ap_off_[0-9a-f]{32}$/),
      merchant_id: api.shop.merchantId,
      name: 'Abos',
      plan_ids: [first, second],
      status: 'active',
    });
    expect(await api.audited(answer.body.id)).toEqual([
      {
        action: 'offering.create',
        actor: PERSON,
        environment: null,
        request_id: answer.body.request_id,
        before: null,
        after: resourceOf(answer),
      },
    ]);
  });

  test('201: a name alone is enough', async () => {
    expect((await create()).body.plan_ids).toEqual([]);
  });

  test('400: a body without a name', async () => {
    expectRefusal(await api.admin('POST', '/offerings', {}), 400, 'invalid_request');
  });

  test.each(INVALID)('400: %s', async (_what, fields) => {
    expectRefusal(await create(fields), 400, 'invalid_request');
  });

  test.each(PLANS_REFUSED)('%d %s: %s; nothing is created', async (status, code, _what, plan) => {
    const [fits, refused] = [await newPlan(), await plan()];
    const before = (await api.admin('GET', '/offerings')).body.data.length;
    expectRefusal(await create({ plan_ids: [fits, refused] }), status, code);
    expect((await api.admin('GET', '/offerings')).body.data).toHaveLength(before);
    expect((await create({ plan_ids: [fits] })).status).toBe(201);
  });

  test('409: only one of five concurrent requests for a plan succeeds', async () => {
    const plan = await newPlan();
    const answers = await atOnce(api, 5, () => create({ plan_ids: [plan] }));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201))
      expectRefusal(answer, 409, 'plan_in_other_offering');
  });
});

describe('GET /offerings and /offerings/:offeringId', () => {
  test("200: people and keys see only their merchant's offerings, active and inactive, newest first", async () => {
    const [older, newer] = [await created([await newPlan()]), await created()];
    await change(older, { status: 'inactive' });
    const answer = await api.withKey(api.shop.apiKey, 'GET', '/offerings');
    expect(answer.status).toBe(200);
    expectMarks(answer);
    expect(answer.body.data.slice(0, 2).map(({ id }: { id: string }) => id)).toEqual([newer, older]);
    for (const each of answer.body.data) expect(offering.strict().parse(each)).toEqual(each);
    const theirs = await api.server.request('GET', `/v1/merchants/${api.other.merchantId}/offerings`, {
      apiKey: api.other.apiKey,
    });
    expect(theirs.body.data).toEqual([]);
    const one = await api.withKey(api.shop.apiKey, 'GET', `/offerings/${older}`);
    expect(resourceOf(one)).toEqual(answer.body.data[1]);
  });
});

describe('PATCH /offerings/:offeringId', () => {
  test('200: plan_ids replaces the whole set; a removed plan may join another offering', async () => {
    const [stays, leaves, comes] = [await newPlan(), await newPlan(), await newPlan()];
    const id = await created([stays, leaves]);
    const answer = await change(id, { plan_ids: [comes, stays] });
    expect(answer.status).toBe(200);
    expectMarks(answer);
    expect(offering.strict().parse(resourceOf(answer)).plan_ids).toEqual([stays, comes]);
    expect(await plansOf(await created([leaves]))).toEqual([leaves]);
    expect((await change(id, { plan_ids: [] })).body.plan_ids).toEqual([]);
  });

  test('200: name and status change while the plans stay; a no-op change is not audited', async () => {
    const plan = await newPlan();
    const id = await created([plan]);
    const answer = await change(id, { name: 'Kaffee', status: 'inactive' });
    expect(answer.body).toMatchObject({ name: 'Kaffee', status: 'inactive', plan_ids: [plan] });
    for (const fields of [undefined, {}, { name: 'Kaffee', plan_ids: [plan, plan], status: 'inactive' }])
      expect(resourceOf(await change(id, fields))).toEqual(resourceOf(answer));
    expect((await api.audited(id)).map(({ action }) => action)).toEqual([
      'offering.create',
      'offering.update',
    ]);
    expect((await api.audited(id))[1]).toMatchObject({
      actor: PERSON,
      request_id: answer.body.request_id,
      before: { name: 'Abos', status: 'active' },
      after: { name: 'Kaffee', status: 'inactive' },
    });
  });

  test.each([...INVALID, ['an unknown status', { status: 'deleted' }] as [string, object]])(
    '400: %s; nothing changes',
    async (_what, fields) => {
      const id = await created([await newPlan()]);
      const before = resourceOf(await show(id));
      expectRefusal(await change(id, fields), 400, 'invalid_request');
      expect(resourceOf(await show(id))).toEqual(before);
    },
  );

  test.each(PLANS_REFUSED)('%d %s: %s; nothing changes', async (status, code, _what, plan) => {
    const kept = await newPlan();
    const id = await created([kept]);
    expectRefusal(await change(id, { name: 'Kaffee', plan_ids: [await plan()] }), status, code);
    expect((await show(id)).body).toMatchObject({ name: 'Abos', plan_ids: [kept] });
  });
});

test("404: another merchant's offering, and a malformed id", async () => {
  const id = await created();
  const path = `/v1/merchants/${api.other.merchantId}/offerings/${id}`;
  const theirs = await api.server.request('GET', path, { apiKey: api.other.apiKey });
  const missing = (answer: Answer) => expectRefusal(answer, 404, 'offering_not_found');
  missing(theirs);
  for (const nobodys of [NONE.slice('/offerings/'.length), 'nonsense', '%00']) {
    missing(await show(nobodys));
    missing(await change(nobodys, { name: 'Kaffee' }));
  }
});

test('405: an unsupported method', async () => {
  expectRefusal(await api.admin('DELETE', '/offerings'), 405, 'method_not_allowed');
});

test('GET /offerings: a list of more than one batch is complete, without duplicates, newest first', async () => {
  const { merchantId, apiKey } = api.other;
  const inserted = await api.server.pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    insert into offerings (merchant_id, name) select ${merchantId}, 'Tee' from generate_series(1, 450)
    returning id`);
  const answer = await api.server.request('GET', `/v1/merchants/${merchantId}/offerings`, { apiKey });
  expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual([...inserted].reverse());
});

seesEveryAnswerOf('listOfferings', 'createOffering', 'showOffering', 'updateOffering');
