/**
 * The API of a hosted checkout installation: `new HostedCheckout(apiKey, { baseUrl })`. Needs only `fetch` and Web
 * Crypto, so that it runs in Node.js 20.3 and newer, Deno, Bun and edge runtimes.
 */
export type { ClientOptions, KeyedOptions, RequestOptions } from './caller.ts';
export { ApiError, ConnectionError, isApiError, RequestTimeoutError } from './errors.ts';
export { HostedCheckout } from './operations.ts';
export { everyRow } from './pages.ts';
export type * from './schemas.ts';
export {
  SIGNATURE_HEADER,
  type VerificationFailure,
  type VerifyOptions,
  WebhookVerificationError,
} from './webhook-rules.ts';
export { verifyWebhook, verifyWebhookRequest } from './webhooks.ts';
