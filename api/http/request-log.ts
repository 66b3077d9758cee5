/** Names each request, marks each answer, and writes one line of log: no header, no body, no path with a token. */
import { randomUUID } from 'node:crypto';
import type { RequestHandler } from 'express';
import type { Logger } from 'pino';
import { beginExchange } from './exchange.ts';

export const SERVICE_VERSION = '2026-01-01';

export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`;
}

export function logRequests(logger: Logger): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    const exchange = beginExchange(response, newRequestId());
    response.set({ 'x-request-id': exchange.requestId, 'Service-Version': SERVICE_VERSION });
    response.once('close', () => {
      const { requestId, scope, access, errorCode } = exchange;
      // Not who: people's ids are for the audit log.
      const whose = scope ?? access;
      logger.info(
        {
          requestId,
          method: request.method,
          // The pattern, never the path itself: the hosted page's holds the session's token.
          route: request.baseUrl + (request.route?.path ?? ''),
          status: response.statusCode,
          ...(!response.writableFinished && { aborted: true }),
          ...(errorCode && { code: errorCode }),
          ...(whose && { merchantId: whose.merchantId, environment: whose.environment }),
          ms: Math.round(performance.now() - startedAt),
        },
        'request',
      );
    });
    next();
  };
}
