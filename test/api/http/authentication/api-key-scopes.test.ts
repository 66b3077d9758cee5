/** The permissions of each scope, on every route that takes keys. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ApiKeyScope } from '../../../../domain/core/api-key-scope.ts';
import { type AdminApi, startAdminApi } from '../../../support/api/admin-api.ts';
import { expectRefusal } from '../../../support/api/api.ts';
import { routes } from '../../../support/api/api-description.ts';
import { insertApiKey } from '../../../support/db/fixtures.ts';

const OF_KEYS = routes.filter(({ describe: { security } }) => /^apiKey/.test(security));
const WRITES_CATALOGUE = [
  'createOffering',
  'createPrice',
  'createProduct',
  'updateOffering',
  'updatePrice',
  'updateProduct',
];
const READS_CATALOGUE = [
  'listMerchantProducts',
  'listOfferings',
  'listPrices',
  'listProducts',
  'searchProducts',
  'showAccess',
  'showOffering',
  'showProduct',
];

let api: AdminApi;

beforeAll(async () => {
  api = await startAdminApi();
});
afterAll(() => api?.server.stop());

const keyOf = (scope: ApiKeyScope) => insertApiKey(api.server.pool, api.shop, { scope });

/** Operations that refuse the scope whatever the request contains. */
async function refusedTo(scope: ApiKeyScope): Promise<readonly string[]> {
  const apiKey = await keyOf(scope);
  const refused: string[] = [];
  for (const { method, path, describe: described } of OF_KEYS) {
    const url = path.replace(':merchantId', api.shop.merchantId).replaceAll(/:\w+/g, 'ap_none_0');
    const body = method === 'get' ? {} : { body: {} };
    const answer = await api.server.request(method.toUpperCase(), url, { apiKey, ...body });
    if (answer.body.code === 'api_key_scope_insufficient') {
      expect(answer.status).toBe(403);
      refused.push(described.operationId);
    }
  }
  return refused.sort();
}

const idsOf = (some: typeof OF_KEYS) => some.map(({ describe: { operationId } }) => operationId).sort();

describe('the scope', () => {
  test('`all` permits everything except changing the catalogue', async () => {
    expect(await refusedTo('all')).toEqual(WRITES_CATALOGUE);
  });

  test('`read` permits GET requests', async () => {
    expect(await refusedTo('read')).toEqual(idsOf(OF_KEYS.filter(({ method }) => method !== 'get')));
  });

  test('`catalogue` permits reading and changing the catalogue, and shows no data of buyers', async () => {
    const may = new Set([...WRITES_CATALOGUE, ...READS_CATALOGUE]);
    const others = OF_KEYS.filter(({ describe: { operationId } }) => !may.has(operationId));
    expect(await refusedTo('catalogue')).toEqual(idsOf(others));
  });
});

test('a script with a catalogue key creates a product with a price; the audit log names the key', async () => {
  const { withKey, audited, server, shop } = api;
  const key = await keyOf('catalogue');
  const product = await withKey(key, 'POST', '/products', { name: 'Beans' });
  expect(product.status).toBe(201);
  const price = { amount: 900, tax_rate: 7, billing_mode: 'one_time' };
  expect((await withKey(key, 'POST', `/products/${product.body.id}/prices`, price)).status).toBe(201);
  const list = await withKey(key, 'GET', '/api-keys');
  expectRefusal(list, 403, 'api_key_scope_insufficient');
  expect(list.body.message).toBe(
    "The API key's scope, catalogue, does not permit this: use a key with the scope all or read.",
  );
  expect(await audited(product.body.id)).toMatchObject([
    { action: 'product.create', actor: expect.stringMatching(/^api_key:ap_key_/) },
  ]);
  const body = { productId: product.body.id, externalCustomerId: 'customer-1' };
  expectRefusal(
    await server.request('POST', '/v1/checkouts', { apiKey: key, body }),
    403,
    'api_key_scope_insufficient',
  );
  const { data } = (await server.request('GET', '/v1/products', { apiKey: shop.apiKey })).body;
  expect(data).toContainEqual(
    expect.objectContaining({ name: 'Beans', active_price: expect.objectContaining(price) }),
  );
});
