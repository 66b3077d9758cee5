/** Prices of a product: immutable terms, and at most one active price. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { price } from '../../../contract/catalogue/resources.ts';
import { sql } from '../../../db/core/pool.ts';
import { type AdminApi, describeGate, resourceOf, startAdminApi } from '../../support/api/admin-api.ts';
import { type Answer, expectMarks, expectRefusal } from '../../support/api/api.ts';
import { PERSON } from '../../support/api/people.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertPrice, insertProduct, RECURRING } from '../../support/db/fixtures.ts';

let api: AdminApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api?.server.stop());

const NONE = '/products/ap_prod_00000000000000000000000000000000/prices';
const NO_PRICE = 'ap_price_00000000000000000000000000000000';
const ONCE = { amount: 2_500, tax_rate: 7, billing_mode: 'one_time' };
const MONTHLY = { amount: 1_200, tax_rate: 19, billing_mode: 'recurring', recurring: { interval: 'month' } };

describeGate(() => api, 'GET', NONE);
describeGate(() => api, 'POST', NONE);
describeGate(() => api, 'PATCH', `${NONE}/${NO_PRICE}`);

/** A product, by default with an active price of 19.00. */
async function newProduct(withPrice: boolean = true) {
  const { merchantId } = api.shop;
  return insertProduct(api.server.pool, { merchantId, ...(!withPrice && { price: null }) });
}
const create = (productId: string, terms: object) =>
  api.admin('POST', `/products/${productId}/prices`, terms);
const setStatus = (productId: string, priceId: string, fields: unknown) =>
  api.admin('PATCH', `/products/${productId}/prices/${priceId}`, fields);
const list = async (productId: string) => (await api.admin('GET', `/products/${productId}/prices`)).body.data;
const activeOf = async (productId: string) =>
  (await api.admin('GET', `/products/${productId}`)).body.active_price;

