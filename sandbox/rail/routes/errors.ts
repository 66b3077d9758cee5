/** Turns errors into responses: `{ code, message }`, without any part of the request. */
import type { ErrorRequestHandler, RequestHandler } from 'express';
import type { Logger } from 'pino';
import { ZodError } from 'zod';
import { Refusal } from '../core/refusal.ts';
import { LOCK_NOT_AVAILABLE, UNTRANSLATABLE } from '../db/pool.ts';

export const routeNotFound: RequestHandler = () => {
  throw new Refusal(404, 'route_not_found', 'route not found');
};

export function errorAnswers(log: Logger): ErrorRequestHandler {
  return (error, request, response, _next) => {
    const refusal = asRefusal(error);
    if (refusal.status === 500) log.error({ err: error, path: request.path }, 'call failed');
    if (response.headersSent) response.socket?.destroy();
    else response.status(refusal.status).json({ code: refusal.code, message: refusal.message });
  };
}

/** The response to the caller. */
export function asRefusal(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof ZodError) return new Refusal(400, 'invalid_request', wordsOf(error));
  if (isOfPostgres(error, UNTRANSLATABLE))
    return new Refusal(400, 'invalid_request', 'the request contains a NUL character');
  if (isOfPostgres(error, LOCK_NOT_AVAILABLE))
    return new Refusal(409, 'lock_timeout', 'another call is in progress, retry');
  const status = statusOfBodyParser(error);
  if (status) return new Refusal(status, 'invalid_request', 'the body is malformed');
  return new Refusal(500, 'internal_error', 'internal error');
}

/** The fields' names and issue codes; never their values. */
function wordsOf({ issues }: ZodError): string {
  return issues.map(({ path, code }) => `${path.join('.') || 'body'}: ${code}`).join('; ');
}

function isOfPostgres(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}

function statusOfBodyParser(error: unknown): number | null {
  const status = error instanceof Error && 'status' in error ? error.status : null;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : null;
}
