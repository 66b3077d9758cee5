import { canonicalEndpointUrl } from '../../../contract/webhook/webhook-endpoints.ts';
import type { ApiContext } from '../../http/context.ts';
import { ApiError } from '../../http/errors.ts';

/** @throws ApiError 400 if webhooks cannot be sent there */
export function endpointUrl(text: string, { config }: ApiContext): string {
  const { allowLoopback } = config.webhooks;
  const url = canonicalEndpointUrl(text, allowLoopback);
  if (url !== null) return url;
  const what = allowLoopback ? 'an https URL, or an http URL of this machine,' : 'an https URL';
  const message = `url must be ${what} of at most 500 characters, without credentials or fragment.`;
  throw new ApiError('invalid_request', { message });
}
