/**
 * `Service-Signature: t=<unix seconds>,v1=<64 hex characters>` (docs/contract.md#webhook-signature). The signed content
 * is the timestamp, a dot, and the raw body; the HMAC key is the UTF-8 bytes of the whole secret as shown, including
 * `whsec_`. During the overlap of a rotation the header has one `v1` part per secret. Receivers verify signatures with
 * `packages/webhooks`.
 */
import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/** Creates a secret of 256 random bits, in a format that both signature schemes accept. */
export function createWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(32).toString('base64');
}

export interface ToSign {
  readonly rawBody: string;
  /** Unix seconds. */
  readonly timestamp: number;
  /** As shown to the merchant, the current secret first. */
  readonly secrets: readonly string[];
}

/** Returns the value of `Service-Signature`. */
export function signWebhook({ rawBody, timestamp, secrets }: ToSign): string {
  const signatures = secrets.map((secret) => hmac(secret, `${timestamp}.`, rawBody).toString('hex'));
  return [`t=${timestamp}`, ...signatures.map((hex) => `v1=${hex}`)].join(',');
}

/**
 * Returns the three headers of the Standard Webhooks specification. The HMAC key there is the base64-decoded part after
 * `whsec_`, and the signed content begins with the event's id.
 */
export function standardWebhookHeaders(eventId: string, { rawBody, timestamp, secrets }: ToSign) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    return `v1,${hmac(key, `${eventId}.${timestamp}.`, rawBody).toString('base64')}`;
  });
  return {
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}

function hmac(key: string | Buffer, before: string, rawBody: string): Buffer {
  return createHmac('sha256', key).update(before).update(rawBody).digest();
}