describe('POST /products/:productId/prices', () => {
  test('201: the first price is active, and the product can be sold', async () => {
    const { productId } = await newProduct(false);
    const answer = await create(productId, ONCE);
    expect(answer.status).toBe(201);
    expectMarks(answer);
    expect(price.strict().parse(resourceOf(answer))).toEqual({
      id: expect.stringMatching(/^ap_price_[0-9a-f]{32}$/),
      product_id: productId,
      amount: 2_500,
      currency: 'EUR',
      tax_rate: 7,
      billing_mode: 'one_time',
      recurring: null,
      status: 'active',
    });
    expect(await activeOf(productId)).toEqual(resourceOf(answer));
  });

  test('201: a recurring price has its interval, a default count of 1, and an optional trial', async () => {
    const { productId } = await newProduct();
    const plain = await create(productId, MONTHLY);
    expect(plain.body.recurring).toEqual({ interval: 'month', interval_count: 1, trial_period_days: null });
    const recurring = { interval: 'week', interval_count: 2, trial_period_days: 14 };
    const trial = await create(productId, { ...MONTHLY, currency: 'EUR', tax_rate: 7.5, recurring });
    expect(trial.body).toMatchObject({ recurring, tax_rate: 7.5 });
  });

  test('201: a new price replaces the active price, whose terms stay unchanged', async () => {
    const { productId, priceId } = await newProduct();
    const { body } = await create(productId, MONTHLY);
    expect(await list(productId)).toMatchObject([
      { id: body.id, amount: 1_200, status: 'active' },
      { id: priceId, amount: 1_900, tax_rate: 19, billing_mode: 'one_time', status: 'inactive' },
    ]);
  });

  test('201: a price created inactive leaves the active price in place', async () => {
    const { productId, priceId } = await newProduct();
    const answer = await create(productId, { ...MONTHLY, status: 'inactive' });
    expect([answer.status, answer.body.status]).toEqual([201, 'inactive']);
    expect((await activeOf(productId)).id).toBe(priceId);
  });

  test('201: after ten concurrent creations one price is active, and the product is never without a price', async () => {
    const { productId } = await newProduct();
    const watched: unknown[] = [];
    const creating = Promise.all(Array.from({ length: 10 }, () => create(productId, ONCE)));
    let over = false;
    void creating.then(() => {
      over = true;
    });
    while (!over) watched.push(await activeOf(productId));
    expect((await creating).map(({ status }) => status)).toEqual(Array(10).fill(201));
    expect(watched).not.toContain(null);
    const prices: { status: string }[] = await list(productId);
    expect(prices).toHaveLength(11);
    expect(prices.filter(({ status }) => status === 'active')).toHaveLength(1);
  });

  test.each([
    ['no amount', { amount: undefined }],
    ['an amount of 0', { amount: 0 }],
    ['a negative amount', { amount: -1 }],
    ['half a cent', { amount: 0.5 }],
    ['a string amount', { amount: '1900' }],
    ["an amount beyond the column's range", { amount: 2_147_483_648 }],
    ['another currency', { currency: 'XTS' }],
    ['no tax rate', { tax_rate: undefined }],
    ['a negative tax rate', { tax_rate: -1 }],
    ['a tax rate above 100', { tax_rate: 101 }],
    ['a tax rate with three decimals', { tax_rate: 7.125 }],
    ['no billing mode', { billing_mode: undefined }],
    ['an unknown billing mode', { billing_mode: 'metered' }],
    ['an unknown status', { status: 'draft' }],
    ['recurring that is not an object', { billing_mode: 'recurring', recurring: 'month' }],
    ['an unknown interval', { billing_mode: 'recurring', recurring: { interval: 'fortnight' } }],
    [
      'an interval count of 0',
      { billing_mode: 'recurring', recurring: { interval: 'day', interval_count: 0 } },
    ],
    [
      'an interval count that is too large',
      { billing_mode: 'recurring', recurring: { interval: 'day', interval_count: 366 } },
    ],
    [
      'a trial of 0 days',
      { billing_mode: 'recurring', recurring: { interval: 'day', trial_period_days: 0 } },
    ],
    [
      'a trial that is too long',
      { billing_mode: 'recurring', recurring: { interval: 'day', trial_period_days: 731 } },
    ],
  ])('400: %s; nothing is created', async (_what, fields) => {
    const { productId, priceId } = await newProduct();
    expectRefusal(await create(productId, { ...ONCE, ...fields }), 400, 'invalid_request');
    expect(await list(productId)).toMatchObject([{ id: priceId, status: 'active' }]);
  });

  test.each([
    ['without recurring', { recurring: undefined }],
    ['with recurring null', { recurring: null }],
    ['without an interval', { recurring: { interval_count: 1 } }],
    ['with an interval of null', { recurring: { interval: null } }],
  ])('422 recurring_price_interval_missing: a recurring price %s', async (_what, fields) => {
    const { productId, priceId } = await newProduct();
    expectRefusal(
      await create(productId, { ...MONTHLY, ...fields }),
      422,
      'recurring_price_interval_missing',
    );
    expect(await list(productId)).toMatchObject([{ id: priceId }]);
  });

  test('422 price_terms_inconsistent: a one_time price with recurring', async () => {
    const { productId } = await newProduct();
    const terms = { ...ONCE, recurring: { interval: 'month' } };
    expectRefusal(await create(productId, terms), 422, 'price_terms_inconsistent');
  });

  test('the audit log records the new and the replaced price', async () => {
    const { productId, priceId } = await newProduct();
    const answer = await create(productId, ONCE);
    const after = resourceOf(answer);
    const marks = { actor: PERSON, environment: null, request_id: answer.body.request_id };
    expect(await api.audited(answer.body.id)).toEqual([
      { ...marks, action: 'price.create', before: null, after: { ...after, status: 'inactive' } },
      { ...marks, action: 'price.activate', before: { ...after, status: 'inactive' }, after },
    ]);
    expect(await api.audited(priceId)).toEqual([
      {
        ...marks,
        action: 'price.deactivate',
        before: expect.objectContaining({ id: priceId, status: 'active' }),
        after: expect.objectContaining({ id: priceId, status: 'inactive' }),
      },
    ]);
  });
});

describe('GET /products/:productId/prices', () => {
  test('200: every price, newest first, for people and keys', async () => {
    const { productId, priceId } = await newProduct();
    const { body } = await create(productId, MONTHLY);
    const answer = await api.withKey(api.shop.apiKey, 'GET', `/products/${productId}/prices`);
    expect(answer.status).toBe(200);
    expectMarks(answer);
    expect(Object.keys(answer.body)).toEqual(['data', 'request_id']);
    for (const each of answer.body.data) expect(price.strict().parse(each)).toEqual(each);
    expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual([body.id, priceId]);
  });

  test('200: a list of more than one batch is complete, without duplicates', async () => {
    const { productId, priceId } = await newProduct();
    const inserted = await api.server.pool.anyFirst(sql.type(z.object({ id: z.string() }))`
      insert into prices (product_id, amount, billing_mode, status)
      select ${productId}, n, 'one_time', 'inactive' from generate_series(1, 400) as n
      returning id`);
    const ids = (await list(productId)).map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...inserted, priceId].sort().reverse());
  });
});

