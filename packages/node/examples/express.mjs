/**
 * A shop with Express: `npm install express hosted-checkout`, then
 * `HOSTED_CHECKOUT_URL=… HOSTED_CHECKOUT_API_KEY=… WEBHOOK_SECRET=… PRODUCT_ID=… node express.mjs`
 */
import express from 'express';
import { HostedCheckout, verifyWebhook, WebhookVerificationError } from 'hosted-checkout';

const checkout = new HostedCheckout(process.env.HOSTED_CHECKOUT_API_KEY ?? '');
const secret = process.env.WEBHOOK_SECRET ?? '';
const port = Number(process.env.PORT ?? 3000);
/** In production: a table with a unique key, written in the same transaction as the effect. */
const seen = new Set();

const app = express();

app.post('/buy', async (_request, response) => {
  const { hostedUrl } = await checkout.checkouts.create({
    productId: process.env.PRODUCT_ID ?? '',
    externalCustomerId: 'customer-1',
  });
  response.redirect(303, hostedUrl);
});

// The raw body, not express.json(): the signature covers the bytes as sent.
app.post('/webhooks', express.raw({ type: 'application/json' }), async (request, response) => {
  try {
    const event = await verifyWebhook({
      rawBody: request.body,
      signature: request.headers['service-signature'],
      secret,
    });
    if (!seen.has(event.id)) {
      seen.add(event.id);
      if (event.type === 'payment.succeeded') console.log(`deliver the goods of payment ${event.payment.id}`);
    }
    response.sendStatus(200);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.error(error.message);
    response.status(400).json({ code: error.code });
  }
});

app.listen(port, function () {
  console.log(`listening on http://localhost:${this.address().port}`);
});
