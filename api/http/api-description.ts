/**
 * GET /: the service's name, and links to its description. GET /openapi.json: the API description. GET /docs: the
 * description in Swagger UI, loaded from this origin alone. Swagger UI sends no requests: API keys do not belong in
 * browsers.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import type { RequestHandler } from 'express';
import { API_NAME, describeApi } from '../../contract/openapi/document.ts';
import type { DescribedRoute } from '../../contract/openapi/operation-object.ts';
import { type Compressed, compress, sendCompressed } from '../../page/http/compressed.ts';
import type { ApiContext } from './context.ts';
import { ApiError } from './errors.ts';
import { exchangeOf } from './exchange.ts';
import type { Route } from './route.ts';

const SWAGGER_UI = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const ASSETS: ReadonlySet<string> = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};
const ASSET_CACHE = 'public, max-age=3600';

/** Returns the reference as static files: the page beside `openapi.json`, the others in `docs/`. */
export const referenceFiles = () => ({ page: PAGE, start: START, from: SWAGGER_UI, assets: [...ASSETS] });

/** Colours of Swagger UI's light mode that are too pale to read (WCAG 1.4.3). */
const STYLE = `
html:not(.dark-mode) .swagger-ui .opblock:not(.opblock-options) .opblock-summary-method { color: #000; text-shadow: none }
html:not(.dark-mode) .swagger-ui .info .title small pre { color: #000 }
html:not(.dark-mode) .swagger-ui .info a { color: #1f5fbf }
html:not(.dark-mode) .swagger-ui :is(.parameter__in, .header-example) { color: #595959 }
html:not(.dark-mode) .swagger-ui .json-schema-2020-12-expand-deep-button { color: #595959 }
`;

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${API_NAME}: API reference</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>${STYLE}</style>
</head>
<body>
<noscript>The same as JSON: <a href="openapi.json">openapi.json</a></noscript>
<main id="reference"></main>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Dark mode follows the system, or the documentation site's own switch (VitePress's key). */
const START = `const systemIsDark = matchMedia('(prefers-color-scheme: dark)');
const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto';
const paint = () =>
  document.documentElement.classList.toggle('dark-mode', chosen === 'auto' ? systemIsDark.matches : chosen === 'dark');
systemIsDark.addEventListener('change', paint);
paint();
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'list',
  filter: true,
  supportedSubmitMethods: [],
  validatorUrl: null,
  plugins: [() => ({ wrapComponents: { authorizeBtn: () => () => null } })],
});
`;

/** Swagger UI styles its elements inline and uses data URLs for icons. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** @param routes all routes other than these */
export function apiDescriptionRoutes(
  routes: readonly Route[],
  { config }: Pick<ApiContext, 'config'>,
): readonly Route[] {
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
    description ??= compress(
      'application/json; charset=utf-8',
      Buffer.from(JSON.stringify(describeApi(describedOf(routes)))),
    );
    // A deploy may change the description.
    sendCompressed(request, response, await description, 'public, no-cache');
  };
  const showReference: RequestHandler = (_request, response) => {
    response.set({ 'Content-Security-Policy': POLICY, 'Referrer-Policy': 'no-referrer' });
    response.type('html').send(PAGE);
  };
  /** Redirects `/docs/` to `/docs`: the addresses in the page are relative and would be one level off. */
  const dropSlash: RequestHandler = (_request, response) => response.redirect(308, '../docs');
  const showAsset: RequestHandler = async (request, response) => {
    const name = String(request.params.file);
    if (name !== 'start.js' && !ASSETS.has(name)) throw new ApiError('route_not_found');
    const loading = assets.get(name) ?? loadAsset(name);
    assets.set(name, loading);
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

async function loadAsset(name: string): Promise<Compressed> {
  const body = name === 'start.js' ? Buffer.from(START) : await readFile(join(SWAGGER_UI, name));
  return compress(TYPES[extname(name)] ?? 'application/octet-stream', body);
}

/** Returns the documented routes. */
export function describedOf(routes: readonly Route[]): readonly DescribedRoute[] {
  return routes.flatMap(({ method, path, describe }) => (describe ? [{ method, path, describe }] : []));
}
