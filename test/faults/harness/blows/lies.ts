/** A rail that lies: signed but untrue webhooks about payments. */
import { createHmac, randomUUID } from 'node:crypto';
import type { Random } from '../core/random.ts';
import type { Place } from '../place/place.ts';

const LIES = ['charge.approved', 'charge.declined', 'charge.cancelled', 'refund.failed', 'charge.pending'];

/** Sends untrue webhooks: each is only a hint, which must have no effect but a look-up. */
export async function tellLies({ apiUrl, merchant, railWebhookSecret }: Place, random: Random) {
  const headers = { authorization: `Bearer ${merchant.apiKey}` };
  const response = await fetch(`${apiUrl}/v1/payments`, { headers, signal: AbortSignal.timeout(8_000) });
  const { data } = (await response.json()) as { data: { id: string; amount: number }[] };
  const told: string[] = [];
  for (let n = 0; n < 6 && data.length > 0; n++) {
    const [payment, type] = [random.pick(data), random.pick(LIES)];
    const body = JSON.stringify({
      id: `evt_${randomUUID()}`,
      type,
      account: merchant.railAccountId,
      createdAt: new Date().toISOString(),
      data: {
        reference: payment.id,
        charge: 'ch_lie',
        status: type.slice(type.indexOf('.') + 1),
        amount: payment.amount,
        currency: 'EUR',
      },
    });
    const timestamp = Math.floor(Date.now() / 1_000);
    const signature = createHmac('sha256', railWebhookSecret).update(`${timestamp}.${body}`).digest('hex');
    const { status } = await fetch(`${apiUrl}/rails/sandbox/${merchant.railAccountId}/webhooks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'rail-signature': `t=${timestamp},v1=${signature}` },
      body,
      signal: AbortSignal.timeout(8_000),
    });
    told.push(`${type} of ${payment.id}: ${status}`);
  }
  return told.join(', ') || 'nobody has paid';
}
