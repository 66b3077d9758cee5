/**
 * GET /: the service's name, and links to its description. GET /openapi.json: the API description. GET /docs:
 * the description in Swagger UI, loaded from this origin only. Swagger UI sends requests with sandbox keys
 * only: live keys do not belong in browsers.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { RequestHandler } from 'express';
import { codeSamples } from '../../contract/openapi/code-samples.ts';
import { API_NAME, type ApiDescription, describeApi } from '../../contract/openapi/document.ts';
import type { DescribedRoute } from '../../contract/openapi/operation-object.ts';
import { type Compressed, compress, sendCompressed } from '../../page/http/compressed.ts';
import type { ApiContext } from './context.ts';
import { ApiError } from './errors.ts';
import { exchangeOf } from './exchange.ts';
import { referencePage, START, STYLE } from './reference-page.ts';
import type { Route } from './route.ts';

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const ASSETS: ReadonlySet<string> = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);
const WRITTEN: Readonly<Record<string, (description: ApiDescription) => string>> = {
  'start.js': () => START,
  'reference.css': () => STYLE,
  'samples.json': (description) => JSON.stringify(codeSamples(description)),
};
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};
const ASSET_CACHE = 'public, max-age=3600';

/** Returns the reference as static files: the page belongs beside `openapi.json`, the other files in `docs/`. */
export const referenceFiles = (description: ApiDescription) => ({
  page: referencePage({ sendsRequests: false }),
  written: Object.entries(WRITTEN).map(([name, write]) => [name, write(description)] as const),
  from: SWAGGER_UI,
  assets: [...ASSETS],
});

/** Swagger UI uses data URLs for icons. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @param routes all routes except those that this function returns */
export function apiDescriptionRoutes(
  routes: readonly Route[],
  { config }: Pick<ApiContext, 'config'>,
): readonly Route[] {
  let described: ApiDescription | undefined;
  const describe = () => (described ??= describeApi(describedOf(routes)));
  let description: Promise<Compressed> | undefined;
  const assets = new Map<string, Promise<Compressed>>();

  const { publicUrl } = config.api;
  const showName: RequestHandler = (_request, response) => {
    response.json({
      name: API_NAME,
      reference: `${publicUrl}/docs`,
      description: `${publicUrl}/openapi.json`,
      health: `${publicUrl}/healthz`,
      request_id: exchangeOf(response).requestId,
    });
  };
  const showDescription: RequestHandler = async (request, response) => {
    description ??= compress('application/json; charset=utf-8', Buffer.from(JSON.stringify(describe())));
    // A deploy may change the description.
    sendCompressed(request, response, await description, 'public, no-cache');
  };
  const showReference: RequestHandler = (_request, response) => {
    response.set({ 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' });
    response.type('html').send(referencePage({ sendsRequests: true }));
  };
  /** Redirects `/docs/` to `/docs`, because the page's relative URLs would resolve one level too deep. */
  const dropSlash: RequestHandler = (_request, response) => response.redirect(308, '../docs');
  const showAsset: RequestHandler = async (request, response) => {
    const name = String(request.params.file);
    const written = Object.hasOwn(WRITTEN, name) ? WRITTEN[name] : undefined;
    if (!written && !ASSETS.has(name)) throw new ApiError('route_not_found');
    const loading = assets.get(name) ?? loadAsset(name, written?.(describe()));
    assets.set(name, loading);
    loading.catch(() => assets.delete(name));
    sendCompressed(request, response, await loading, ASSET_CACHE);
  };

  return [
    { method: 'get', path: '/', handlers: [showName], describe: null },
    { method: 'get', path: '/openapi.json', handlers: [showDescription], describe: null },
    { method: 'get', path: '/docs', handlers: [showReference], describe: null },
    { method: 'get', path: '/docs/', handlers: [dropSlash], describe: null },
    { method: 'get', path: '/docs/:file', handlers: [showAsset], describe: null },
  ];
}

async function loadAsset(name: string, written: string | undefined): Promise<Compressed> {
  const body = written === undefined ? await readFile(join(SWAGGER_UI, name)) : Buffer.from(written);
  return compress(TYPES[extname(name)] ?? 'application/octet-stream', body);
}

/** Returns the documented routes. */
export function describedOf(routes: readonly Route[]): readonly DescribedRoute[] {
  return routes.flatMap(({ method, path, describe }) => (describe ? [{ method, path, describe }] : []));
}
