/** Delivers when the signed webhook of a payment arrives. */
import { verifyWebhookRequest, WebhookVerificationError } from 'hosted-checkout';
import { deliver } from '../../lib/orders.js';

export async function POST(request) {
  try {
    const event = await verifyWebhookRequest(request, { secret: process.env.WEBHOOK_SECRET ?? '' });
    if (event.type === 'payment.succeeded') deliver({ id: event.id, payment: event.payment.id });
    return new Response(null, { status: 200 });
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.error(error.message);
    return Response.json({ code: error.code }, { status: 400 });
  }
}
