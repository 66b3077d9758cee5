/** An operation's errors by status: the codes, and an example of each. */
import { z } from 'zod';
import type { ZodOpenApiExampleObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { EXAMPLE_REQUEST_ID, requestId } from '../core/answers.ts';
import { ERRORS, type ErrorCode, errorBody, TOTALS } from '../core/errors.ts';
import { faultFields } from '../core/faults.ts';
import type { ErrorDefinition } from '../core/field-errors.ts';
import { type Answerable, commonErrors } from './common-errors.ts';
import { everyAnswer, idempotencyReplayed, rateLimit, retryAfter, wwwAuthenticate } from './headers.ts';

const NAMES: Readonly<Record<number, string>> = {
  400: 'The request is not valid: correct it before retrying.',
  401: 'The key or token is missing or not valid.',
  403: 'Not allowed.',
  404: 'Not found, or not this merchant’s.',
  408: 'The request did not arrive in time.',
  409: 'Conflict with the current state or with another request.',
  413: 'The body is too large.',
  415: 'The body is not JSON in UTF-8.',
  422: 'The request contradicts the catalogue or its own terms.',
  429: 'Too many requests.',
  500: 'Internal error.',
  501: 'The card processor does not support this.',
  503: 'Temporarily unavailable.',
};

/**
 * `code` is a string, not an enum: codes may be added (docs/contract.md), and a client generated from a closed list
 * would fail on the first new one. Each response lists its codes in its description and in `x-error-codes`.
 */
const error = z
  .object({
    code: z.string().meta({
      description: 'Machine-readable error code. New codes may be added.',
      example: 'invalid_request',
    }),
    message: z.string().meta({ description: 'Human-readable description. May change at any time.' }),
    ...faultFields,
    request_id: requestId,
    total: errorBody.shape.total,
  })
  .meta({ id: 'Error' });

/** Returns an operation's codes by status: its own, and those common to its kind. */
export function codesByStatus(operation: Answerable): ReadonlyMap<number, readonly ErrorCode[]> {
  const codes = [...(operation.errors ?? []), ...commonErrors(operation)];
  const pairs = codes.flatMap((code) => statusesOf(code).map((status) => ({ status, code })));
  const answered = pairs.filter(({ status }) => !Object.hasOwn(operation.answers, status));
  const groups = Map.groupBy(answered, ({ status }) => status);
  return new Map(
    [...groups].sort(([a], [b]) => a - b).map(([status, group]) => [status, group.map(({ code }) => code)]),
  );
}

/** Returns a code's statuses: `checkout_failed` is 503 if a dependency is down, 500 otherwise. */
function statusesOf(code: ErrorCode): readonly number[] {
  return code === 'checkout_failed' ? [500, 503] : [ERRORS[code].status];
}

export function errorAnswers(operation: Answerable): Record<`${4 | 5}${string}`, ZodOpenApiResponseObject> {
  const answers = [...codesByStatus(operation)].map(([status, codes]) => [
    String(status),
    errorAnswer(operation, status, codes),
  ]);
  return Object.fromEntries(answers);
}

/** Names of responses, by their codes. These are the same in every operation, so each is written only once. */
const NAMED: Readonly<Record<string, string>> = {
  'service_api_key_required,api_key_invalid': 'Unauthorized',
  request_timeout: 'RequestTimeout',
  payload_too_large: 'PayloadTooLarge',
  unsupported_media_type: 'UnsupportedMediaType',
  rate_limited: 'RateLimited',
  internal_error: 'InternalError',
  dependency_unavailable: 'DependencyUnavailable',
};
const named = new Map<string, ZodOpenApiResponseObject>();

function errorAnswer(
  operation: Answerable,
  status: number,
  codes: readonly ErrorCode[],
): ZodOpenApiResponseObject {
  const key = codes.join();
  const id = NAMED[key];
  if (!id) return newErrorAnswer(operation, status, codes);
  const answer = named.get(id) ?? { id, ...newErrorAnswer(operation, status, codes) };
  named.set(id, answer);
  return answer;
}

function newErrorAnswer(
  { idempotencyKey }: Answerable,
  status: number,
  codes: readonly ErrorCode[],
): ZodOpenApiResponseObject {
  const waits = status === 429 || status === 503 || codes.includes('idempotency_key_in_progress');
  const pinned = idempotencyKey && [400, 404, 409, 422, 501].includes(status);
  return {
    'x-error-codes': codes,
    description: [NAMES[status], '', ...codes.map((code) => `- \`${code}\`: ${ERRORS[code].message}`)].join(
      '\n',
    ),
    headers: z.object({
      ...everyAnswer,
      ...(status === 429 && rateLimit),
      ...(status === 401 && { 'WWW-Authenticate': wwwAuthenticate }),
      ...(waits && { 'Retry-After': retryAfter }),
      ...(pinned && { 'Idempotency-Replayed': idempotencyReplayed }),
    }),
    content: {
      'application/json': {
        schema: error,
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

/** Returns one example per code, for responses to reference. */
export function errorExamples(codes: Iterable<ErrorCode>): Record<string, ZodOpenApiExampleObject> {
  const examples = [...new Set(codes)].sort().map((code) => [
    code,
    {
      value: {
        code,
        message: ERRORS[code].message,
        ...(ERRORS[code] as ErrorDefinition).fault,
        request_id: EXAMPLE_REQUEST_ID,
        ...(code in TOTALS && { total: TOTALS[code] }),
      },
    },
  ]);
  return Object.fromEntries(examples);
}
