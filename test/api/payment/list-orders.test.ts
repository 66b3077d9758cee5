import { expect, test } from '@jest/globals';
import { order } from '../../../contract/payment/resources.ts';
import { describeList } from '../../support/api/list-contract.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';

const fixture = describeList({ path: '/v1/orders', resource: order, idOf: ({ orderId }) => orderId });

test('an order shows its lines with tax, its payment and the merchant reference', async () => {
  const { api, shop, purchases } = fixture();
  const { body } = await api.request('GET', '/v1/orders', { apiKey: shop.apiKey });
  const { oneTime } = shop.products;
  const [purchase] = purchases;
  expect(body.data.at(-1)).toEqual({
    id: purchase?.orderId,
    customer_id: purchase?.customerId,
    product_id: oneTime,
    price_id: purchase?.priceId,
    source: 'checkout',
    external_reference: 'cart-1',
    line_items: [
      {
        product_id: oneTime,
        price_id: purchase?.priceId,
        description: 'Filterkaffee, 1 kg',
        quantity: 1,
        unit_amount: 1_900,
        amount: 1_900,
        tax_rate: 19,
        tax_amount: 303,
      },
    ],
    amount: 1_900,
    currency: 'EUR',
    payment_id: purchase?.paymentId,
    status: 'completed',
  });
});

seesEveryAnswerOf('listOrders');
