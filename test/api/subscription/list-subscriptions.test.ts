import { expect, test } from '@jest/globals';
import { subscription } from '../../../contract/subscription/resources.ts';
import { sql } from '../../../db/core/pool.ts';
import { describeList } from '../../support/api/list-contract.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';

const list = {
  resource: subscription,
  idOf: ({ subscriptionId }: { subscriptionId: string | null }) => subscriptionId,
};
const fixture = describeList({ ...list, path: '/v1/subscriptions', recurring: true });
describeList({ ...list, path: '/v1/subscriptions/current', recurring: true });

test('a subscription shows plan, offering, periods and method', async () => {
  const { api, shop, purchases } = fixture();
  await api.pool.query(sql.unsafe`
    with offering as (
      insert into offerings (merchant_id, name) values (${shop.merchantId}, 'Kaffee') returning id)
    update subscriptions set offering_id = offering.id from offering
    where subscriptions.id = ${purchases[0]?.subscriptionId ?? ''}`);
  const { body } = await api.request('GET', '/v1/subscriptions', { apiKey: shop.apiKey });
  expect(body.data.at(-1)).toEqual({
    id: purchases[0]?.subscriptionId,
    customer_id: purchases[0]?.customerId,
    product_id: shop.products.recurring,
    plan: { id: shop.products.recurring, name: 'Kaffee-Abo' },
    price_id: expect.stringMatching(/^ap_price_/),
    offering: { id: expect.stringMatching(/^ap_off_/), name: 'Kaffee' },
    status: 'active',
    current_period_start: '2026-01-31T10:00:00.000Z',
    current_period_end: '2026-02-28T10:00:00.000Z',
    trial_start: null,
    trial_end: null,
    amount: 900,
    quantity: 1,
    currency: 'EUR',
    payment_method: { type: 'card', brand: 'visa', last4: '4242' },
    cancel_at_period_end: false,
    pause_at_period_end: false,
    resumes_at: null,
    billing_cycles_left: null,
    ends_at: null,
    cancelled_at: null,
    coupon: null,
    price_move: null,
    change: null,
  });
});

test('GET /v1/subscriptions/current returns the same list', async () => {
  const { api, shop } = fixture();
  const [all, current] = await Promise.all(
    ['/v1/subscriptions', '/v1/subscriptions/current'].map((path) =>
      api.request('GET', path, { apiKey: shop.apiKey }),
    ),
  );
  expect(current?.body.data).toEqual(all?.body.data);
});

seesEveryAnswerOf('listSubscriptions', 'listCurrentSubscriptions');
