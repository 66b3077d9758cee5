/** Verification without the HMAC: the same for Web Crypto and for Node.js's own module. */
import type { WebhookEvent } from './schemas.ts';

export const SIGNATURE_HEADER = 'service-signature';
export const DEFAULT_TOLERANCE_SECONDS = 300;

export interface VerifyOptions {
  /** The request body exactly as received, before any JSON parsing. */
  readonly rawBody: string | Uint8Array | ArrayBuffer;
  /** The value of the `Service-Signature` header. */
  readonly signature: string | readonly string[] | null | undefined;
  /** The endpoint's secret as shown (`whsec_…`); several secrets during a rotation. */
  readonly secret: string | readonly string[];
  /** Maximum distance of the timestamp from this machine's clock; 300 by default. */
  readonly toleranceSeconds?: number | undefined;
  /** Replaces this machine's clock in tests; Unix seconds. */
  readonly nowSeconds?: number | undefined;
}

export type VerificationFailure =
  | 'missing_header'
  | 'malformed_header'
  | 'timestamp_outside_tolerance'
  | 'no_matching_signature'
  | 'unreadable_body';

/** Thrown for a webhook that cannot be verified: respond with 400. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code = 'invalid_signature';
  readonly reason: VerificationFailure;

  constructor(reason: VerificationFailure, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** A webhook whose header is well-formed and recent, but whose signature is not checked yet. */
export interface SignedWebhook {
  /** The signed content. */
  readonly signed: Uint8Array<ArrayBuffer>;
  readonly signatures: readonly Uint8Array<ArrayBuffer>[];
  readonly secrets: readonly string[];
  readonly body: Uint8Array<ArrayBuffer>;
}

/** @throws WebhookVerificationError, TypeError for invalid options, such as a parsed body */
export function readSigned(options: VerifyOptions): SignedWebhook {
  const { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, nowSeconds = Date.now() / 1_000 } = options;
  // A comparison with NaN is false, so every timestamp would be within the tolerance.
  if (!Number.isFinite(toleranceSeconds) || !Number.isFinite(nowSeconds)) {
    throw new TypeError('toleranceSeconds and nowSeconds must be finite numbers.');
  }
  const body = bytesOf(options.rawBody);
  const secrets = secretsOf(options.secret);
  const { timestamp, signatures } = parseHeader(options.signature);
  const ageSeconds = Math.round(nowSeconds - Number(timestamp));
  if (Math.abs(ageSeconds) > toleranceSeconds) {
    throw new WebhookVerificationError('timestamp_outside_tolerance', outsideTolerance(ageSeconds));
  }
  const signed = concatenated(new TextEncoder().encode(`${timestamp}.`), body);
  return { signed, signatures, secrets, body };
}

/** @throws WebhookVerificationError */
export function eventOf({ body }: SignedWebhook, isSigned: boolean): WebhookEvent {
  const text = new TextDecoder().decode(body);
  if (!isSigned) throw new WebhookVerificationError('no_matching_signature', noMatch(text));
  try {
    return JSON.parse(text);
  } catch {
    throw new WebhookVerificationError(
      'unreadable_body',
      'The signature is valid, but the body is not JSON.',
    );
  }
}

function bytesOf(rawBody: VerifyOptions['rawBody']): Uint8Array<ArrayBuffer> {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody);
  if (rawBody instanceof Uint8Array) return new Uint8Array(rawBody);
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody);
  throw new TypeError(
    'rawBody is not text or bytes: the body was parsed before the verification. Pass it as it was received, in ' +
      "Express with express.raw({ type: 'application/json' }) on this route, before express.json().",
  );
}

const WHOLE_SECRET = /^whsec_\S+$/;

function secretsOf(secret: VerifyOptions['secret']): readonly string[] {
  // Callers in JavaScript may pass an environment variable that is not set.
  if (secret === undefined || secret === null) {
    throw new TypeError(
      "secret is missing: pass the endpoint's (whsec_…). If it comes from an environment variable, that variable is not set.",
    );
  }
  const secrets = [secret].flat();
  if (secrets.length === 0 || secrets.some((one) => !one)) throw new TypeError('secret must not be empty');
  const other = secrets.map(String).find((one, at) => secrets[at] !== one || !WHOLE_SECRET.test(one));
  if (other !== undefined) {
    throw new TypeError(
      other.startsWith('ap_')
        ? 'secret is an API key: the secret of a webhook endpoint begins with whsec_.'
        : 'secret must be the whole secret of the endpoint as shown, beginning with whsec_, without white space.',
    );
  }
  return secrets;
}

function parseHeader(header: VerifyOptions['signature']) {
  const value = Array.isArray(header) ? header.join(',') : header;
  if (!value) {
    throw new WebhookVerificationError(
      'missing_header',
      'The request has no Service-Signature header: it is not a webhook of this service, or a proxy removed the header (let it pass).',
    );
  }
  const parts = String(value)
    .split(',')
    .map((part) => part.trim());
  const timestamps = parts.filter((part) => /^t=\d{1,12}$/.test(part)).map((part) => part.slice(2));
  const signatures = parts.filter((part) => /^v1=[0-9a-f]{64}$/i.test(part)).map((part) => part.slice(3));
  const [timestamp] = timestamps;
  if (timestamps.length !== 1 || timestamp === undefined || signatures.length === 0) {
    throw new WebhookVerificationError(
      'malformed_header',
      'The Service-Signature header does not have the form t=<unix seconds>,v1=<64 hex characters>.',
    );
  }
  return { timestamp, signatures: signatures.map(bytesOfHex) };
}

function outsideTolerance(ageSeconds: number): string {
  return ageSeconds > 0
    ? `The webhook was signed ${ageSeconds} s ago by this machine's clock: the clock is fast (check its time synchronization), or the request waited in a queue or is being replayed.`
    : `The webhook was signed ${-ageSeconds} s in the future by this machine's clock: the clock is slow (check its time synchronization).`;
}

function noMatch(body: string): string {
  const causes =
    'the secret belongs to another endpoint (the sandbox and production have their own), or the body was changed after it was sent';
  const rewritten = looksRewritten(body) ? ': it looks re-serialized, by a JSON parser or a proxy' : '';
  return `No signature matches: ${causes}${rewritten}. Use this endpoint's secret, and verify the bytes as received, before anything parses them.`;
}

/** Returns true if a body was parsed and serialized again: bodies are sent without white space between their parts. */
function looksRewritten(body: string): boolean {
  try {
    return JSON.stringify(JSON.parse(body)) !== body;
  } catch {
    return false;
  }
}

function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

function concatenated(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