describe('PATCH /products/:productId/prices/:priceId', () => {
  test('200: reactivates an earlier price; setting the current status changes nothing', async () => {
    const { productId, priceId } = await newProduct();
    const later = (await create(productId, MONTHLY)).body.id;
    const answer = await setStatus(productId, priceId, { status: 'active' });
    expect(answer.status).toBe(200);
    expectMarks(answer);
    expect(price.strict().parse(resourceOf(answer))).toMatchObject({ id: priceId, status: 'active' });
    expect((await activeOf(productId)).id).toBe(priceId);
    const traces = (await api.audited(priceId)).length + (await api.audited(later)).length;
    expect((await setStatus(productId, priceId, { status: 'active' })).status).toBe(200);
    expect((await setStatus(productId, later, { status: 'inactive' })).status).toBe(200);
    expect((await api.audited(priceId)).length + (await api.audited(later)).length).toBe(traces);
  });

  test('200: a product whose price is deactivated cannot be sold', async () => {
    const { productId, priceId } = await newProduct();
    expect((await setStatus(productId, priceId, { status: 'inactive' })).body.status).toBe('inactive');
    expect(await activeOf(productId)).toBeNull();
    const body = { productId, externalCustomerId: 'u-1' };
    const { apiKey } = api.shop;
    expectRefusal(
      await api.server.request('POST', '/v1/checkouts', { apiKey, body }),
      404,
      'product_not_found',
    );
  });

  test.each([
    ['amount', 1],
    ['currency', 'EUR'],
    ['tax_rate', 19],
    ['billing_mode', 'one_time'],
    ['recurring', null],
  ])('400 price_terms_immutable: a change of %s', async (term, value) => {
    const { productId, priceId } = await newProduct();
    const before = await list(productId);
    const answer = await setStatus(productId, priceId, { status: 'inactive', [term]: value });
    expectRefusal(answer, 400, 'price_terms_immutable');
    expect(await list(productId)).toEqual(before);
  });

  test.each([{}, { status: null }, { status: 'deleted' }])('400: the body %j', async (fields) => {
    const { productId, priceId } = await newProduct();
    expectRefusal(await setStatus(productId, priceId, fields), 400, 'invalid_request');
  });
});

test('409 product_in_offering: a plan in an offering must keep a recurring price', async () => {
  const { merchantId } = api.shop;
  const { productId } = await insertProduct(api.server.pool, { merchantId, price: RECURRING });
  const once = await insertPrice(api.server.pool, productId, { status: 'inactive' });
  await api.admin('POST', '/offerings', { name: 'Abos', plan_ids: [productId] });
  expectRefusal(await create(productId, ONCE), 409, 'product_in_offering');
  expectRefusal(await setStatus(productId, once, { status: 'active' }), 409, 'product_in_offering');
  expect((await create(productId, { ...ONCE, status: 'inactive' })).status).toBe(201);
  expect((await create(productId, MONTHLY)).status).toBe(201);
});

test('409 price_changed: for the second of two people who replace the same price', async () => {
  const { productId, priceId } = await newProduct();
  const first = await create(productId, { ...ONCE, amount: 1_100, replaces: priceId });
  expect(first.status).toBe(201);
  expectRefusal(await create(productId, { ...ONCE, amount: 1_200, replaces: priceId }), 409, 'price_changed');
  expectRefusal(await create(productId, { ...ONCE, amount: 1_200, replaces: null }), 409, 'price_changed');
  const { active_price: active } = (await api.admin('GET', `/products/${productId}`)).body;
  expect(active.amount).toBe(1_100);
  expect((await create(productId, { ...ONCE, amount: 1_200, replaces: active.id })).status).toBe(201);
});

test("404: another merchant's product and price, another product's price, and malformed ids", async () => {
  const own = await newProduct();
  const second = await newProduct();
  const theirs = api.other.products.oneTime;
  const missing = (answer: Answer, code: string) => expectRefusal(answer, 404, code);
  for (const productId of [theirs, 'ap_prod_0', '%00']) {
    const absent = await api.admin('GET', `/products/${productId}/prices`);
    missing(absent, 'product_not_found');
    expect(absent.body.message).toBe('The product does not exist.');
    missing(await create(productId, ONCE), 'product_not_found');
    missing(await setStatus(productId, own.priceId, { status: 'inactive' }), 'product_not_found');
  }
  const [theirPrice] = (
    await api.server.request('GET', `/v1/merchants/${api.other.merchantId}/products/${theirs}/prices`, {
      apiKey: api.other.apiKey,
    })
  ).body.data;
  for (const priceId of [second.priceId, theirPrice.id, NO_PRICE, 'nonsense', '%00'])
    missing(await setStatus(own.productId, priceId, { status: 'inactive' }), 'price_not_found');
  expect((await activeOf(second.productId)).id).toBe(second.priceId);
});

seesEveryAnswerOf('listPrices', 'createPrice', 'updatePrice');
