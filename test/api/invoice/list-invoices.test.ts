import { expect, test } from '@jest/globals';
import { invoice } from '../../../contract/invoice/resources.ts';
import { describeList } from '../../support/api/list-contract.ts';
import { seesEveryAnswerOf } from '../../support/api/seen-answers.ts';

const fixture = describeList({ path: '/v1/invoices', resource: invoice, idOf: ({ invoiceId }) => invoiceId });

test('a settled invoice is `created` with nothing due, and shows the customer as of its issue', async () => {
  const { api, shop, purchases } = fixture();
  const { body } = await api.request('GET', '/v1/invoices', { apiKey: shop.apiKey });
  expect(body.data.at(-1)).toMatchObject({
    id: purchases[0]?.invoiceId,
    number: expect.stringMatching(/^2026-/),
    order_id: purchases[0]?.orderId,
    subscription_id: null,
    status: 'created',
    amount_due: 0,
    customer: { id: purchases[0]?.customerId, email: 'ada@example.eu', name: 'Ada' },
    line_items: [{ amount: 1_900, tax_rate: 19, tax_amount: 303 }],
    pdf_url: expect.stringMatching(/^https:\/\/pay\.example\/invoices\/[0-9a-f]{64}\.pdf$/),
  });
});

seesEveryAnswerOf('listInvoices');
