import { expect, test } from '@jest/globals';
import { payment } from '../../../contract/payment/resources.ts';
import { sql } from '../../../db/core/pool.ts';
import { describeList } from '../../support/api/list-contract.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';
import { insertPurchase } from '../../support/db/fixtures.ts';

const fixture = describeList({ path: '/v1/payments', resource: payment, idOf: ({ paymentId }) => paymentId });

test('a payment shows method, rail and amounts, and never credential_secret_ref', async () => {
  const { api, shop, purchases } = fixture();
  const { body } = await api.request('GET', '/v1/payments', { apiKey: shop.apiKey });
  expect(body.data.at(-1)).toEqual({
    id: purchases[0]?.paymentId,
    order_id: purchases[0]?.orderId,
    rail_account_id: shop.railAccountId,
    rail_order_id: 'ch_1',
    rail: 'sandbox',
    payment_method: { type: 'card', brand: 'visa', last4: '4242' },
    status: 'succeeded',
    amount: 1_900,
    currency: 'EUR',
    failure_code: null,
    failure_message: null,
    created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
  });
  expect(JSON.stringify(body)).not.toMatch(/credential|secret|mandate/);
});

test('a failed payment shows its failure reason', async () => {
  const { api, shop } = fixture();
  const { paymentId } = await insertPurchase(api.pool, shop, shop.products.oneTime, {
    paymentStatus: 'failed',
  });
  await api.pool.query(sql.unsafe`
    update payments set failure_code = 'card_declined', failure_message = 'The card was declined.'
    where id = ${paymentId}`);
  const { body } = await api.request('GET', '/v1/payments', { apiKey: shop.apiKey });
  expect(body.data[0]).toMatchObject({
    id: paymentId,
    status: 'failed',
    failure_code: 'card_declined',
    failure_message: 'The card was declined.',
  });
});

seesEveryAnswerOf('listPayments');
