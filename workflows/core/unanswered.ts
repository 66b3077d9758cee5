/** Calls that the rail leaves unanswered look failed in Temporal UI, and are judged like any other answer. */
import { ActivityFailure, ApplicationFailure, patched } from '@temporalio/workflow';
import { RAIL_UNANSWERED, type RailCallOptions } from './messages.ts';

export const FAIL_IF_UNANSWERED: RailCallOptions = { failIfUnanswered: true };

/**
 * The result that such a failure carries. The patch is asked for after the failure only, so that answered calls put
 * nothing into histories. A worker of the previous release took such a failure for a fault in our own code and
 * called again; its history has no patch, so that replay calls again, too.
 */
export function resultOfUnanswered(error: unknown): { readonly result: unknown } | null {
  // A local activity's failure arrives as thrown.
  const cause = error instanceof ActivityFailure ? error.cause : error;
  const isUnanswered = cause instanceof ApplicationFailure && cause.type === RAIL_UNANSWERED;
  if (!isUnanswered || !cause.details?.length || !patched('is-an-unanswered-call-a-failed-activity'))
    return null;
  return { result: cause.details[0] };
}
