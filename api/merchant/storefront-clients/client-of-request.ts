/** Shared by the routes of storefront clients. */
import { canonicalOrigin } from '../../../contract/merchant/storefront-clients.ts';
import type { ApiContext } from '../../http/context.ts';
import { invalidRequest } from '../../http/errors.ts';

/**
 * Deduplicates the origins and converts them to canonical form.
 *
 * @throws ApiError 400, whose message names the first invalid origin
 */
export function canonicalOrigins(origins: readonly string[], { config }: ApiContext): string[] {
  const canonical = origins.map((text, index) => {
    const origin = canonicalOrigin(text, config.webhooks.allowLoopback);
    if (origin !== null) return origin;
    const message = `origins.${index} must consist of https, a host and optionally a port.`;
    throw invalidRequest(message, { field: `origins.${index}`, reason: 'format' });
  });
  return [...new Set(canonical)];
}
