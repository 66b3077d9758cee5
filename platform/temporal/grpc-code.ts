import { isGrpcServiceError, ServiceError } from '@temporalio/client';

/** @returns the gRPC status code of a call to Temporal that failed; undefined for any other error */
export function grpcCodeOf(error: unknown): number | undefined {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) ? cause.code : undefined;
}

export const DEADLINE_EXCEEDED = 4;
/** 8 is RESOURCE_EXHAUSTED, 14 is UNAVAILABLE. Excludes INTERNAL, because a single broken record causes it forever. */
const PASSING: ReadonlySet<number> = new Set([DEADLINE_EXCEEDED, 8, 14]);

/** True if the call may succeed later without a change. */
export function isTemporalAway(error: unknown): boolean {
  const code = grpcCodeOf(error);
  return code !== undefined && PASSING.has(code);
}

/** @returns why a call failed, for operators; null if Temporal did not cause it */
export function temporalFailure(error: unknown): string | null {
  const cause = error instanceof ServiceError ? error.cause : error;
  if (!isGrpcServiceError(cause)) return null;
  return cause.code === DEADLINE_EXCEEDED ? 'the call timed out' : cause.details;
}
