import { ActivityFailure } from '@temporalio/workflow';

/**
 * The error that an activity threw. Local activities fail with it, regular ones wrap it in an
 * `ActivityFailure`.
 */
export function thrownBy<Failure>(error: Failure): Failure | Error {
  return error instanceof ActivityFailure && error.cause ? error.cause : error;
}
