/** POST /v1/refunds and GET /v1/refunds/:id: every check in order, and the reservation of the amount. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { z } from 'zod';
import { refund } from '../../../contract/refund/refund.ts';
import { sql } from '../../../db/core/pool.ts';
import { adoptRefund } from '../../../db/restore/adopt.ts';
import { expectRefusal, startTestApi, type TestApi } from '../../support/api/api.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { eventually } from '../../support/core/eventually.ts';
import { insertDispute } from '../../support/db/disputes.ts';
import { insertApiKey, insertPurchase, insertShop, type Shop } from '../../support/db/fixtures.ts';

let api: TestApi;
let shop: Shop;
/** A shop whose rail account supports refunds. */
let refunding: Shop;

beforeAll(async () => {
  api = await startTestApi();
  shop = await insertShop(api.pool);
  refunding = await insertShop(api.pool);
  await api.pool.query(sql.unsafe`
    update rail_accounts set capabilities = capabilities || '{"refunds": true}' where id = ${refunding.railAccountId}`);
});
afterAll(() => api?.stop());

const ask = (of: Shop, body: unknown, key: string = randomUUID()) =>
  api.request('POST', '/v1/refunds', { apiKey: of.apiKey, body, headers: { 'idempotency-key': key } });
const buy = (of: Shop, paymentStatus = 'succeeded') =>
  insertPurchase(api.pool, of, of.products.oneTime, { paymentStatus });
const refundsOf = (paymentId: string) =>
  api.pool.one(sql.type(z.object({ made: z.number(), reserved: z.number() }))`
    select (select count(*) from refunds where payment_id = p.id) as made, refunded_amount as reserved
    from payments p where id = ${paymentId}`);

test('an account without refunds gets 501, and nothing is reserved or started', async () => {
  const { paymentId, orderId } = await buy(shop);
  expectRefusal(await ask(shop, { paymentId }, 'pinned-501'), 501, 'refunds_not_supported');
  expectRefusal(await ask(shop, { orderId, amount: 1, currency: 'EUR' }), 501, 'refunds_not_supported');
  expect(await refundsOf(paymentId)).toEqual({ made: 0, reserved: 0 });
  const again = await ask(shop, { paymentId }, 'pinned-501');
  expectRefusal(again, 501, 'refunds_not_supported');
  expect(again.headers.get('idempotency-replayed')).toBe('true');
});

test('a refund is created pending, can be read, and its workflow exists', async () => {
  const { paymentId, orderId } = await buy(refunding);
  const answer = await ask(refunding, { orderId, amount: 900, currency: 'EUR', reason: 'broken cup' });
  expect(answer.status).toBe(201);
  const { request_id, ...resource } = answer.body;
  expect(refund.strict().parse(resource)).toMatchObject({
    payment_id: paymentId,
    order_id: orderId,
    amount: 900,
    currency: 'EUR',
    reason: 'broken cup',
    status: 'pending',
  });
  expect(answer.headers.get('x-service-flow-id')).toBe(resource.id);
  const shown = await api.request('GET', `/v1/refunds/${resource.id}`, { apiKey: refunding.apiKey });
  expect(shown.status).toBe(200);
  expect(shown.body).toEqual({ ...resource, request_id: shown.headers.get('x-request-id') });
  const run = await eventually(() => api.temporal.workflow.getHandle(resource.id).describe());
  expect(run.type).toBe('refund');
});

test('the refund of an orphaned charge that a restored database adopted can be read', async () => {
  const { paymentId } = await buy(refunding);
  const reference = `${paymentId}-return`;
  await adoptRefund(api.pool, {
    kind: 'refund',
    reference,
    accountId: refunding.railAccountId,
    paymentReference: paymentId,
    amount: 1_900,
    currency: 'EUR',
    quantity: null,
    at: '2026-11-24T18:53:37.509Z',
    merchantId: refunding.merchantId,
    environment: refunding.environment,
    ownerId: null,
    waits: true,
    isFree: false,
  });
  const shown = await api.request('GET', `/v1/refunds/${reference}`, { apiKey: refunding.apiKey });
  expect(shown.body).toMatchObject({
    id: reference,
    payment_id: paymentId,
    amount: 1_900,
    status: 'pending',
  });
  expectRefusal(
    await api.request('GET', '/v1/refunds/ap_pay_0-return', { apiKey: refunding.apiKey }),
    404,
    'refund_not_found',
  );
});

