/** Headers that must not be repeated, because the proxy and the service could each use a different line. */
import { once } from 'node:events';
import { type IncomingMessage, request as send } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';

let api: TestApi;
let shop: Shop;
beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool);
});
afterAll(() => api?.stop());

type Sent = readonly [name: string, path: string, values: readonly [string, string]];

const REPEATED: readonly Sent[] = [
  ['Authorization', '/v1/checkouts', ['Bearer ap_test_1', 'Bearer ap_test_2']],
  ['Content-Type', '/v1/checkouts', ['application/json', 'text/plain']],
  ['Origin', '/v1/checkout-clients/ap_pcl_0/sessions', ['https://shop.example', 'https://evil.example']],
  ['Rail-Signature', '/rails/sandbox/ap_rail_0/webhooks', ['t=1,v1=a', 't=1,v1=b']],
  ['Stripe-Signature', '/rails/stripe/ap_rail_0/webhooks', ['t=1,v1=a', 't=1,v1=b']],
  ['Content-Type', '/pay/page/pay', ['application/json', 'text/plain']],
];

test.each(REPEATED)('%s on two lines is refused at %s', async (name, path, values) => {
  expect(await answerTo(path, { Authorization: `Bearer ${shop.apiKey}`, [name]: [...values] })).toMatchObject(
    [400, { code: 'invalid_request', message: `The header ${name.toLowerCase()} was sent more than once.` }],
  );
});

test('a list-valued header may be repeated', async () => {
  const headers = { Authorization: `Bearer ${shop.apiKey}`, Accept: ['application/json', 'text/html'] };
  expect(await answerTo('/v1/products', headers, 'GET')).toMatchObject([200, {}]);
});

async function answerTo(path: string, headers: Record<string, string | string[]>, method = 'POST') {
  const sent = send(`${api.url}${path}`, { method, headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  return [answer.statusCode, await json(answer)];
}
