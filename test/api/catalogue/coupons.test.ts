/** Coupons of a merchant, each in one environment. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type AdminApi, describeGate, resourceOf, startAdminApi } from '../../support/api/admin-api.ts';
import { expectMarks, expectRefusal } from '../../support/api/api.ts';
import { asPerson, PERSON } from '../../support/api/people.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';

let api: AdminApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api?.server.stop());

const NONE = '/coupons/ap_cpn_00000000000000000000000000000000';
describeGate(() => api, 'GET', '/coupons');
describeGate(() => api, 'POST', '/coupons');
describeGate(() => api, 'PATCH', NONE);

let codes = 0;
const newCode = () => `Code-${++codes}`;
const create = (fields: object = {}) =>
  api.admin('POST', '/coupons', {
    environment: 'sandbox',
    code: newCode(),
    percent: 20,
    duration: 'once',
    ...fields,
  });
const stop = (id: string) => api.admin('PATCH', `/coupons/${id}`, { status: 'stopped' });

const INVALID: readonly [string, object][] = [
  ['neither percent nor amount', { percent: null }],
  ['both percent and amount', { amount: 500 }],
  ['0 percent', { percent: 0 }],
  ['101 percent', { percent: 101 }],
  ['half a percent', { percent: 0.5 }],
  ['an amount of 0', { percent: null, amount: 0 }],
  ['an amount beyond every price', { percent: null, amount: 2_147_483_648 }],
  ['repeating without periods', { duration: 'repeating' }],
  ['periods of a coupon for one charge', { periods: 3 }],
  ['0 periods', { duration: 'repeating', periods: 0 }],
  ['a blank code', { code: ' ' }],
  ['a code that is too long', { code: 'x'.repeat(61) }],
  ['a code with a character that no font of the invoices has', { code: 'தேநீர்' }],
  ['no environment', { environment: undefined }],
  ['an empty list of products', { product_ids: [] }],
  [
    'an end before its beginning',
    { valid_from: '2026-06-02T00:00:00Z', valid_until: '2026-06-02T01:00:00+02:00' },
  ],
  ['no redemption', { max_redemptions: 0 }],
  ['null as products, which would be all', { product_ids: null }],
  ['null as a limit, which would be none', { max_redemptions: null }],
  ['null as the limit of a customer', { max_per_customer: null }],
  ['null as its beginning', { valid_from: null }],
  ['null as its end', { valid_until: null }],
];

describe('POST /coupons', () => {
  test('201: returns the coupon and writes an audit row', async () => {
    const product = api.shop.products.recurring;
    const answer = await create({
      code: ' Spring24 ',
      percent: null,
      amount: 500,
      duration: 'repeating',
      periods: 3,
      product_ids: [product, product],
      valid_until: '2026-06-01T02:00:00+02:00',
      max_redemptions: 100,
    });
    expect(answer.status).toBe(201);
    expectMarks(answer);
    const coupon = resourceOf(answer);
    expect(coupon).toMatchObject({
      merchant_id: api.shop.merchantId,
      environment: 'sandbox',
      code: 'Spring24',
      percent: null,
      amount: 500,
      duration: 'repeating',
      periods: 3,
      product_ids: [product],
      first_purchase_only: false,
      valid_from: null,
      valid_until: '2026-06-01T00:00:00.000Z',
      max_redemptions: 100,
      max_per_customer: null,
      status: 'active',
    });
    expect(await api.audited(answer.body.id)).toMatchObject([
      { action: 'coupon.create', actor: PERSON, environment: 'sandbox', before: null, after: coupon },
    ]);
  });

  test.each(INVALID)('400: %s', async (_name, fields) => {
    expectRefusal(await create(fields), 400, 'invalid_request');
  });

  test('400 for an unknown field, because a coupon cannot be corrected later', async () => {
    expectRefusal(await create({ max_redemption: 1 }), 400, 'unknown_field');
  });

  test("404 for a product that does not exist, and for another merchant's", async () => {
    for (const product of ['ap_prod_00000000000000000000000000000000', api.other.products.recurring])
      expectRefusal(await create({ product_ids: [product] }), 404, 'product_not_found');
  });

  test('409 for an existing code in any letter case, unless it belongs to another environment or merchant', async () => {
    const code = newCode();
    expect((await create({ code })).status).toBe(201);
    expectRefusal(await create({ code: ` ${code.toUpperCase()}` }), 409, 'coupon_code_taken');
    expect((await create({ code, environment: 'production' })).status).toBe(201);
    const theirs = await api.server.request('POST', `/v1/merchants/${api.other.merchantId}/coupons`, {
      headers: asPerson(api.other.merchantId),
      body: { environment: 'sandbox', code, percent: 20, duration: 'once' },
    });
    expect(theirs.status).toBe(201);
  });

  test('of two concurrent requests for one code, one succeeds', async () => {
    const code = newCode();
    const answers = await Promise.all([create({ code }), create({ code: code.toLowerCase() })]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });
});

describe('PATCH /coupons/:couponId', () => {
  test('200: stops the coupon once, with an audit row, and frees its code', async () => {
    const code = newCode();
    const { id } = (await create({ code })).body;
    const answers = await Promise.all([stop(id), stop(id)]);
    for (const answer of answers) expect(answer.body).toMatchObject({ id, status: 'stopped' });
    expect((await api.audited(id)).map(({ action }) => action)).toEqual(['coupon.create', 'coupon.update']);
    expect((await create({ code })).status).toBe(201);
  });

  test('400 for any other change, because subscriptions keep the coupon’s terms', async () => {
    const { id } = (await create()).body;
    expectRefusal(await api.admin('PATCH', `/coupons/${id}`, { status: 'active' }), 400, 'invalid_request');
    const other = { status: 'stopped', percent: 30 };
    expectRefusal(await api.admin('PATCH', `/coupons/${id}`, other), 400, 'unknown_field');
  });

  test("404 for a coupon that does not exist, and for another merchant's", async () => {
    expectRefusal(await stop('ap_cpn_00000000000000000000000000000000'), 404, 'coupon_not_found');
    expectRefusal(await stop('nonsense'), 404, 'coupon_not_found');
    const theirs = await api.server.request('POST', `/v1/merchants/${api.other.merchantId}/coupons`, {
      headers: asPerson(api.other.merchantId),
      body: { environment: 'sandbox', code: newCode(), percent: 20, duration: 'once' },
    });
    expectRefusal(await stop(theirs.body.id), 404, 'coupon_not_found');
  });
});

describe('GET /coupons', () => {
  test('200: lists the coupons of one environment, newest first', async () => {
    const first = (await create()).body.id;
    const second = (await create({ environment: 'production' })).body.id;
    const ids = async (query: string) =>
      (await api.admin('GET', `/coupons${query}`)).body.data.map(({ id }: { id: string }) => id);
    expect((await ids('')).slice(0, 2)).toEqual([second, first]);
    expect(await ids('?environment=production')).toContain(second);
    expect(await ids('?environment=production')).not.toContain(first);
  });

  test('200: an API key sees the coupons of its environment', async () => {
    const live = (await create({ environment: 'production' })).body.id;
    const own = (await create()).body.id;
    const { body } = await api.withKey(api.shop.apiKey, 'GET', '/coupons');
    const ids = body.data.map(({ id }: { id: string }) => id);
    expect(ids).toContain(own);
    expect(ids).not.toContain(live);
  });
});

seesEveryAnswerOf('listCoupons', 'createCoupon', 'updateCoupon');
