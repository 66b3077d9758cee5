/**
 * Verifies signed webhooks: `Service-Signature: t=<unix seconds>,v1=<64 hex characters>`, where `v1` is the
 * HMAC SHA-256 of the timestamp, a dot and the raw body. See index.d.ts for the types.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

export const SIGNATURE_HEADER = 'service-signature';
export const DEFAULT_TOLERANCE_SECONDS = 300;

export class WebhookVerificationError extends Error {
  /**
   * @param {import('./index.js').VerificationFailure} reason
   * @param {string} message
   */
  constructor(reason, message) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.code = 'invalid_signature';
    this.reason = reason;
  }
}

/**
 * @param {import('./index.js').VerifyOptions} options
 * @returns {import('./index.js').WebhookEvent}
 */
export function verifyWebhook(options) {
  const { rawBody, signature, secret } = options;
  const { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, nowSeconds = Date.now() / 1000 } = options;
  const body = bytesOf(rawBody);
  const { timestamp, signatures } = parseHeader(signature);
  if (Math.abs(nowSeconds - Number(timestamp)) > toleranceSeconds) {
    throw new WebhookVerificationError(
      'timestamp_outside_tolerance',
      `The signature's timestamp differs from this machine's clock by more than ${toleranceSeconds} s.`,
    );
  }
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (secrets.length === 0 || secrets.some((one) => !one)) throw new TypeError('secret must not be empty');
  // Compares every pair in constant time, which leaves no timing side channel.
  let matches = 0;
  for (const one of secrets) {
    const expected = createHmac('sha256', one).update(`${timestamp}.`).update(body).digest();
    for (const given of signatures) matches += Number(timingSafeEqual(expected, given));
  }
  if (matches === 0) {
    throw new WebhookVerificationError(
      'no_matching_signature',
      'No signature matches. Check that the secret belongs to this endpoint and that the body is exactly as received.',
    );
  }
  return JSON.parse(body.toString('utf8'));
}

function bytesOf(rawBody) {
  if (typeof rawBody === 'string') return Buffer.from(rawBody, 'utf8');
  if (rawBody instanceof Uint8Array)
    return Buffer.from(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  throw new TypeError('rawBody must be the request body as received: a string or bytes, not parsed JSON');
}

function parseHeader(header) {
  const value = Array.isArray(header) ? header.join(',') : header;
  if (!value)
    throw new WebhookVerificationError('missing_header', 'The request has no Service-Signature header.');
  const parts = String(value)
    .split(',')
    .map((part) => part.trim());
  const timestamps = parts.filter((part) => part.startsWith('t=')).map((part) => part.slice(2));
  const signatures = parts.filter((part) => /^v1=[0-9a-f]{64}$/i.test(part)).map((part) => part.slice(3));
  if (timestamps.length !== 1 || !/^\d{1,12}$/.test(timestamps[0]) || signatures.length === 0) {
    throw new WebhookVerificationError(
      'malformed_header',
      'The Service-Signature header is not of the form t=<unix seconds>,v1=<64 hex characters>.',
    );
  }
  return { timestamp: timestamps[0], signatures: signatures.map((hex) => Buffer.from(hex, 'hex')) };
}
