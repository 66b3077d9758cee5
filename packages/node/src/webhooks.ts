/** Verifies signed webhooks with Web Crypto, in every runtime. */
import type { WebhookEvent } from './schemas.ts';
import { eventOf, readSigned, SIGNATURE_HEADER, type VerifyOptions } from './webhook-rules.ts';

/**
 * Checks the signature and returns the event.
 *
 * @throws WebhookVerificationError
 * @throws TypeError for invalid options, such as a parsed body
 */
export async function verifyWebhook(options: VerifyOptions): Promise<WebhookEvent> {
  const webhook = readSigned(options);
  const { secrets, signatures, signed } = webhook;
  const matches = await Promise.all(
    secrets.flatMap((secret) => signatures.map((signature) => isSignedWith(secret, signature, signed))),
  );
  return eventOf(webhook, matches.includes(true));
}

/** Verifies a web-standard request, as in Next.js, Hono, Deno, Bun and edge functions. Reads the request's body. */
export async function verifyWebhookRequest(
  request: Request,
  options: Omit<VerifyOptions, 'rawBody' | 'signature'>,
): Promise<WebhookEvent> {
  const rawBody = await request.arrayBuffer();
  return verifyWebhook({ ...options, rawBody, signature: request.headers.get(SIGNATURE_HEADER) });
}

/** Checks one secret; `verify` compares in constant time. */
async function isSignedWith(
  secret: string,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(secret), algorithm, false, [
    'verify',
  ]);
  return crypto.subtle.verify('HMAC', key, signature, signed);
}
