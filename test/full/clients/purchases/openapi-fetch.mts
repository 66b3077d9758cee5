import { createInterface } from 'node:readline';
import createClient from 'openapi-fetch';
import type { paths } from './description.js';

const { API_URL = '', API_KEY = '', PRODUCT = '' } = process.env;
const client = createClient<paths>({ baseUrl: API_URL, headers: { Authorization: `Bearer ${API_KEY}` } });

const created = await client.POST('/v1/checkouts', {
  body: { productId: PRODUCT, externalCustomerId: 'openapi-fetch' },
});
if (!created.data) throw new Error(created.error.code);
console.log(created.data.hostedUrl);
await once();
const shown = await client.GET('/v1/checkouts/{id}', { params: { path: { id: created.data.id } } });
const paymentId = shown.data?.payment_id ?? '';
const refund = await client.POST('/v1/refunds', {
  params: { header: { 'Idempotency-Key': `refund-${paymentId}` } },
  body: { paymentId, amount: 100 },
});
const refused = await client.POST('/v1/refunds', {
  params: { header: { 'Idempotency-Key': `more-${paymentId}` } },
  body: { paymentId, amount: 1_000_000 },
});
const products = await client.GET('/v1/products');
console.log(
  JSON.stringify({
    state: shown.data?.state,
    refunded: refund.data?.amount,
    refusal: refused.error?.code,
    price: products.data?.data.find(({ id }) => id === PRODUCT)?.active_price?.amount,
  }),
);

async function once(): Promise<void> {
  for await (const _line of createInterface({ input: process.stdin })) return;
}
