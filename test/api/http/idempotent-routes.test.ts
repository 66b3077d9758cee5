/**
 * Fifty concurrent equal requests over two API processes, on routes that require a key: one effect, equal
 * responses.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { sql } from '../../../db/core/pool.ts';
import { createStorefrontClient } from '../../../db/merchant/manage-storefront-clients.ts';
import { type Answer, startTestApi, type TestApi } from '../../support/api/api.ts';
import { insertPurchase, insertShop, type Shop } from '../../support/db/fixtures.ts';
import { createTestNamespace } from '../../support/temporal/temporal.ts';

const ORIGIN = 'https://shop.example';
let apis: readonly [TestApi, TestApi];
let shop: Shop;

beforeAll(async () => {
  const temporal = await createTestNamespace();
  const first = await startTestApi({ temporal });
  apis = [first, await startTestApi({ temporal, databaseUrl: first.databaseUrl })];
  shop = await insertShop(first.pool);
  await first.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${shop.railAccountId}`);
});
afterAll(async () => {
  await apis?.[1].stop();
  await apis?.[0].stop();
});

const count = (table: string) =>
  apis[0].pool.oneFirst(sql.type(z.object({ count: z.number() }))`
    select count(*) as count from ${sql.identifier([table])}`);

/** Sends fifty equal requests, alternating between the processes. */
function fifty(send: (api: TestApi) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: 50 }, (_, nth) => send(apis[nth % 2 === 0 ? 0 : 1])));
}

function expectOneAnswer(answers: readonly Answer[]): void {
  const [first] = answers;
  expect(first?.status).toBe(201);
  for (const { status, body, headers } of answers) {
    expect([status, body]).toEqual([201, first?.body]);
    expect(headers.get('x-request-id')).toBe(first?.body.request_id);
  }
  const repeated = answers.filter(({ headers }) => headers.get('idempotency-replayed') === 'true');
  expect(repeated).toHaveLength(49);
}

describe('fifty concurrent requests have one effect and one response:', () => {
  test('POST /v1/refunds', async () => {
    const { paymentId } = await insertPurchase(apis[0].pool, shop, shop.products.oneTime);
    const before = await count('refunds');
    const headers = { 'idempotency-key': randomUUID() };
    const answers = await fifty((api) =>
      api.request('POST', '/v1/refunds', { apiKey: shop.apiKey, headers, body: { paymentId, amount: 10 } }),
    );
    expectOneAnswer(answers);
    expect(await count('refunds')).toBe(before + 1);
    const reserved = await apis[0].pool.oneFirst(sql.type(z.object({ reserved: z.number() }))`
      select refunded_amount as reserved from payments where id = ${paymentId}`);
    expect(reserved).toBe(10);
  });

  test('POST /v1/checkout-clients/{publicId}/sessions', async () => {
    const { merchantId, environment, products } = shop;
    const client = await createStorefrontClient(
      apis[0].pool,
      merchantId,
      { environment, name: 'shop', origins: [ORIGIN], product_ids: [products.oneTime] },
      { actor: 'person:ada@shop.example' },
    );
    if (typeof client === 'string') throw new Error(client);
    const before = [await count('checkouts'), await count('customers')];
    const headers = { origin: ORIGIN, 'idempotency-key': randomUUID() };
    const answers = await fifty((api) =>
      api.request('POST', `/v1/checkout-clients/${client.id}/sessions`, {
        headers,
        body: { productReference: products.oneTime },
      }),
    );
    expectOneAnswer(answers);
    expect([await count('checkouts'), await count('customers')]).toEqual(before.map((rows) => rows + 1));
  });
});
