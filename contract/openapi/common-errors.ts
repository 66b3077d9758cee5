/** The errors common to a kind of operation; a route's own description does not repeat them. */
import type { ErrorCode } from '../core/errors.ts';
import type { DescribedOperation, Security } from '../core/operation.ts';
import { isClosed } from '../core/unknown-field.ts';

/** The properties of an operation that determine its common errors. */
export type Answerable = Pick<
  DescribedOperation,
  'security' | 'catalogue' | 'idempotencyKey' | 'body' | 'answers' | 'errors' | 'failureCode'
> & { readonly path: string };

const ANY_REQUEST: readonly ErrorCode[] = ['invalid_request', 'request_timeout'];

const API_KEY: readonly ErrorCode[] = [
  'service_api_key_required',
  'api_key_invalid',
  'merchant_inactive',
  'merchant_scope_mismatch',
  'dependency_unavailable',
];

/** Errors of people's access tokens. */
const PERSON: readonly ErrorCode[] = [
  'access_token_invalid',
  'access_token_expired',
  'access_token_role_missing',
];

const OF_SECURITY: Readonly<Record<Security, readonly ErrorCode[]>> = {
  apiKey: API_KEY,
  apiKeyOrPerson: [...API_KEY, ...PERSON],
  person: [...API_KEY, ...PERSON, 'administration_forbidden'],
  storefront: ['checkout_client_not_found', 'origin_not_allowed', 'api_key_not_allowed', 'merchant_inactive'],
  preflight: ['checkout_client_not_found', 'origin_not_allowed'],
  none: [],
};

const OF_KEYED: readonly ErrorCode[] = [
  'idempotency_key_invalid',
  'idempotency_key_conflict',
  'idempotency_key_in_progress',
];

/** Returns the common errors, without those that the operation lists itself. */
export function commonErrors(operation: Answerable): readonly ErrorCode[] {
  const { path, security, idempotencyKey, body, errors = [] } = operation;
  const common: readonly ErrorCode[] = [
    ...ANY_REQUEST,
    ...OF_SECURITY[security],
    ...ofScope(operation),
    ...(path.includes('/:merchantId') ? (['service_merchant_forbidden', 'merchant_not_found'] as const) : []),
    ...(hasRateLimit(path) ? (['rate_limited'] as const) : []),
    ...(idempotencyKey === 'required' ? (['idempotency_key_required'] as const) : []),
    ...(idempotencyKey ? OF_KEYED : []),
    ...(body ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(body && !body.contentType ? (['invalid_json'] as const) : []),
    ...(body && isClosed(body.schema) ? (['unknown_field'] as const) : []),
    ...ofFailure(operation),
  ];
  return [...new Set(common)].filter((code) => !errors.includes(code));
}

/**
 * Returns the errors of key scopes: every key may read the catalogue, and keys that may change it may do nothing
 * else.
 */
function ofScope({ security, catalogue, body }: Answerable): readonly ErrorCode[] {
  if (security !== 'apiKey' && security !== 'apiKeyOrPerson') return [];
  if (!catalogue) return ['api_key_scope_insufficient'];
  return body ? ['api_key_scope_insufficient', 'administration_forbidden'] : [];
}

export function hasRateLimit(path: string): boolean {
  return ['/v1/', '/rails/', '/invoices/', '/credit-notes/'].some((prefix) => path.startsWith(prefix));
}

/**
 * Returns the codes of internal failures. A storefront's route sets its own failure code first; a route with a key sets
 * it after checking the key, and so can also fail with `internal_error`.
 */
function ofFailure({ security, failureCode, answers }: Answerable): readonly ErrorCode[] {
  // The operation describes its own 503, which names the unavailable dependency.
  if (Object.hasOwn(answers, 503)) return [];
  if (!failureCode) return ['internal_error', 'dependency_unavailable'];
  return security === 'storefront' ? [failureCode] : [failureCode, 'internal_error'];
}
