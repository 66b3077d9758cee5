import { createInterface } from 'node:readline';
import { client } from './generated/client.gen.js';
import { createCheckout, createRefund, listProducts, showCheckout } from './generated/index.js';

const { API_URL = '', API_KEY = '', PRODUCT = '' } = process.env;
client.setConfig({ baseUrl: API_URL, auth: API_KEY });

const created = await createCheckout({ body: { productId: PRODUCT, externalCustomerId: 'hey-api' } });
if (!created.data) throw new Error(created.error.code);
console.log(created.data.hostedUrl);
await once();
const shown = await showCheckout({ path: { id: created.data.id } });
const paymentId = shown.data?.payment_id ?? '';
const refund = await createRefund({
  headers: { 'Idempotency-Key': `refund-${paymentId}` },
  body: { paymentId, amount: 100 },
});
const refused = await createRefund({
  headers: { 'Idempotency-Key': `more-${paymentId}` },
  body: { paymentId, amount: 1_000_000 },
});
const products = await listProducts();
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
