/** GET /v1/products: the catalogue, which serves both environments. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { product } from '../../../contract/catalogue/resources.ts';
import { sql } from '../../../db/core/pool.ts';
import { expectMarks, expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import {
  insertApiKey,
  insertMerchant,
  insertPrice,
  insertProduct,
  RECURRING,
} from '../../support/db/fixtures.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi();
});
afterAll(() => api?.stop());

async function newMerchant() {
  const merchantId = await insertMerchant(api.pool);
  const apiKey = await insertApiKey(api.pool, { merchantId, environment: 'sandbox' });
  const list = async (key = apiKey) => (await api.request('GET', '/v1/products', { apiKey: key })).body.data;
  return { merchantId, apiKey, list };
}

test('200: every product with its active price, newest first, matching the contract', async () => {
  const { merchantId, apiKey } = await newMerchant();
  const first = await insertProduct(api.pool, {
    merchantId,
    name: 'Tasse',
    description: 'Emaille',
    externalReference: 'mug',
    metadata: { shelf: '3' },
  });
  const second = await insertProduct(api.pool, { merchantId, price: { ...RECURRING, trialPeriodDays: 14 } });
  const answer = await api.request('GET', '/v1/products', { apiKey });
  expectMarks(answer);
  const { data } = answer.body;
  for (const each of data) expect(product.strict().parse(each)).toEqual(each);
  const instant = expect.stringMatching(/\.\d{3}Z$/);
  expect(data[1]).toEqual({
    id: first.productId,
    merchant_id: merchantId,
    name: 'Tasse',
    description: 'Emaille',
    metadata: { shelf: '3' },
    external_reference: 'mug',
    quantity: null,
    billing_cycles: null,
    one_subscription_per_customer: false,
    one_trial_per_customer: false,
    image_url: null,
    active_price: {
      id: first.priceId,
      product_id: first.productId,
      amount: 1_900,
      currency: 'EUR',
      tax_rate: 19,
      billing_mode: 'one_time',
      recurring: null,
      status: 'active',
    },
    status: 'active',
    created_at: instant,
    updated_at: instant,
  });
  expect(data[0]).toMatchObject({
    id: second.productId,
    active_price: {
      billing_mode: 'recurring',
      recurring: { interval: 'month', interval_count: 1, trial_period_days: 14 },
    },
  });
});

test('200: active_price is null until a price is activated', async () => {
  const { merchantId, list } = await newMerchant();
  const { productId } = await insertProduct(api.pool, { merchantId, price: { status: 'inactive' } });
  expect(await list()).toMatchObject([{ id: productId, active_price: null }]);
  await insertPrice(api.pool, productId, { amount: 2_500, taxRate: 7.5 });
  expect(await list()).toMatchObject([{ active_price: { amount: 2_500, tax_rate: 7.5 } }]);
});

test('200: inactive products are listed, and a price without an interval has no `recurring`', async () => {
  const { merchantId, list } = await newMerchant();
  await insertProduct(api.pool, { merchantId, status: 'inactive', price: { ...RECURRING, interval: null } });
  expect(await list()).toMatchObject([
    { status: 'inactive', active_price: { billing_mode: 'recurring', recurring: null } },
  ]);
});

test("200: both environments see one catalogue; another merchant's key sees none of its products", async () => {
  const { merchantId, list } = await newMerchant();
  const { productId } = await insertProduct(api.pool, { merchantId });
  const live = await insertApiKey(api.pool, { merchantId, environment: 'production' });
  expect(await list(live)).toMatchObject([{ id: productId }]);
  expect(await list((await newMerchant()).apiKey)).toEqual([]);
});

test('200: a list of more than one batch is complete, ordered and free of duplicates', async () => {
  const { merchantId, list } = await newMerchant();
  const ids = await api.pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    insert into products (merchant_id, name) select ${merchantId}, 'Tasse' from generate_series(1, 1100) returning id`);
  expect((await list()).map(({ id }: { id: string }) => id)).toEqual([...ids].reverse());
});

test('405: an unsupported method', async () => {
  const { apiKey } = await newMerchant();
  expectRefusal(await api.request('DELETE', '/v1/products', { apiKey }), 405, 'method_not_allowed');
});

seesEveryAnswerOf('listProducts');
