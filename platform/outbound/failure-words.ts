/** Describes why a delivery failed, for the merchant's developer. */
import { errors } from 'undici';
import { AddressRefusedError } from './ssrf-guard.ts';

/** @returns null for a success */
export function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  if (status >= 300 && status < 400) return `the endpoint answered ${status}; redirects are not followed`;
  return `the endpoint answered ${status}`;
}

const CODES_IN_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset by the endpoint',
  EPIPE: 'connection closed by the endpoint',
  UND_ERR_SOCKET: 'connection closed by the endpoint',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ETIMEDOUT: 'connection timed out',
  UND_ERR_CONNECT_TIMEOUT: 'connection timed out',
  ENOTFOUND: 'the host name has no address',
  ENODATA: 'the host name has no address',
  ESERVFAIL: 'the name server failed',
  EREFUSED: 'the name server refused to answer',
  EAI_AGAIN: 'the name server did not answer',
  ETIMEOUT: 'the name server did not answer',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the TLS certificate is for another name',
  CERT_HAS_EXPIRED: 'the TLS certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'the TLS certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'the TLS certificate chain is self-signed',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'the TLS certificate cannot be verified',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'the TLS certificate cannot be verified',
  UND_ERR_HEADERS_OVERFLOW: 'the headers of the response are too large',
  // Our own abort is handled earlier, so this is a tunnel that the proxy rejected.
  UND_ERR_ABORTED: 'the egress proxy refused the connection',
};

export function describeError(error: unknown): string {
  const cause = rootOf(error);
  if (cause instanceof AddressRefusedError) return 'the address is not on the public internet';
  if (cause instanceof errors.HTTPParserError) return 'the response is not HTTP';
  const { code, syscall } = cause as { code?: unknown; syscall?: unknown };
  if (typeof code !== 'string') return 'the request failed';
  if (code === 'ECONNREFUSED' && String(syscall).startsWith('query')) return 'the name server did not answer';
  const words = CODES_IN_WORDS[code];
  if (words !== undefined) return words;
  if (code.startsWith('HPE_')) return 'the response is not HTTP';
  if (code.startsWith('ERR_SSL') || code.startsWith('ERR_TLS') || code === 'EPROTO')
    return 'the TLS handshake failed';
  return `the request failed (${code})`;
}

/** When several addresses fail, they are reported as one AggregateError; the first is the most specific. */
function rootOf(error: unknown): unknown {
  if (error instanceof AggregateError && error.errors.length > 0) return rootOf(error.errors[0]);
  if (error instanceof Error && error.cause instanceof Error) return rootOf(error.cause);
  return error;
}
