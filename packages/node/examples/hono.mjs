/**
 * Webhooks with Hono: `npm install hono hosted-checkout`, with WEBHOOK_SECRET in the environment. Its default export
 * serves on Deno, Bun and edge runtimes; on Node.js, `serve` of `@hono/node-server` takes it.
 */
import { Hono } from 'hono';
import { verifyWebhookRequest, WebhookVerificationError } from 'hosted-checkout';

const app = new Hono();

app.post('/webhooks', async (context) => {
  try {
    const event = await verifyWebhookRequest(context.req.raw, { secret: process.env.WEBHOOK_SECRET ?? '' });
    if (event.type === 'payment.succeeded') console.log(`deliver the goods of payment ${event.payment.id}`);
    return context.body(null, 200);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return context.json({ code: error.code }, 400);
  }
});

export default app;
