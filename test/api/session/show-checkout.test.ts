/** GET /v1/checkouts/{id}: a session's state, for the merchant's server. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { checkoutDetailsAnswer } from '../../../contract/session/checkout-details.ts';
import { expireSession } from '../../../db/session/session-commands.ts';
import { expectMarks, expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { clickAccepted, letExpire } from '../../support/db/attempts.ts';
import { insertShop, type Shop } from '../../support/db/fixtures.ts';

let api: TestApi;
let shop: Shop;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool);
});
afterAll(() => api?.stop());

const show = (id: string, apiKey = shop.apiKey) => api.request('GET', `/v1/checkouts/${id}`, { apiKey });
async function create(): Promise<{ id: string; sessionId: string }> {
  const body = {
    productId: shop.products.oneTime,
    externalCustomerId: 'u-1',
    reconciliation: { merchantReference: 'cart-7' },
  };
  const answer = await api.request('POST', '/v1/checkouts', { apiKey: shop.apiKey, body });
  return answer.body;
}

test('200: an unpaid session, without its page token', async () => {
  const { id, sessionId } = await create();
  const answer = await show(id);
  expect(answer.status).toBe(200);
  expectMarks(answer);
  expect(checkoutDetailsAnswer.schema.strict().parse(answer.body)).toMatchObject({
    id,
    state: 'created',
    failure_reason: null,
    attempts: 0,
    product_id: shop.products.oneTime,
    order_id: null,
    payment_id: null,
    merchant_reference: 'cart-7',
    finished_at: null,
  });
  expect(JSON.stringify(answer.body)).not.toContain(sessionId);
});

test('200: an attempt is shown with its order and payment', async () => {
  const { id } = await create();
  const paymentId = await clickAccepted(api.pool, id);
  expect((await show(id)).body).toMatchObject({
    state: 'processing',
    attempts: 1,
    order_id: expect.stringMatching(/^ap_ord_/),
    payment_id: paymentId,
  });
});

test('200: a session that ended without an attempt shows its failure reason', async () => {
  const { id } = await create();
  await letExpire(api.pool, id);
  await expireSession(api.pool, id);
  expect((await show(id)).body).toMatchObject({
    state: 'failed',
    failure_reason: 'expired',
    attempts: 0,
    finished_at: expect.any(String),
  });
});

test('404: an unknown id, and a session of another merchant', async () => {
  expectRefusal(await show('ap_chk_none'), 404, 'checkout_not_found');
  const { id } = await create();
  const other = await insertShop(api.pool);
  expectRefusal(await show(id, other.apiKey), 404, 'checkout_not_found');
});

seesEveryAnswerOf('showCheckout');
