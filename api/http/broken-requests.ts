/** Answers requests that Node could not parse or that timed out: they never reach a route. */
import type { Socket } from 'node:net';
import type { Logger } from 'pino';
import { ERRORS, type ErrorCode } from '../../contract/core/errors.ts';
import { newRequestId } from './request-log.ts';
import { SERVICE_VERSION } from './service-version.ts';

const REASON: Readonly<Record<number, string>> = { 400: 'Bad Request', 408: 'Request Timeout' };

export function answerBrokenRequests(logger: Logger) {
  return (error: Error, socket: Socket): void => {
    const { code: cause } = error as NodeJS.ErrnoException;
    if (cause === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const code: ErrorCode = cause === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'request_timeout' : 'invalid_request';
    const requestId = newRequestId();
    logger.info({ requestId, code, cause }, 'unreadable request');
    socket.end(rawAnswer(code, requestId));
  };
}

function rawAnswer(code: ErrorCode, requestId: string): string {
  const { status, message } = ERRORS[code];
  const body = JSON.stringify({ code, message, request_id: requestId });
  return [
    `HTTP/1.1 ${status} ${REASON[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `Service-Version: ${SERVICE_VERSION}`,
    `x-request-id: ${requestId}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
