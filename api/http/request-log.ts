/**
 * Assigns the request id, sets the headers of every response, and writes one log line: no header, no body, no
 * path with a token.
 */
import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import { recordRequest } from '../../platform/observability/requests.ts';
import { traceRequest } from '../../platform/observability/traced-request.ts';
import { beginExchange } from './exchange.ts';
import { SERVICE_VERSION } from './service-version.ts';

/** Any caller can provoke these responses (401, 405, 429) on every route, so they are not counted per route. */
const NAMED_BY_STRANGERS: ReadonlySet<number> = new Set([401, 405, 429]);

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

export function logRequests(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const exchange = beginExchange(response, newRequestId());
    response.set({ 'x-request-id': exchange.requestId, 'Service-Version': SERVICE_VERSION });
    const traced = traceRequest(request.method, exchange.requestId);
    const closed = () => {
      const { requestId, scope, access, errorCode } = exchange;
      // Log the merchant but not the person: people's ids belong in the audit log only.
      const whose = scope ?? access;
      // Log the route's pattern, not the path: the hosted page's path contains the session's token.
      const route = request.baseUrl + (request.route?.path ?? '');
      const ms = performance.now() - startedAt;
      const isAborted = !response.writableFinished;
      if (!isEventStream(response))
        recordRequest({
          method: request.method,
          route: NAMED_BY_STRANGERS.has(response.statusCode) ? '' : route,
          status: response.statusCode,
          errorCode,
          seconds: ms / 1_000,
          isAborted,
        });
      logger.info(
        {
          requestId,
          method: request.method,
          route,
          status: response.statusCode,
          ...(isAborted && { aborted: true }),
          ...(errorCode && { code: errorCode }),
          ...(whose && { merchantId: whose.merchantId, environment: whose.environment }),
          ms: Math.round(ms),
        },
        'request',
      );
      const flowId = response.get('x-service-flow-id');
      traced?.end({ route, status: response.statusCode, flowId });
    };
    const within = (work: () => void) => (traced ? traced.run(work) : work());
    response.once('close', () => within(closed));
    within(next);
  };
}

/** Returns true for an event stream, whose duration is not logged: it lasts as long as its page is open. */
export function isEventStream(response: Pick<Response, 'getHeader'>): boolean {
  return String(response.getHeader('content-type')).startsWith('text/event-stream');
}