test('a refund defaults to the remaining amount and leaves nothing to refund', async () => {
  const { paymentId } = await buy(refunding);
  expect((await ask(refunding, { paymentId, amount: 400 })).status).toBe(201);
  expect((await ask(refunding, { paymentId })).body.amount).toBe(1_500);
  expectRefusal(await ask(refunding, { paymentId }), 400, 'refund_amount_exceeds_payment');
  expectRefusal(await ask(refunding, { paymentId, amount: 1 }), 400, 'refund_amount_exceeds_payment');
  expect(await refundsOf(paymentId)).toEqual({ made: 2, reserved: 1_900 });
});

test('refunds reserve their amount: twenty concurrent refunds never exceed the payment', async () => {
  const { paymentId } = await buy(refunding);
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => ask(refunding, { paymentId, amount: 600 })),
  );
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  expect(answers.filter(({ body }) => body.code === 'refund_amount_exceeds_payment')).toHaveLength(17);
  expect(await refundsOf(paymentId)).toEqual({ made: 3, reserved: 1_800 });
});

test('a key creates one refund and never expires; another body is a conflict', async () => {
  const { paymentId } = await buy(refunding);
  const same = () => ask(refunding, { paymentId, amount: 100 }, 'same');
  const [first, second] = await Promise.all([same(), same()]);
  expect(first.status).toBe(201);
  expect(second.body).toEqual(first.body);
  expect(await refundsOf(paymentId)).toEqual({ made: 1, reserved: 100 });
  expectRefusal(await ask(refunding, { paymentId, amount: 99 }, 'same'), 409, 'idempotency_key_conflict');
  expect(await isKeptForEver('same')).toBe(true);
});

const isKeptForEver = (key: string) =>
  api.pool.oneFirst(sql.type(z.object({ kept: z.boolean() }))`
    select keep_for_ever as kept from idempotency_keys
    where key = ${key} and scope like ${`%${refunding.merchantId}%`}`);

test('the key of a refused refund expires like any other', async () => {
  const unknown = await ask(refunding, { paymentId: 'ap_pay_0' }, 'refused');
  expectRefusal(unknown, 404, 'payment_not_found');
  expect(await isKeptForEver('refused')).toBe(false);
});

test('a retry after a crash finds the refund that was reserved', async () => {
  const { paymentId } = await buy(refunding);
  const first = await ask(refunding, { paymentId }, 'dies');
  await api.pool.query(sql.unsafe`
    update idempotency_keys set answer = null, lease_until = service_clock() where key = 'dies'`);
  const second = await ask(refunding, { paymentId }, 'dies');
  expect(second.status).toBe(201);
  expect(second.body.id).toBe(first.body.id);
  expect(await refundsOf(paymentId)).toEqual({ made: 1, reserved: 1_900 });
});

test.each([
  ['neither payment nor order', {}],
  ['both', { paymentId: 'ap_pay_1', orderId: 'ap_ord_1' }],
  ['an empty payment', { paymentId: '' }],
  ['a payment that is not a string', { paymentId: 7 }],
  ['an amount of 0', { paymentId: 'ap_pay_1', amount: 0 }],
  ['a negative amount', { paymentId: 'ap_pay_1', amount: -1 }],
  ['an amount of null, which does not count as absent', { paymentId: 'ap_pay_1', amount: null }],
  ['half a cent', { paymentId: 'ap_pay_1', amount: 0.5 }],
  ['a reason that is too long', { paymentId: 'ap_pay_1', reason: 'x'.repeat(501) }],
])('a request with %s is refused', async (_name, body) => {
  expectRefusal(await ask(refunding, body), 400, 'invalid_request');
});

