/** Webhooks with Fastify: `npm install fastify hosted-checkout`, then `WEBHOOK_SECRET=… node fastify.mjs` */
import Fastify from 'fastify';
import { verifyWebhook, WebhookVerificationError } from 'hosted-checkout';

const secret = process.env.WEBHOOK_SECRET ?? '';
const app = Fastify();

// In a separate plugin, so that other routes keep their parsed bodies: the signature covers the bytes as
// sent.
app.register(async (webhooks) => {
  webhooks.removeAllContentTypeParsers();
  webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request, body) => body);

  webhooks.post('/webhooks', async (request, reply) => {
    try {
      const event = await verifyWebhook({
        rawBody: request.body,
        signature: request.headers['service-signature'],
        secret,
      });
      if (event.type === 'payment.succeeded') console.log(`deliver the goods of payment ${event.payment.id}`);
      return reply.code(200).send();
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      console.error(error.message);
      return reply.code(400).send({ code: error.code });
    }
  });
});

await app.listen({ port: Number(process.env.PORT ?? 3000) });
console.log(`listening on http://localhost:${app.server.address().port}`);
