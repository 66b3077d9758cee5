/** The HTTP server: REST API, hosted page and inbound webhooks of rails. */
import { createServer, type Server } from 'node:http';
import express, { type Express, type Request, type RequestHandler } from 'express';
import { createPageRouter } from '../page/server.ts';
import { allRoutes } from './all-routes.ts';
import { answerInTime } from './http/answer-deadline.ts';
import { keysOnlyGate, type MerchantGate, refuseStrangers } from './http/authentication/merchant-gate.ts';
import { answerBrokenRequests } from './http/broken-requests.ts';
import type { ApiContext } from './http/context.ts';
import { ApiError, answerErrors } from './http/errors.ts';
import { exchangeOf } from './http/exchange.ts';
import { probes } from './http/health.ts';
import {
  DEFAULT_RATE_LIMITS,
  hasTestKey,
  limitAddresses,
  limitRailRates,
  limitRates,
  type RateLimits,
} from './http/rate-limit.ts';
import { logRequests } from './http/request-log.ts';
import type { Route } from './http/route.ts';
import { refuseRepeatedHeaders } from './http/single-headers.ts';
import { createDashboardRouter, type DashboardLogIn } from './serve-dashboard.ts';
import { isOfSandboxClient } from './session/storefront-gate.ts';

/** Requests per address. Loading the reference page takes six. */
const REFERENCE_PER_MINUTE = 120;

export interface ServerOptions {
  /** A request still incomplete after this time is answered with 408. */
  readonly requestTimeoutMs?: number;
  readonly rateLimits?: RateLimits;
  /** Number of proxies in front whose X-Forwarded-For can be trusted. */
  readonly trustedProxies?: number;
  /** How people log in to the dashboard; absent without an identity provider. */
  readonly dashboardLogIn?: DashboardLogIn;
  /** Creates the gate that authorizes requests under `/v1/merchants`. */
  readonly merchantGate?: (context: ApiContext) => MerchantGate;
}

export function createApi(context: ApiContext, options: ServerOptions = {}): Server {
  const { requestTimeoutMs = 15_000, merchantGate = keysOnlyGate } = options;
  const server = createServer(
    {
      requestTimeout: requestTimeoutMs,
      headersTimeout: requestTimeoutMs,
      connectionsCheckingInterval: Math.min(1_000, requestTimeoutMs),
      // Longer than the load balancer's keep-alive, so that the balancer closes idle connections first.
      keepAliveTimeout: 65_000,
    },
    createApp(context, merchantGate, options),
  );
  // Closes connections without traffic, such as those of readers who abandon a long list. Event streams send more often
  // than this.
  server.setTimeout(120_000);
  server.on('clientError', answerBrokenRequests(context.logger));
  return server;
}

function createApp(
  context: ApiContext,
  merchantGate: (context: ApiContext) => MerchantGate,
  options: ServerOptions,
): Express {
  const { rateLimits = DEFAULT_RATE_LIMITS, trustedProxies = 0 } = options;
  const { perPageAddress: perAddress = DEFAULT_RATE_LIMITS.perPageAddress, declines }: RateLimits =
    rateLimits;
  const app = express();
  app.set('trust proxy', trustedProxies);
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  if (context.config.api.publicUrl.startsWith('https:')) app.use(onlyOverTls);
  app.use(logRequests(context.logger), answerInTime, probes(context));
  const { pool, sandboxPool = pool } = context;
  const { readerPool = pool, sandboxReaderPool = sandboxPool } = context;
  app.use('/v1', ...limitRates(context, rateLimits));
  app.use('/rails', limitRailRates(context, rateLimits));
  app.use(['/openapi.json', '/docs'], limitAddresses(context, 'reference', REFERENCE_PER_MINUTE));
  app.use(['/invoices', '/credit-notes'], limitAddresses(context, 'invoices', perAddress));
  app.use(refuseRepeatedHeaders);
  const routers = {
    production: createRouter({ ...context, rateLimits, readerPool }, merchantGate),
    sandbox: createRouter(
      { ...context, rateLimits, pool: sandboxPool, readerPool: sandboxReaderPool },
      merchantGate,
    ),
  };
  app.use((request, response, next) => {
    const lane = isOfSandbox(request) ? 'sandbox' : 'production';
    exchangeOf(response).lane = lane;
    routers[lane](request, response, next);
  });
  app.use('/pay', createPageRouter(context, { perAddress, declines }));
  const dashboard = createDashboardRouter(context.config.api.publicUrl, options.dashboardLogIn ?? null);
  app.use('/dashboard', limitAddresses(context, 'dashboard', perAddress), dashboard);
  app.use(() => {
    throw new ApiError('route_not_found');
  });
  app.use(answerErrors(context.logger));
  return app;
}

/** Returns whether a request is for the sandbox. Decided before authentication, from this request and earlier ones. */
function isOfSandbox(request: Request): boolean {
  if (hasTestKey(request) || isOfSandboxClient(request.path)) return true;
  const { method, path, query } = request;
  return method === 'GET' && path.startsWith('/v1/merchants/') && query.environment === 'sandbox';
}

/** Creates a router for one environment: requests of the sandbox have their own pools (rule 37). */
function createRouter(
  context: ApiContext,
  merchantGate: (context: ApiContext) => MerchantGate,
): express.Router {
  const gate = merchantGate(context);
  const strangers = refuseStrangers(gate);
  const router = express.Router({ caseSensitive: true, strict: true });
  mountRoutes(router, allRoutes(context, gate), strangers);
  router.all(['/v1/merchants/:merchantId', '/v1/merchants/:merchantId/{*rest}'], strangers);
  return router;
}

function mountRoutes(app: express.Router, routes: readonly Route[], strangers: RequestHandler): void {
  for (const [path, onPath] of Map.groupBy(routes, (route) => route.path)) {
    const mounted = app.route(path).all(neverCached);
    for (const { method, handlers } of onPath) mounted[method](...handlers);
    const allow = onPath
      .map(({ method }) => (method === 'get' ? 'GET, HEAD' : method.toUpperCase()))
      .join(', ');
    if (path.includes('/:merchantId')) mounted.all(strangers);
    mounted.all(() => {
      throw new ApiError('method_not_allowed', { headers: { Allow: allow } });
    });
  }
}

/** Sets HSTS for this host only: subdomains are the operator's decision. */
const onlyOverTls: RequestHandler = (_request, response, next) => {
  response.set('Strict-Transport-Security', 'max-age=31536000');
  next();
};

const neverCached: RequestHandler = (_request, response, next) => {
  response.set({ 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' });
  next();
};
