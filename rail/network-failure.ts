/** Classifies why `fetch` threw before an answer arrived, for all rails that use HTTP. */
import type { UnknownReason } from '../domain/payment/attempt.ts';

/** Codes of failures in which no byte of the request was sent. */
const NOT_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

export function failureOf(error: unknown, signal: AbortSignal): UnknownReason {
  if (signal.aborted) return 'timeout';
  return NOT_SENT.has(codeOf(error)) ? 'not_sent' : 'connection_lost';
}

/** Checks by shape, because in Jest's VM context `instanceof Error` is false for Node's errors. */
function codeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: { readonly code?: unknown } };
  return String(cause?.code ?? '');
}
