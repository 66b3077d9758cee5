import { canonicalEndpointUrl } from '../../../contract/webhook-endpoints.ts';
import type { ApiContext } from '../../context.ts';
import { ApiError } from '../../errors.ts';

/** @throws ApiError 400 when webhooks cannot be sent there */
export function endpointUrl(text: string, { config }: ApiContext): string {
  const url = canonicalEndpointUrl(text, config.webhooks.allowLoopback);
  if (url !== null) return url;
  const message = 'url must be an https URL of at most 500 characters, without credentials and fragment.';
  throw new ApiError('invalid_request', { message });
}
