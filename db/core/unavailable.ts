/** Distinguishes an unavailable PostgreSQL from an error of the statement. */
import {
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
} from 'slonik';

const LOST = [
  BackendTerminatedError,
  BackendTerminatedUnexpectedlyError,
  ConnectionError,
  IdleTransactionTimeoutError,
  StatementCancelledError,
  StatementTimeoutError,
];
/** SQLSTATE classes: connection exception, insufficient resources, operator intervention. */
const SQL_STATE = /^(08|53|57)[0-9A-Z]{3}$/;
const SOCKET = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/** Messages of errors without an SQLSTATE: connection lost, connect time-out, `primaryOnly`. */
const WORDS =
  /connection terminated|connection timeout|timeout expired|timeout exceeded|not queryable|released connection|is in recovery/i;

export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (LOST.some((kind) => error instanceof kind)) return true;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && (SOCKET.has(code) || SQL_STATE.test(code))) return true;
  return WORDS.test(error.message) || isDatabaseUnavailable(error.cause);
}

/** True if a statement timed out, usually while waiting for a lock. */
export const isStatementTimeout = (error: unknown) => error instanceof StatementTimeoutError;
