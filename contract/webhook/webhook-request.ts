/** The HTTP request of one event: the stored body unchanged, headers and signature fresh for each attempt. */
import { signWebhook, standardWebhookHeaders } from './webhook-signature.ts';

const USER_AGENT = 'Service-Webhooks/1.0';

export interface EventToSend {
  readonly eventId: string;
  readonly body: string;
  /** The number of earlier attempts. */
  readonly attempts: number;
  readonly url: string;
  readonly standardHeaders: boolean;
}

export interface WebhookRequest {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * @param secrets as shown to the merchant, current one first
 * @param timestamp Unix seconds by PostgreSQL's clock (rule 19)
 */
export function webhookRequest(
  { eventId, body, attempts, url, standardHeaders }: EventToSend,
  secrets: readonly string[],
  timestamp: number,
): WebhookRequest {
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
