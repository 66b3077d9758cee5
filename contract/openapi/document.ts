/** The API description: OpenAPI 3.1 of every route, built from the schemas that validate requests. */
import { createDocument, type ZodOpenApiOverride, type ZodOpenApiPathsObject } from 'zod-openapi';
import { type DescribedOperation, TAGS } from '../core/operation.ts';
import { clientMethod, collectionsOf } from './client-method.ts';
import { codesByStatus, errorExamples } from './error-answers.ts';
import { INTRODUCTION } from './introduction.ts';
import { type DescribedRoute, operationObject, SECURITY } from './operation-object.ts';
import { webhooks } from './webhooks.ts';

export const API_NAME = 'Hosted checkout and billing';
export type ApiDescription = ReturnType<typeof createDocument>;

/** @throws Error for a duplicate operation id, or a path parameter without a description */
export function describeApi(routes: readonly DescribedRoute[]): ApiDescription {
  refuseEqualIds(routes);
  const codes = routes.flatMap(({ path, describe }) =>
    [...codesByStatus({ ...describe, path }).values()].flat(),
  );
  return createDocument(
    {
      openapi: '3.1.0',
      info: {
        title: API_NAME,
        version: '2026-01-01',
        description: INTRODUCTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      servers: [{ url: '/', description: 'This installation.' }],
      tags: [
        ...Object.entries(TAGS).map(([name, description]) => ({ name, description })),
        { name: 'Events', description: 'Events that the service sends to your webhook endpoints.' },
      ],
      paths: pathsOf(routes),
      webhooks: webhooks(),
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description:
              'A merchant’s API key: `Authorization: Bearer ap_test_…`. It determines merchant and environment.',
          },
          person: {
            type: 'http',
            scheme: 'bearer',
            bearerFormat: 'JWT',
            description:
              'An access token from the identity provider; its claims name the merchants and the role.',
          },
        },
        examples: errorExamples(codes),
      },
    },
    { override: published },
  );
}

/**
 * Adapts zod's output for publication. Its date pattern spells out the days of each month; `format` is enough, and
 * responses and events are always in UTC with milliseconds. Objects in responses and events stay open, because fields
 * may be added (docs/contract.md) and a client generated from closed objects would fail on the first new one; the tests
 * close them again. Patterns match the whole text: Python clients of OpenAPI Generator match them from the start.
 */
const published: ZodOpenApiOverride = ({ jsonSchema, io }) => {
  const inUtc = io === 'output' || jsonSchema.pattern?.endsWith('\\.\\d{3}(?:Z))$');
  if (inUtc && jsonSchema.format === 'date-time') jsonSchema.pattern = '^.+\\.\\d{3}Z$';
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
};

function pathsOf(routes: readonly DescribedRoute[]): ZodOpenApiPathsObject {
  const collections = collectionsOf(
    routes.map(({ path, describe }) => ({ path: pathTemplate(path), operationId: describe.operationId })),
  );
  const methodOf = ({ path, describe }: DescribedRoute) =>
    isInClients(path, describe) && {
      'x-client-method': clientMethod(pathTemplate(path), describe.operationId, collections),
    };
  const byPath = Map.groupBy(routes, ({ path }) => pathTemplate(path));
  return Object.fromEntries(
    [...byPath].map(([path, onPath]) => [
      path,
      Object.fromEntries(
        onPath.map((route) => [route.method, { ...operationObject(route), ...methodOf(route) }]),
      ),
    ]),
  );
}

/** Excludes routes of browsers and processors. */
function isInClients(path: string, { security }: DescribedOperation): boolean {
  return path === '/healthz' || (path.startsWith('/v1/') && SECURITY[security].length > 0);
}

/** Converts `/v1/refunds/:id` to OpenAPI's form, `/v1/refunds/{id}`. */
function pathTemplate(path: string): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

function refuseEqualIds(routes: readonly DescribedRoute[]): void {
  const byId = Map.groupBy(routes, ({ describe }) => describe.operationId);
  const twice = [...byId].filter(([, same]) => same.length > 1).map(([id]) => id);
  if (twice.length > 0) throw new Error(`duplicate operation ids: ${twice.join(', ')}`);
}
