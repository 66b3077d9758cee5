/** Errors of a call. Each contains the request's idempotency key: use it to repeat the call. */
import type { ErrorCode } from './schemas.ts';

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  readonly field: string | null;
  readonly reason: string | null;
  readonly limit: number | null;
  readonly total: number | null;
  readonly idempotencyKey: string | null;
}

/** The API returned an error, or failed. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  /** Stable, unlike the message: compare with the code. New codes may be added. */
  readonly code: ErrorCode | (string & {});
  /** Quote this id in support requests. */
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
  /** The path of the field that is at fault: `recurring.interval_count`. */
  readonly field: string | null;
  /** Machine-readable reason, such as `required` or `too_long`. New reasons may be added. */
  readonly reason: string | null;
  /** The smallest or largest accepted value or number of characters or entries. */
  readonly limit: number | null;
  /** In cents, with the codes that name a sum: `change_needs_period_end`, `preview_outdated`. */
  readonly total: number | null;
  readonly idempotencyKey: string | null;

  constructor(refusal: Refusal) {
    const { message, code, requestId } = refusal;
    super(requestId ? `${message} (${code}, ${requestId})` : `${message} (${code})`);
    this.status = refusal.status;
    this.code = code;
    this.requestId = requestId;
    this.retryAfterSeconds = refusal.retryAfterSeconds;
    this.field = refusal.field;
    this.reason = refusal.reason;
    this.limit = refusal.limit;
    this.total = refusal.total;
    this.idempotencyKey = refusal.idempotencyKey;
  }
}

/** No response within the time limit: the request may have taken effect. */
export class RequestTimeoutError extends Error {
  override readonly name = 'RequestTimeoutError';
  readonly idempotencyKey: string | null;

  constructor(timeoutMs: number, key: string | undefined, cause: unknown) {
    super(`No response within ${timeoutMs} ms. The request may have taken effect.`, { cause });
    this.idempotencyKey = key ?? null;
  }
}

/** The connection failed: the request may have taken effect. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly idempotencyKey: string | null;

  constructor(baseUrl: string, key: string | undefined, cause: unknown) {
    const { cause: inner, message } = cause as {
      cause?: { message?: string; code?: string };
      message?: string;
    };
    super(`${baseUrl} could not be reached: ${inner?.code ?? inner?.message ?? message}.`, { cause });
    this.idempotencyKey = key ?? null;
  }
}

/** Narrows an error to an `ApiError`, with this code if one is given. */
export function isApiError(error: unknown, code?: ErrorCode): error is ApiError {
  return error instanceof ApiError && (code === undefined || error.code === code);
}
