/** Shared by the routes of storefront clients. */
import { z } from 'zod';
import { canonicalOrigin } from '../../../contract/merchant/storefront-clients.ts';
import { ENVIRONMENTS } from '../../../domain/core/environment.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';

export const CLIENTS = '/v1/merchants/:merchantId/storefront-clients';
export const CLIENT = `${CLIENTS}/:clientId`;
export const CLIENT_PREFIX = 'ap_pcl_';

export const clientsQuery = z.object({
  environment: z.enum(ENVIRONMENTS).optional().meta({ description: 'If absent, both; for a key, its own.' }),
});

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
    throw new ApiError('invalid_request', { message });
  });
  return [...new Set(canonical)];
}
