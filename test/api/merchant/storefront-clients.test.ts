/**
 * Storefront clients under /v1/merchants/:merchantId: their origins and the products that they may sell from
 * a browser.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { canonicalOrigin, storefrontClient } from '../../../contract/merchant/storefront-clients.ts';
import { sql } from '../../../db/core/pool.ts';
import { type AdminApi, describeGate, resourceOf, startAdminApi } from '../../support/api/admin-api.ts';
import { type Answer, expectMarks, expectRefusal } from '../../support/api/api.ts';
import { PERSON } from '../../support/api/people.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertApiKey } from '../../support/db/fixtures.ts';

let api: AdminApi;
beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api?.server.stop());

const NONE = '/storefront-clients/ap_pcl_00000000000000000000000000000000';
describeGate(() => api, 'GET', '/storefront-clients');
describeGate(() => api, 'POST', '/storefront-clients');
describeGate(() => api, 'GET', NONE);
describeGate(() => api, 'PATCH', NONE);

const ORIGIN = 'https://shop.example';
const create = (fields: object = {}) =>
  api.admin('POST', '/storefront-clients', {
    environment: 'sandbox',
    name: 'Shop',
    origins: [ORIGIN],
    ...fields,
  });
async function created(fields: object = {}): Promise<string> {
  const answer = await create(fields);
  expect(answer.status).toBe(201);
  return answer.body.id;
}
const show = (id: string) => api.admin('GET', `/storefront-clients/${id}`);
const change = (id: string, fields: unknown) => api.admin('PATCH', `/storefront-clients/${id}`, fields);
const config = (id: string, origin = ORIGIN) =>
  api.server.request('GET', `/v1/checkout-clients/${id}/config`, { headers: { origin } });

const INVALID: readonly [string, object][] = [
  ['an empty name', { name: '' }],
  ['a name that is too long', { name: 'x'.repeat(101) }],
  ['no origin at all', { origins: [] }],
  ['too many origins', { origins: Array.from({ length: 21 }, (_, at) => `https://s${at}.example`) }],
  ['an origin that is not a string', { origins: [7] }],
  ['http on another host', { origins: ['http://shop.example'] }],
  ['another scheme', { origins: ['ftp://shop.example'] }],
  ['null', { origins: ['null'] }],
  ['a wildcard', { origins: ['*'] }],
  ['a wildcard in the host', { origins: ['https://*.shop.example'] }],
  ['a path', { origins: [`${ORIGIN}/cart`] }],
  ['a path that leads nowhere', { origins: [`${ORIGIN}/.`] }],
  ['too many slashes', { origins: ['https:///shop.example'] }],
  ['no host', { origins: ['https://'] }],
  ['an invalid port', { origins: [`${ORIGIN}:99999`] }],
  ['a query', { origins: [`${ORIGIN}?a`] }],
  ['a fragment', { origins: [`${ORIGIN}#a`] }],
  ['credentials', { origins: ['https://user@shop.example'] }],
  ['a backslash', { origins: ['https:\\\\shop.example'] }],
  ['white space', { origins: [` ${ORIGIN}`] }],
  ['a host without a scheme', { origins: ['shop.example'] }],
  ['an invalid origin after a valid one', { origins: [ORIGIN, 'shop'] }],
  ['products that are not a list', { product_ids: 'ap_prod_1' }],
  ['a product with NUL', { product_ids: ['\0'] }],
  ['a successUrl over http', { successUrl: 'http://shop.example/thanks' }],
  ['a successUrl that is too long', { successUrl: `https://shop.example/${'x'.repeat(500)}` }],
  ['a failUrl that is not a URL', { failUrl: 'cart' }],
];

describe('POST /storefront-clients', () => {
  test('201: returns the client, whose public id works immediately, from its origin and for its products', async () => {
    const { oneTime, recurring } = api.shop.products;
    const answer = await create({
      origins: [ORIGIN, 'http://localhost:4000'],
      product_ids: [recurring, oneTime, recurring],
      successUrl: 'https://shop.example/thanks',
      failUrl: 'https://shop.example/cart',
    });
    expect(answer.status).toBe(201);
    expectMarks(answer);
    expect(storefrontClient.strict().parse(resourceOf(answer))).toMatchObject({
      id: expect.stringMatching(/^ap_pcl_[0-9a-f]{32}$/),
      merchant_id: api.shop.merchantId,
      environment: 'sandbox',
      name: 'Shop',
      origins: [ORIGIN, 'http://localhost:4000'],
      product_ids: [oneTime, recurring],
      successUrl: 'https://shop.example/thanks',
      failUrl: 'https://shop.example/cart',
      status: 'active',
    });
    const sold = (await config(answer.body.id)).body.products.map(({ id }: { id: string }) => id);
    expect(sold).toEqual([recurring, oneTime]);
    const bought = await api.server.request('POST', `/v1/checkout-clients/${answer.body.id}/sessions`, {
      headers: { origin: 'http://localhost:4000', 'idempotency-key': randomUUID() },
      body: { productReference: oneTime },
    });
    expect(bought.status).toBe(201);
  });

  test('201: a client without products and addresses is created, but cannot sell yet', async () => {
    const answer = await create();
    expect(answer.body).toMatchObject({ product_ids: [], successUrl: null, failUrl: null });
    expect((await config(answer.body.id)).body.products).toEqual([]);
  });

  test('201: origins are stored as browsers send them, deduplicated', async () => {
    const origins = ['HTTPS://Shop.Example:443', 'https://shop.example/', 'https://shop.example:8443'];
    const answer = await create({ origins: [...origins, 'https://müller.example', 'http://[::1]:3000'] });
    expect(answer.body.origins).toEqual([
      'https://shop.example',
      'https://shop.example:8443',
      'https://xn--mller-kva.example',
      'http://[::1]:3000',
    ]);
  });

  test.each([
    ['no environment', { environment: undefined }],
    ['an unknown environment', { environment: 'test' }],
    ['no name', { name: undefined }],
    ['no origins', { origins: undefined }],
    ...INVALID,
  ] as [string, object][])('400: %s; nothing is created', async (_what, fields) => {
    const before = (await api.admin('GET', '/storefront-clients')).body.data.length;
    expectRefusal(await create(fields), 400, 'invalid_request');
    expect((await api.admin('GET', '/storefront-clients')).body.data).toHaveLength(before);
  });

  test('404 product_not_found: an unknown product, and one of another merchant', async () => {
    for (const product of ['ap_prod_none', api.other.products.oneTime]) {
      const answer = await create({ product_ids: [api.shop.products.oneTime, product] });
      expectRefusal(answer, 404, 'product_not_found');
    }
  });

  test('the audit log records the creation in the client’s environment', async () => {
    const answer = await create({ environment: 'production' });
    expect(await api.audited(answer.body.id)).toEqual([
      {
        action: 'storefront_client.create',
        actor: PERSON,
        environment: 'production',
        request_id: answer.body.request_id,
        before: null,
        after: resourceOf(answer),
      },
    ]);
  });
});

describe('GET /storefront-clients and /storefront-clients/:clientId', () => {
  test('200: people see both environments or the requested one, newest first; a key sees its own', async () => {
    const sandbox = await created();
    const live = await created({ environment: 'production' });
    const ids = async (query = '', apiKey?: string) => {
      const path = `/storefront-clients${query}`;
      const answer = apiKey ? await api.withKey(apiKey, 'GET', path) : await api.admin('GET', path);
      expect(answer.status).toBe(200);
      expectMarks(answer);
      for (const each of answer.body.data) expect(storefrontClient.strict().parse(each)).toEqual(each);
      return answer.body.data.map(({ id }: { id: string }) => id);
    };
    expect((await ids()).slice(0, 2)).toEqual([live, sandbox]);
    expect(await ids('?environment=sandbox')).not.toContain(live);
    expect(await ids('?environment=production')).not.toContain(sandbox);
    const liveKey = await insertApiKey(api.server.pool, { ...api.shop, environment: 'production' });
    expect(await ids('', liveKey)).toContain(live);
    expect(await ids('', liveKey)).not.toContain(sandbox);
    expect((await api.withKey(liveKey, 'GET', `/storefront-clients/${live}`)).body.id).toBe(live);
    const hidden = await api.withKey(liveKey, 'GET', `/storefront-clients/${sandbox}`);
    expectRefusal(hidden, 404, 'checkout_client_not_found');
  });

  test('200: a list of more than one batch is complete, without duplicates', async () => {
    const { merchantId, apiKey } = api.other;
    const inserted = await api.server.pool.anyFirst(sql.type(z.object({ id: z.string() }))`
      insert into storefront_clients (merchant_id, environment, name, origins)
      select ${merchantId}, 'sandbox', 'shop', array['https://shop.example'] from generate_series(1, 450)
      returning id`);
    const path = `/v1/merchants/${merchantId}/storefront-clients`;
    const { body } = await api.server.request('GET', path, { apiKey });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([...inserted].reverse());
  });

  test("400 and 403: an unknown environment, and one other than the key's", async () => {
    const path = '/storefront-clients?environment=';
    expectRefusal(await api.admin('GET', `${path}test`), 400, 'invalid_request');
    const asked = await api.withKey(api.shop.apiKey, 'GET', `${path}production`);
    expectRefusal(asked, 403, 'merchant_scope_mismatch');
  });
});

describe('PATCH /storefront-clients/:clientId', () => {
  test('200: origins replaces the whole set, effective from the next request', async () => {
    const id = await created();
    expect((await config(id)).status).toBe(200);
    const answer = await change(id, { origins: ['https://Neu.example'] });
    expect(answer.status).toBe(200);
    expectMarks(answer);
    expect(storefrontClient.strict().parse(resourceOf(answer)).origins).toEqual(['https://neu.example']);
    expectRefusal(await config(id), 403, 'origin_not_allowed');
    expect((await config(id, 'https://neu.example')).status).toBe(200);
  });

  test('200: products are added and removed, other fields stay; null removes an address', async () => {
    const { oneTime, recurring, trial } = api.shop.products;
    const id = await created({ product_ids: [oneTime, recurring], failUrl: 'https://shop.example/cart' });
    const answer = await change(id, { product_ids: [trial, recurring], failUrl: null });
    expect(answer.body).toMatchObject({
      name: 'Shop',
      origins: [ORIGIN],
      product_ids: [recurring, trial],
      failUrl: null,
    });
    const sold = (await config(id)).body.products.map((product: { id: string }) => product.id);
    expect(sold).toEqual([trial, recurring]);
  });

  test('200: the public id of a disabled client is unknown; it is accepted again once the client is reactivated', async () => {
    const id = await created();
    expect((await change(id, { status: 'disabled' })).body.status).toBe('disabled');
    expectRefusal(await config(id), 404, 'checkout_client_not_found');
    expect((await show(id)).body.status).toBe('disabled');
    expect((await change(id, { status: 'active' })).body.status).toBe('active');
    expect((await config(id)).status).toBe(200);
  });

  test('200: a change is audited with the values before and after, unless it has no effect', async () => {
    const id = await created({ product_ids: [api.shop.products.oneTime] });
    const before = resourceOf(await show(id));
    const same = { origins: ['https://SHOP.example'], product_ids: [api.shop.products.oneTime] };
    for (const fields of [undefined, {}, same]) expect(resourceOf(await change(id, fields))).toEqual(before);
    const answer = await change(id, { name: 'Laden' });
    expect((await api.audited(id)).slice(1)).toEqual([
      {
        action: 'storefront_client.update',
        actor: PERSON,
        environment: 'sandbox',
        request_id: answer.body.request_id,
        before,
        after: resourceOf(answer),
      },
    ]);
  });

  test.each([...INVALID, ['an unknown status', { status: 'inactive' }] as [string, object]])(
    '400: %s; nothing changes',
    async (_what, fields) => {
      const id = await created();
      const before = resourceOf(await show(id));
      expectRefusal(await change(id, fields), 400, 'invalid_request');
      expect(resourceOf(await show(id))).toEqual(before);
    },
  );

  test("404 product_not_found: another merchant's product; nothing changes", async () => {
    const id = await created();
    const before = resourceOf(await show(id));
    const answer = await change(id, { name: 'Laden', product_ids: [api.other.products.oneTime] });
    expectRefusal(answer, 404, 'product_not_found');
    expect(resourceOf(await show(id))).toEqual(before);
  });
});

test("404: another merchant's client, and a malformed id", async () => {
  const id = await created();
  const path = `/v1/merchants/${api.other.merchantId}/storefront-clients/${id}`;
  const theirs = await api.server.request('GET', path, { apiKey: api.other.apiKey });
  const missing = (answer: Answer) => expectRefusal(answer, 404, 'checkout_client_not_found');
  missing(theirs);
  for (const nobodys of [NONE.slice('/storefront-clients/'.length), 'nonsense', '%00']) {
    missing(await show(nobodys));
    missing(await change(nobodys, { name: 'Laden' }));
  }
});

test('405: an unsupported method', async () => {
  expectRefusal(await api.admin('DELETE', '/storefront-clients'), 405, 'method_not_allowed');
});

test.each(['http://localhost', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
  '%s is accepted as an origin in development only',
  (origin) => {
    expect(canonicalOrigin(origin, true)).toBe(origin);
    expect(canonicalOrigin(origin, false)).toBeNull();
  },
);

seesEveryAnswerOf(
  'listStorefrontClients',
  'createStorefrontClient',
  'showStorefrontClient',
  'updateStorefrontClient',
);
