/** `Rail-Signature: t=<unix seconds>,v1=<hex HMAC-SHA256 of "<t>.<body>" under the webhook secret>`. */
import { createHmac } from 'node:crypto';

export const SIGNATURE_HEADER = 'Rail-Signature';

export function signWebhook(body: string, secret: string, unixSeconds: number): string {
  const digest = createHmac('sha256', secret).update(`${unixSeconds}.${body}`).digest('hex');
  return `t=${unixSeconds},v1=${digest}`;
}