test('a misspelt amount refunds nothing, and the key can be used for the corrected request', async () => {
  const { paymentId, orderId } = await buy(refunding);
  expectRefusal(await ask(refunding, { paymentId: 'ap_pay_none', amont: 5 }), 404, 'payment_not_found');
  expectRefusal(await ask(refunding, { paymentId: 'a\0', amont: 5 }), 400, 'invalid_request');
  const refused = await ask(refunding, { paymentId, amont: 500 }, 'misspelt');
  expectRefusal(refused, 400, 'unknown_field');
  expect(refused.body.message).toBe('amont is not a field of this request: did you mean amount?');
  expectRefusal(await ask(refunding, { orderId, cents: 500 }), 400, 'unknown_field');
  expect(await refundsOf(paymentId)).toEqual({ made: 0, reserved: 0 });
  const corrected = { paymentId, amount: 500, metadata: {}, merchantId: refunding.merchantId };
  expect((await ask(refunding, corrected, 'misspelt')).body).toMatchObject({ amount: 500 });
  const settled = await buy(refunding, 'processing');
  expectRefusal(await ask(refunding, { paymentId: settled.paymentId, amont: 1 }), 400, 'unknown_field');
});

test('the checks come in order: existence, state, amount, currency, capability', async () => {
  const open = await buy(shop, 'processing');
  const settled = await buy(shop);
  const wrong = { amount: 99_999_999_999, currency: 'XTS' };
  expectRefusal(await ask(shop, { paymentId: 'ap_pay_none', ...wrong }), 404, 'payment_not_found');
  expectRefusal(await ask(shop, { orderId: 'ap_ord_none', ...wrong }), 404, 'order_not_found');
  expectRefusal(await ask(shop, { paymentId: open.paymentId, ...wrong }), 409, 'payment_not_refundable');
  const { paymentId } = settled;
  expectRefusal(await ask(shop, { paymentId, ...wrong }), 400, 'refund_amount_exceeds_payment');
  expectRefusal(await ask(shop, { paymentId, currency: 'XTS' }), 400, 'refund_currency_mismatch');
  expectRefusal(await ask(shop, { paymentId, currency: 'EUR' }), 501, 'refunds_not_supported');
});

test.each(['open', 'lost'] as const)(
  'a payment whose dispute is %s is refunded only if the request confirms it',
  async (status) => {
    const { paymentId, orderId } = await buy(refunding);
    await insertDispute(api.pool, refunding, paymentId, { status });
    expectRefusal(await ask(refunding, { paymentId }), 409, 'payment_disputed');
    expectRefusal(await ask(refunding, { orderId, amount: 1 }), 409, 'payment_disputed');
    expectRefusal(await ask(refunding, { paymentId, confirmDispute: false }), 409, 'payment_disputed');
    expectRefusal(await ask(refunding, { paymentId, confirmDispute: 'yes' }), 400, 'invalid_request');
    expect(await refundsOf(paymentId)).toEqual({ made: 0, reserved: 0 });
    expect((await ask(refunding, { paymentId, confirmDispute: true })).status).toBe(201);
    expect(await refundsOf(paymentId)).toEqual({ made: 1, reserved: 1_900 });
  },
);

test('a dispute that was won does not affect refunds', async () => {
  const { paymentId } = await buy(refunding);
  await insertDispute(api.pool, refunding, paymentId, { status: 'open', railDisputeId: 'dp_to_be_won' });
  await insertDispute(api.pool, refunding, paymentId, { status: 'won', railDisputeId: 'dp_to_be_won' });
  expect((await ask(refunding, { paymentId })).status).toBe(201);
});

test('a dispute about part of a payment leaves the undisputed part refundable without a confirmation', async () => {
  const { paymentId } = await buy(refunding);
  await insertDispute(api.pool, refunding, paymentId, { status: 'open', amount: 500 });
  await insertDispute(api.pool, refunding, paymentId, { status: 'lost', amount: 400 });
  expectRefusal(await ask(refunding, { paymentId }), 409, 'payment_disputed');
  expectRefusal(await ask(refunding, { paymentId, amount: 1_001 }), 409, 'payment_disputed');
  expect((await ask(refunding, { paymentId, amount: 600 })).status).toBe(201);
  expectRefusal(await ask(refunding, { paymentId, amount: 401 }), 409, 'payment_disputed');
  expect((await ask(refunding, { paymentId, amount: 400 })).status).toBe(201);
  expectRefusal(await ask(refunding, { paymentId }), 409, 'payment_disputed');
  expect((await ask(refunding, { paymentId, confirmDispute: true })).body.amount).toBe(900);
});

