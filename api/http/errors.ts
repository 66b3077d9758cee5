/** The only place that turns an error into a response: the body of `contract/core/errors.ts`. */
import type { ErrorRequestHandler, Response } from 'express';
import type { Logger } from 'pino';
import {
  ERRORS,
  type ErrorBody,
  type ErrorCode,
  NOT_READY_FOR_PAYMENTS,
} from '../../contract/core/errors.ts';
import type { Fault } from '../../contract/core/faults.ts';
import type { ErrorDefinition } from '../../contract/core/field-errors.ts';
import { isMoneyHeld } from '../../db/core/money-held.ts';
import { isDatabaseUnavailable } from '../../db/core/unavailable.ts';
import { grpcCodeOf } from '../../platform/temporal/grpc-code.ts';
import { exchangeOf } from './exchange.ts';

/** Sent while a dependency is unavailable. */
const RETRY_AFTER_SECONDS = 1;
/** A comparison with the rail takes a minute or more. */
const RETRY_AFTER_COMPARISON_SECONDS = 60;
/**
 * gRPC codes answered as 503: CANCELLED, UNKNOWN, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, FAILED_PRECONDITION, ABORTED,
 * INTERNAL, UNAVAILABLE, DATA_LOSS. Temporal rejects an update while its run's tasks fail (FAILED_PRECONDITION), aborts
 * an update whose workflow closes, and a broken connection is INTERNAL or UNKNOWN. A retry under the same key is safe
 * in each case.
 */
const GRPC_UNAVAILABLE = new Set([1, 2, 4, 8, 9, 10, 13, 14, 15]);

export interface ApiErrorOptions {
  /** Replaces the code's default message. Never the text of an internal error. */
  readonly message?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Replaces the fault of the code's definition. */
  readonly fault?: Fault | null;
  /** The amount in cents; null if unknown. Only for codes whose body has a `total`. */
  readonly total?: number | null;
  /** True if the operation has had no effect and never will: a retry with the same key is a new operation. */
  readonly endsOperation?: boolean;
}

/** An error response: routes throw it to respond with a code. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly endsOperation: boolean;
  readonly body: Omit<ErrorBody, 'request_id'>;

  constructor(
    code: ErrorCode,
    { message, status, headers = {}, endsOperation = false, fault, total }: ApiErrorOptions = {},
  ) {
    const definition: ErrorDefinition = ERRORS[code];
    super(message ?? definition.message);
    this.code = code;
    this.status = status ?? definition.status;
    this.headers = headers;
    this.endsOperation = endsOperation;
    this.body = {
      code,
      message: this.message,
      ...(fault ?? definition.fault),
      ...(total !== undefined && { total }),
    };
  }
}

/** @param fault null if the request as a whole is at fault, not its fields */
export function invalidRequest(message: string, fault: Fault | null, endsOperation = false): ApiError {
  return new ApiError('invalid_request', { message, fault, endsOperation });
}

export function answerErrors(logger: Logger): ErrorRequestHandler {
  return (error: unknown, _request, response, _next) => {
    // Either the deadline's response has already been sent, or the client has disconnected.
    if (response.writableEnded || isReaderGone(error)) return;
    const { requestId, failureCode } = exchangeOf(response);
    const answer = toApiError(error, failureCode);
    if (answer.status >= 500 && !(error instanceof ApiError)) {
      logger.error({ requestId, code: answer.code, err: error }, 'request failed');
    }
    if (response.headersSent) {
      // Part of the body is sent: abort the connection so that the client sees a failure.
      response.destroy();
      return;
    }
    sendError(response, answer);
  };
}

export function sendError(response: Response, { code, status, headers, body }: ApiError): void {
  const exchange = exchangeOf(response);
  exchange.errorCode = code;
  response
    .status(status)
    .set(headers)
    .json({ ...body, request_id: exchange.requestId });
}

/** @param failureCode the code of an internal failure on the two routes that create sessions */
function toApiError(error: unknown, failureCode?: ErrorCode): ApiError {
  if (error instanceof ApiError) return error;
  if (isMoneyHeld(error) || error instanceof RefusedTooEarly) return notReady(failureCode);
  if (isDependencyUnavailable(error)) return serviceUnavailable(failureCode);
  const refusal = refusalOfExpress(error);
  if (refusal) return new ApiError(refusal);
  return new ApiError(failureCode ?? 'internal_error');
}

export function serviceUnavailable(failureCode: ErrorCode = 'dependency_unavailable'): ApiError {
  return new ApiError(failureCode, { status: 503, headers: { 'Retry-After': `${RETRY_AFTER_SECONDS}` } });
}

/** Thrown while no money may move, because the row that the request needs may still be missing (rule 29). */
export class RefusedTooEarly extends Error {
  constructor(code: ErrorCode) {
    super(`refused with ${code} while no money may move`);
  }
}

function notReady(failureCode: ErrorCode = 'dependency_unavailable'): ApiError {
  return new ApiError(failureCode, {
    message: NOT_READY_FOR_PAYMENTS,
    status: 503,
    headers: { 'Retry-After': `${RETRY_AFTER_COMPARISON_SECONDS}` },
  });
}

function isDependencyUnavailable(error: unknown): boolean {
  return isDatabaseUnavailable(error) || isTemporalUnavailable(error);
}

function isTemporalUnavailable(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code !== undefined && GRPC_UNAVAILABLE.has(code);
}

/** Returns the code for an error of Express or its parsers, such as invalid percent-encoding in the path. */
function refusalOfExpress(error: unknown): ErrorCode | undefined {
  const { status, type } = error as { status?: unknown; type?: unknown };
  if (type === 'entity.too.large') return 'payload_too_large';
  if (status === 415) return 'unsupported_media_type';
  return typeof status === 'number' && status >= 400 && status < 500 ? 'invalid_request' : undefined;
}

/** Codes of a lost connection, before and while a list is sent. */
const GONE: ReadonlySet<unknown> = new Set(['ERR_STREAM_PREMATURE_CLOSE', 'ERR_STREAM_UNABLE_TO_PIPE']);

/** Returns whether the client closed the connection before the response or its own request was complete. */
function isReaderGone(error: unknown): boolean {
  const { code, type } = error as { code?: unknown; type?: unknown };
  return GONE.has(code) || type === 'request.aborted';
}
