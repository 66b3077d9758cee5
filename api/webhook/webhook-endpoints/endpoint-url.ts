import { isIP } from 'node:net';
import { canonicalEndpointUrl } from '../../../contract/webhook/webhook-endpoints.ts';
import { isAllowedAddress } from '../../../platform/outbound/ssrf-guard.ts';
import type { ApiContext } from '../../http/context.ts';
import { invalidRequest } from '../../http/errors.ts';

const FAULT = { field: 'url', reason: 'format' } as const;

/** @throws ApiError 400 if webhooks cannot be sent to the URL */
export function endpointUrl(text: string, { config }: ApiContext): string {
  const { allowLoopback } = config.webhooks;
  const url = canonicalEndpointUrl(text, allowLoopback);
  if (url !== null && leadsOutside(new URL(url).hostname, allowLoopback)) return url;
  if (url !== null) {
    throw invalidRequest('url must resolve to a public internet address.', FAULT);
  }
  const what = allowLoopback ? 'an https URL, or an http URL on this machine,' : 'an https URL';
  const message = `url must be ${what} of at most 500 characters, without credentials or fragment.`;
  throw invalidRequest(message, FAULT);
}

/** Names that never leave a machine or a private network (RFC 6761, 6762, 8375, 9476). */
const LOCAL_NAME = /(^|\.)(local|internal|home\.arpa)\.?$/;

/**
 * Returns whether the host is public, decided without DNS. A delivery checks the resolved addresses again
 * when it connects. The URL parser has already normalised every spelling of an IPv4 address.
 */
function leadsOutside(hostname: string, allowLoopback: boolean): boolean {
  const address = hostname.replace(/^\[|\]$/g, '');
  if (isIP(address) !== 0) return isAllowedAddress(address, { allowLoopback });
  if (/(^|\.)localhost\.?$/.test(hostname)) return allowLoopback;
  return !LOCAL_NAME.test(hostname);
}
