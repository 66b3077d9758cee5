/** The billing lists and the dashboard under /v1/merchants/:merchantId: read-only, for people and keys. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { product } from '../../contract/catalogue/resources.ts';
import { invoice } from '../../contract/invoice/resources.ts';
import { billingDashboard } from '../../contract/merchant/billing-counters.ts';
import { order, payment } from '../../contract/payment/resources.ts';
import { subscription } from '../../contract/subscription/resources.ts';
import { sql } from '../../db/core/pool.ts';
import type { Scope } from '../../domain/core/environment.ts';
import { type AdminApi, describeGate, startAdminApi } from '../support/api/admin-api.ts';
import { expectMarks, expectRefusal } from '../support/api/api.ts';
import { asPerson } from '../support/api/people.ts';
import { seesEveryAnswerOf } from '../support/api/seen-answers.ts';
import { insertApiKey, insertPurchase, insertRailAccount, type Purchase } from '../support/db/fixtures.ts';

let api: AdminApi;
let liveKey: string;
/** Alternating between the environments, oldest first. */
const purchases: (Purchase & Pick<Scope, 'environment'>)[] = [];

beforeAll(async () => {
  api = await startAdminApi();
  const { merchantId, products } = api.shop;
  liveKey = await insertApiKey(api.server.pool, { merchantId, environment: 'production' });
  await insertRailAccount(api.server.pool, { merchantId, environment: 'production' });
  for (const environment of ['sandbox', 'production', 'sandbox'] as const) {
    const scope = { merchantId, environment };
    const bought = await insertPurchase(api.server.pool, scope, products.recurring, { recurring: true });
    purchases.push({ ...bought, environment });
  }
  await insertPurchase(api.server.pool, api.other, api.other.products.recurring, { recurring: true });
});
afterAll(() => api?.server.stop());

const LISTS = [
  ['orders', 'orderId', order],
  ['payments', 'paymentId', payment],
  ['subscriptions', 'subscriptionId', subscription],
  ['invoices', 'invoiceId', invoice],
] as const;

describe.each(LISTS)('GET /%s', (name, idOf, resource) => {
  const idsOf = (environment?: string) =>
    purchases
      .filter((purchase) => environment === undefined || purchase.environment === environment)
      .map((purchase) => purchase[idOf])
      .reverse();
  const ids = (answer: { body: { data: { id: string }[] } }) => answer.body.data.map(({ id }) => id);

  describeGate(() => api, 'GET', `/${name}`);

  test('200: a person sees both environments, newest first, matching the contract', async () => {
    const answer = await api.admin('GET', `/${name}`);
    expect(answer.status).toBe(200);
    expectMarks(answer);
    expect(ids(answer)).toEqual(idsOf());
    for (const each of answer.body.data) expect(resource.strict().parse(each)).toEqual(each);
  });

  test('200: `environment` filters the list', async () => {
    for (const environment of ['sandbox', 'production'])
      expect(ids(await api.admin('GET', `/${name}?environment=${environment}`))).toEqual(idsOf(environment));
  });

  test('200: a key sees its own environment, as on the root route', async () => {
    expect(ids(await api.withKey(api.shop.apiKey, 'GET', `/${name}`))).toEqual(idsOf('sandbox'));
    const live = await api.withKey(liveKey, 'GET', `/${name}?environment=production`);
    expect(ids(live)).toEqual(idsOf('production'));
    const root = await api.server.request('GET', `/v1/${name}`, { apiKey: liveKey });
    expect(root.body.data).toEqual(live.body.data);
  });

  test("400 and 403: an unknown environment, and one other than the key's", async () => {
    expectRefusal(await api.admin('GET', `/${name}?environment=test`), 400, 'invalid_request');
    const asked = await api.withKey(liveKey, 'GET', `/${name}?environment=sandbox`);
    expectRefusal(asked, 403, 'merchant_scope_mismatch');
  });

  test('405: a method other than GET', async () => {
    expectRefusal(await api.admin('POST', `/${name}`, {}), 405, 'method_not_allowed');
  });
});

describe('GET /products', () => {
  describeGate(() => api, 'GET', '/products');

  test('200: people and keys of both environments see the same catalogue', async () => {
    const answer = await api.admin('GET', '/products?environment=production');
    expect(answer.status).toBe(200);
    expectMarks(answer);
    const { oneTime, recurring, trial } = api.shop.products;
    expect(answer.body.data.map(({ id }: { id: string }) => id)).toEqual([trial, recurring, oneTime]);
    for (const each of answer.body.data) expect(product.strict().parse(each)).toEqual(each);
    for (const apiKey of [api.shop.apiKey, liveKey])
      expect((await api.withKey(apiKey, 'GET', '/products')).body.data).toEqual(answer.body.data);
  });
});

describe('GET /billing/dashboard', () => {
  const path = '/billing/dashboard';
  describeGate(() => api, 'GET', path);

  test('200: a person sees the counts of both environments, or of one if filtered; a key sees its own', async () => {
    const counts = (each: number) => ({
      merchant_id: api.shop.merchantId,
      orders: each,
      payments: each,
      invoices: each,
      subscriptions: each,
    });
    const both = await api.admin('GET', path);
    expect(both.status).toBe(200);
    expectMarks(both);
    expect(billingDashboard.strict().parse(both.body)).toMatchObject(counts(3));
    expect((await api.admin('GET', `${path}?environment=sandbox`)).body).toMatchObject(counts(2));
    expect((await api.withKey(liveKey, 'GET', path)).body).toMatchObject(counts(1));
    const root = await api.server.request('GET', '/v1/billing/dashboard', { apiKey: liveKey });
    const { request_id, ...rest } = root.body;
    expect((await api.withKey(liveKey, 'GET', path)).body).toMatchObject(rest);
  });

  test('400, 403 and 405 in the same cases as the lists', async () => {
    expectRefusal(await api.admin('GET', `${path}?environment=test`), 400, 'invalid_request');
    const asked = await api.withKey(liveKey, 'GET', `${path}?environment=sandbox`);
    expectRefusal(asked, 403, 'merchant_scope_mismatch');
    expectRefusal(await api.admin('POST', path, {}), 405, 'method_not_allowed');
  });
});

test('a list of more than one batch per environment is complete, without duplicates, in order', async () => {
  const { merchantId } = api.other;
  const inserted = await api.server.pool.anyFirst(sql.type(z.object({ id: z.string() }))`
    insert into payments (merchant_id, environment, attempt_no, claim_id, amount, currency)
    select ${merchantId}, (array['sandbox', 'production'])[1 + n % 2], 1, 'many-' || n, 1, 'EUR'
    from generate_series(1, 900) as n
    returning id`);
  const headers = asPerson(merchantId);
  const answer = await api.server.request('GET', `/v1/merchants/${merchantId}/payments`, { headers });
  const ids: string[] = answer.body.data.map(({ id }: { id: string }) => id);
  expect(ids.slice(0, 900)).toEqual([...inserted].reverse());
  expect(ids).toHaveLength(901);
});

seesEveryAnswerOf(
  'listMerchantProducts',
  'listMerchantOrders',
  'listMerchantPayments',
  'listMerchantSubscriptions',
  'listMerchantInvoices',
  'showMerchantDashboard',
);
