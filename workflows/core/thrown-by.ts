import { ActivityFailure } from '@temporalio/workflow';

/** What an activity threw. Local activities fail with it, regular ones with an `ActivityFailure` around it. */
export function thrownBy<Failure>(error: Failure): Failure | Error {
  return error instanceof ActivityFailure && error.cause ? error.cause : error;
}
