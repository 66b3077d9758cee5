/** Sells one product: sends the buyer to the hosted page, and delivers when the signed webhook arrives. */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import express from 'express';
import { HostedCheckout, verifyWebhook, WebhookVerificationError } from 'hosted-checkout';

process.loadEnvFile();
const {
  HOSTED_CHECKOUT_API_KEY: key = '',
  WEBHOOK_SECRET: secret = '',
  PRODUCT_ID: productId = '',
  SHOP_URL: shop = '',
} = process.env;
const checkout = new HostedCheckout(key);

// In production: a table keyed by the event's id, written in the same transaction as the event's effects.
const ORDERS = 'orders.jsonl';
const orders = existsSync(ORDERS)
  ? readFileSync(ORDERS, 'utf8').split('\n').filter(Boolean).map(JSON.parse)
  : [];

const app = express();

app.get('/', async (_request, response) => {
  const { data } = await checkout.products.list();
  const product = data.find(({ id }) => id === productId);
  const price = ((product?.active_price?.amount ?? 0) / 100).toFixed(2);
  response.send(`<!doctype html><title>Shop</title>
<h1>${escaped(product?.name ?? productId)}</h1>
<form method="post" action="/buy"><button>Buy for €${price}</button></form>
<h2>Delivered</h2>
<ul>${orders.map(({ payment }) => `<li>${escaped(payment)}</li>`).join('')}</ul>`);
});

app.post('/buy', async (_request, response) => {
  const { hostedUrl } = await checkout.checkouts.create({
    productId,
    externalCustomerId: 'customer-1',
    // A return proves nothing: goods are delivered when the webhook arrives.
    successUrl: shop,
    failUrl: shop,
  });
  response.redirect(303, hostedUrl);
});

// Use the raw body: the signature covers the bytes as sent.
app.post('/webhooks', express.raw({ type: 'application/json' }), async (request, response) => {
  let event;
  try {
    const signature = request.headers['service-signature'];
    event = await verifyWebhook({ rawBody: request.body, signature, secret });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.error(error.message);
    response.status(400).json({ code: error.code });
    return;
  }
  // An event may arrive more than once.
  const isNew = !orders.some(({ id }) => id === event.id);
  if (isNew && event.type === 'payment.succeeded') deliver({ id: event.id, payment: event.payment.id });
  response.sendStatus(200);
});

function deliver(order) {
  appendFileSync(ORDERS, `${JSON.stringify(order)}\n`);
  orders.push(order);
  console.log(`Delivered for payment ${order.payment}.`);
}

function escaped(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

const port = Number(process.env.PORT ?? 3000);
// Listens on this machine only; in production, put a proxy with a certificate in front.
app.listen(port, '127.0.0.1', function (error) {
  if (error?.code === 'EADDRINUSE') {
    console.error(`Port ${port} is in use: set PORT in .env to another one.`);
    process.exit(1);
  }
  if (error) throw error;
  console.log(`The shop is open on http://localhost:${this.address().port}`);
});
