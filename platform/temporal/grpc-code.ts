import { isGrpcServiceError, ServiceError } from '@temporalio/client';

/** @returns the gRPC status code of a call to Temporal that failed; undefined for any other error */
export function grpcCodeOf(error: unknown): number | undefined {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) ? cause.code : undefined;
}
