import { ActivityFailure } from '@temporalio/workflow';

/**
 * The error that an activity threw. A local activity fails with that error; a regular one wraps it in an
 * `ActivityFailure`.
 */
export function thrownBy<Failure>(error: Failure): Failure | Error {
  return error instanceof ActivityFailure && error.cause ? error.cause : error;
}
