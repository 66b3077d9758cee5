/** The dashboard under `/dashboard`: static files, compressed once, and its initial settings. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import express, { type RequestHandler, type Response, type Router } from 'express';
import { type DashboardBuild, dashboardDocument, ensureDashboard, OUTPUT } from '../dashboard/build.ts';
import { type Compressed, compress, sendCompressed } from '../page/http/compressed.ts';
import { ApiError } from './http/errors.ts';

/**
 * How often the sources are checked. A check reads and hashes some 150 files, which takes 25 to 50 ms of CPU time.
 */
const CHECK_EVERY_MS = 3_000;
/** True in container images, which contain a prebuilt dashboard. */
const SOURCES_ARE_FIXED = process.env.NODE_ENV === 'production';

/** How people log in; null if the installation has no identity provider. */
export interface DashboardLogIn {
  readonly issuer: string;
  readonly audience: string;
  readonly clientId: string;
  readonly scope: string;
}

interface Files {
  readonly sources: string;
  readonly document: string;
  readonly assets: ReadonlyMap<string, Compressed>;
}

/** How the sources are checked for changes, and the clock that limits the checks. */
export interface BuildCheck {
  readonly ensure: () => Promise<DashboardBuild>;
  readonly now: () => number;
}
const BY_THE_CLOCK: BuildCheck = { ensure: ensureDashboard, now: () => performance.now() };

/** @param publicUrl the service's URL as browsers see it */
export function createDashboardRouter(
  publicUrl: string,
  logIn: DashboardLogIn | null,
  { ensure, now }: BuildCheck = BY_THE_CLOCK,
): Router {
  const apiUrl = new URL(publicUrl).pathname.replace(/\/$/, '');
  const base = `${apiUrl}/dashboard`;
  let loaded: Promise<Files> | undefined;
  let checkedAt = 0;
  /** Returns the current files: in a development checkout, changed sources are rebuilt and served within seconds. */
  const current = (): Promise<Files> => {
    const isFresh = SOURCES_ARE_FIXED || now() - checkedAt < CHECK_EVERY_MS;
    if (loaded && isFresh) return loaded;
    checkedAt = now();
    const loading = load(base, { apiUrl, logIn }, ensure, loaded);
    loading.catch(() => {
      if (loaded === loading) loaded = undefined;
    });
    loaded = loading;
    return loading;
  };

  const showConfig: RequestHandler = (_request, response) => {
    response.set('Cache-Control', 'no-store').json({ apiUrl, logIn });
  };
  const showAsset: RequestHandler = async (request, response) => {
    const file = (await (loaded ?? current())).assets.get(String(request.params.file));
    if (!file) throw new ApiError('route_not_found', { headers: { 'Cache-Control': 'no-store' } });
    // The file name contains a content hash.
    sendCompressed(request, response, file, 'public, max-age=31536000, immutable');
  };
  const showDocument: RequestHandler = async (_request, response) => {
    setPolicy(response, publicUrl, logIn);
    response.type('html').send((await current()).document);
  };

  const router = express.Router({ caseSensitive: true });
  router.get('/config.json', showConfig);
  router.get('/assets/:file', showAsset);
  router.get('/{*page}', showDocument);
  return router;
}

async function load(
  base: string,
  config: object,
  ensure: BuildCheck['ensure'],
  before: Promise<Files> | undefined,
): Promise<Files> {
  const [built, known] = await Promise.all([ensure(), before]);
  return known?.sources === built.sources ? known : loadFiles(base, config, built);
}

async function loadFiles(base: string, config: object, built: DashboardBuild): Promise<Files> {
  const assets = new Map<string, Compressed>();
  for (const name of built.files) {
    const body = await readFile(join(OUTPUT, 'assets', name));
    const type = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
    assets.set(name, await compress(type, body));
  }
  return { sources: built.sources, document: dashboardDocument(base, built, config), assets };
}

/**
 * Lets the browser call the identity provider for tokens, and frame it to renew them if it issues no refresh token. The
 * API's origin is listed besides `'self'` for a separately deployed dashboard, which frames the preview of the hosted
 * page.
 */
function setPolicy(response: Response, publicUrl: string, logIn: DashboardLogIn | null): void {
  const provider = logIn ? ` ${new URL(logIn.issuer).origin}` : '';
  response.set({
    'Content-Security-Policy': [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data: https:",
      `connect-src 'self'${provider}`,
      `frame-src 'self' ${new URL(publicUrl).origin}${provider}`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'self'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cache-Control': 'no-store',
    'X-Robots-Tag': 'noindex, nofollow',
  });
}
