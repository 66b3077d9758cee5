/** Builds one operation of the API description from its route. */
import { z } from 'zod';
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi';
import { EXAMPLE_REQUEST_ID } from '../core/answers.ts';
import { UNIQUE } from '../core/examples.ts';
import type { AnswerDescription, DescribedOperation, Security } from '../core/operation.ts';
import { PATH_IDS } from '../core/path-ids.ts';
import { hasRateLimit } from './common-errors.ts';
import { errorAnswers } from './error-answers.ts';
import {
  everyAnswer,
  idempotencyKeyParameter,
  idempotencyReplayed,
  originParameter,
  rateLimit,
  serviceVersionParameter,
} from './headers.ts';
import { withExamples } from './parameter-examples.ts';

export interface DescribedRoute {
  readonly method: 'get' | 'post' | 'patch' | 'delete' | 'options';
  /** The path, with `:name` for a parameter. */
  readonly path: string;
  readonly describe: DescribedOperation;
}

export const SECURITY: Readonly<Record<Security, readonly Record<string, []>[]>> = {
  apiKey: [{ apiKey: [] }],
  apiKeyOrPerson: [{ person: [] }, { apiKey: [] }],
  person: [{ person: [] }],
  storefront: [],
  preflight: [],
  none: [],
};

/** @throws Error for a path parameter without a description */
export function operationObject({ path, describe }: DescribedRoute): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, body, answers } = describe;
  return {
    operationId,
    tags: [tag],
    summary,
    description,
    security: [...SECURITY[describe.security]],
    requestParams: {
      path: pathParameters(path, describe),
      ...(describe.query && { query: withExamples(describe.query) }),
      header: requestHeaders(path, describe),
    },
    ...(body && {
      requestBody: {
        required: body.required,
        content: { [body.contentType ?? 'application/json']: { schema: body.schema, example: body.example } },
      },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(answers).map(([status, answer]) => [status, answerObject(path, describe, answer)]),
      ),
      ...errorAnswers({ ...describe, path }),
    },
  };
}

/** Describes a path's ids by the collections before them, and its other parameters by `describe.path`. */
export function pathParameters(path: string, { path: described }: DescribedOperation): z.ZodObject {
  const segments = path.split('/');
  const named = segments.flatMap((segment, at) =>
    segment.startsWith(':') ? [[segment.slice(1), segments[at - 1] ?? ''] as const] : [],
  );
  return z.object(
    Object.fromEntries(named.map(([name, collection]) => [name, described?.shape[name] ?? idOf(collection)])),
  );
}

function idOf(collection: string): z.ZodType {
  const [prefix] = PATH_IDS[collection] ?? [];
  if (!prefix) throw new Error(`a path names an id of ${collection}, which is not in PATH_IDS`);
  return z.string().meta({ example: prefix + UNIQUE });
}

function requestHeaders(path: string, { headers, idempotencyKey, security }: DescribedOperation) {
  return z.object({
    ...((security === 'storefront' || security === 'preflight') && { Origin: originParameter }),
    ...(idempotencyKey === 'required' && { 'Idempotency-Key': idempotencyKeyParameter }),
    ...(idempotencyKey === 'optional' && { 'Idempotency-Key': idempotencyKeyParameter.optional() }),
    ...headers?.shape,
    ...(path.startsWith('/v1/') && { 'Service-Version': serviceVersionParameter }),
  });
}

function answerObject(
  path: string,
  { idempotencyKey }: DescribedOperation,
  { description, schema, example, contentType = 'application/json', headers, links }: AnswerDescription,
): ZodOpenApiResponseObject {
  return {
    description,
    headers: z.object({
      ...everyAnswer,
      ...(hasRateLimit(path) && rateLimit),
      ...(idempotencyKey && { 'Idempotency-Replayed': idempotencyReplayed }),
      ...headers?.shape,
    }),
    ...(schema && { content: { [contentType]: { schema, ...exampleOf(contentType, example) } } }),
    ...(links && { links: Object.fromEntries(links.map((link) => [link.operationId, { ...link }])) }),
  };
}

/** Every JSON response has the request's id beside its fields. */
function exampleOf(contentType: string, example: unknown) {
  if (example === undefined) return {};
  if (contentType !== 'application/json') return { example };
  return { example: { ...(example as object), request_id: EXAMPLE_REQUEST_ID } };
}
