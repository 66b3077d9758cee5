/** Next.js: app/webhooks/route.js. The same function is a handler of Deno, Bun and edge functions. */
import { verifyWebhookRequest, WebhookVerificationError } from 'hosted-checkout';

export async function POST(request) {
  try {
    const event = await verifyWebhookRequest(request, { secret: process.env.WEBHOOK_SECRET ?? '' });
    if (event.type === 'payment.succeeded') console.log(`deliver the goods of payment ${event.payment.id}`);
    return new Response(null, { status: 200 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return Response.json({ code: error.code }, { status: 400 });
  }
}
