/** A request under another merchant's path is refused before path and method are checked. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { asPerson, testPeopleGate } from '../../support/api/people.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';

let api: TestApi;
let shop: Shop;
let other: Shop;

beforeAll(async () => {
  api = await startTestApi({ merchantGate: testPeopleGate });
  [shop, other] = [await insertShop(api.pool), await insertShop(api.pool)];
});
afterAll(() => api?.stop());

const key = ({ apiKey }: Shop) => ({ authorization: `Bearer ${apiKey}` });
const send = (method: string, path: string, headers: Record<string, string>) =>
  api.request(method, path, { headers });

describe.each([
  ['an API key', key],
  ['a person', ({ merchantId }: Shop) => asPerson(merchantId)],
])('%s', (_who, credentials) => {
  test.each([
    ['GET', '/nope', 404, 'route_not_found'],
    ['GET', '/products/nope/nope', 404, 'route_not_found'],
    ['DELETE', '/products', 405, 'method_not_allowed'],
    ['PUT', '/api-keys', 405, 'method_not_allowed'],
  ])('%s %s returns 403 to another merchant and %d to its own', async (method, path, status, code) => {
    const strange = await send(method, `/v1/merchants/${other.merchantId}${path}`, credentials(shop));
    expectRefusal(strange, 403, 'service_merchant_forbidden');
    const own = await send(method, `/v1/merchants/${shop.merchantId}${path}`, credentials(shop));
    expectRefusal(own, status, code);
  });
});

test('without credentials an unknown path is still 404', async () => {
  expectRefusal(await send('GET', `/v1/merchants/${other.merchantId}/nope`, {}), 404, 'route_not_found');
  const method = await send('DELETE', `/v1/merchants/${other.merchantId}/products`, {});
  expectRefusal(method, 405, 'method_not_allowed');
  expect(method.headers.get('allow')).toBe('GET, HEAD, POST');
});
