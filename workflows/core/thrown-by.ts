import { ActivityFailure } from '@temporalio/workflow';

/**
 * The error thrown by an activity. Local activities fail with it, regular ones with an `ActivityFailure`
 * around it.
 */
export function thrownBy<Failure>(error: Failure): Failure | Error {
  return error instanceof ActivityFailure && error.cause ? error.cause : error;
}
