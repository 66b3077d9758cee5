/** The HTTP request of one event: the stored body unchanged, headers and signature fresh for each attempt. */
import { signWebhook, standardWebhookHeaders } from '../../contract/webhook/webhook-signature.ts';
import type { ClaimedDelivery } from '../../db/webhook/deliveries.ts';
import type { Attempt } from '../../platform/outbound/send.ts';

const USER_AGENT = 'Service-Webhooks/1.0';

/**
 * @param secrets as shown to the merchant, current one first
 * @param timestamp Unix seconds by PostgreSQL's clock (rule 19)
 */
export function webhookRequest(
  delivery: Pick<ClaimedDelivery, 'eventId' | 'body' | 'attempts' | 'url' | 'standardHeaders'>,
  secrets: readonly string[],
  timestamp: number,
): Attempt {
  const { eventId, body, attempts, url, standardHeaders } = delivery;
  const toSign = { rawBody: body, timestamp, secrets };
  return {
    url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      'service-event-id': eventId,
      'service-delivery-attempt': String(attempts + 1),
      'service-signature': signWebhook(toSign),
      ...(standardHeaders ? standardWebhookHeaders(eventId, toSign) : {}),
    },
  };
}