test('a refund of a disputed payment is refused for any other reason before the dispute', async () => {
  const { paymentId } = await buy(shop);
  await insertDispute(api.pool, shop, paymentId, { status: 'open' });
  expectRefusal(await ask(shop, { paymentId, amount: 1_901 }), 400, 'refund_amount_exceeds_payment');
  expectRefusal(await ask(shop, { paymentId }), 501, 'refunds_not_supported');
});

test.each(['requires_action', 'processing', 'failed', 'cancelled', 'refunded'])(
  'a payment that is %s is not refundable',
  async (status) => {
    const { paymentId } = await buy(refunding, status);
    expectRefusal(await ask(refunding, { paymentId }), 409, 'payment_not_refundable');
  },
);

test('a payment of 0 cents, which set up a trial, is not refundable', async () => {
  const { paymentId } = await buy(refunding);
  await api.pool.query(sql.unsafe`update payments set amount = 0 where id = ${paymentId}`);
  expectRefusal(await ask(refunding, { paymentId }), 409, 'payment_not_refundable');
  expectRefusal(await ask(refunding, { paymentId, amount: 1 }), 409, 'payment_not_refundable');
});

test('a manual payment and an order without a payment are not refundable', async () => {
  const { orderId } = await buy(refunding);
  const manual = await api.request('POST', '/v1/manual-charges', {
    apiKey: refunding.apiKey,
    body: { amount: 5 },
  });
  expectRefusal(await ask(refunding, { paymentId: manual.body.id }), 409, 'payment_not_refundable');
  await api.pool.query(sql.unsafe`update orders set payment_id = null where id = ${orderId}`);
  expectRefusal(await ask(refunding, { orderId }), 409, 'payment_not_refundable');
});

test('404 for payments, orders and refunds of another merchant or the other environment', async () => {
  const { paymentId, orderId } = await buy(refunding);
  const made = await ask(refunding, { paymentId, amount: 1 });
  const live = {
    ...refunding,
    apiKey: await insertApiKey(api.pool, { ...refunding, environment: 'production' }),
  };
  for (const stranger of [shop, live]) {
    expectRefusal(await ask(stranger, { paymentId }), 404, 'payment_not_found');
    expectRefusal(await ask(stranger, { orderId }), 404, 'order_not_found');
    const shown = await api.request('GET', `/v1/refunds/${made.body.id}`, { apiKey: stranger.apiKey });
    expectRefusal(shown, 404, 'refund_not_found');
  }
});

test.each(['ap_ref_0', 'nonsense', '%00', 'ap_ref_%00'])(
  '404 for the malformed id %s, without an error in the log',
  async (id) => {
    const before = api.logLines.length;
    const shown = await api.request('GET', `/v1/refunds/${id}`, { apiKey: refunding.apiKey });
    expectRefusal(shown, 404, 'refund_not_found');
    expect(api.logLines.slice(before).filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  },
);

test('an invalid key, Idempotency-Key, merchantId, body or method is refused', async () => {
  const { apiKey } = refunding;
  const post = (options: object) => api.request('POST', '/v1/refunds', options);
  expectRefusal(await post({ body: {} }), 401, 'service_api_key_required');
  expectRefusal(await post({ apiKey, body: {} }), 400, 'idempotency_key_required');
  expectRefusal(await post({ apiKey, headers: { 'idempotency-key': 'ü' } }), 400, 'idempotency_key_invalid');
  expectRefusal(await post({ apiKey, raw: '{', headers: { 'idempotency-key': 'k' } }), 400, 'invalid_json');
  expectRefusal(await ask(refunding, { merchantId: shop.merchantId }), 403, 'merchant_scope_mismatch');
  expectRefusal(await api.request('PUT', '/v1/refunds', { apiKey }), 405, 'method_not_allowed');
  expectRefusal(await api.request('GET', '/v1/refunds/ap_ref_1'), 401, 'service_api_key_required');
});

seesEveryAnswerOf('createRefund', 'showRefund');
