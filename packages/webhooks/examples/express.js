/**
 * A shop's endpoint with Express:
 * `npm install express hosted-checkout-webhooks && WEBHOOK_SECRET=whsec_… node express.js`
 */
import express from 'express';
import { verifyWebhook, WebhookVerificationError } from 'hosted-checkout-webhooks';

const secret = process.env.WEBHOOK_SECRET ?? '';
const port = Number(process.env.PORT ?? 3000);
/** In production: a table with a unique key, written in the same transaction as the effect. */
const seen = new Set();

const app = express();

// The raw body, not express.json(): the signature covers the bytes as sent.
app.post('/webhooks', express.raw({ type: 'application/json' }), (request, response) => {
  let event;
  try {
    event = verifyWebhook({ rawBody: request.body, signature: request.headers['service-signature'], secret });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    response.status(400).json({ code: error.code });
    return;
  }
  // An event can be delivered more than once; apply its effect once.
  if (!seen.has(event.id)) {
    seen.add(event.id);
    handle(event);
  }
  response.sendStatus(200);
});

function handle(event) {
  switch (event.type) {
    case 'payment.succeeded':
      console.log(`deliver the goods of payment ${event.payment.id}`);
      break;
    case 'subscription.cancelled':
      console.log(`access of subscription ${event.subscription.id} ends`);
      break;
    default:
      console.log(`nothing to do for ${event.type}`);
  }
}

app.listen(port, () => console.log(`listening on http://localhost:${port}/webhooks`));
