/** Calls that the rail leaves unanswered look failed in Temporal UI, and are judged like any other answer. */
import { ActivityFailure, ApplicationFailure, patched } from '@temporalio/workflow';
import { RAIL_UNANSWERED, type RailCallOptions } from './messages.ts';

export const FAIL_IF_UNANSWERED: RailCallOptions = { failIfUnanswered: true };

/**
 * The result that such a failure carries. The patch is asked for after the failure only, so that answered calls put
 * nothing into histories. Where a worker of the last release has already taken the failure for one of our own code and
 * called again, the patch is absent and replay does the same.
 */
export function resultOfUnanswered(error: unknown): { readonly result: unknown } | null {
  // A local activity's failure arrives as thrown.
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const isUnanswered = cause instanceof ApplicationFailure && cause.type === RAIL_UNANSWERED;
  if (!isUnanswered || !cause.details?.length || !patched('is-an-unanswered-call-a-failed-activity'))
    return null;
  return { result: cause.details[0] };
}
