/** Calls that the rail leaves unanswered look failed in Temporal UI, and are judged like any other answer. */
import { ApplicationFailure, patched } from '@temporalio/workflow';
import { RAIL_UNANSWERED, type RailCallOptions } from './messages.ts';
import { thrownBy } from './thrown-by.ts';

export const FAIL_IF_UNANSWERED: RailCallOptions = { failIfUnanswered: true };

/**
 * The result that such a failure carries. `patched` is called only after such a failure, so that answered calls add no
 * marker. Workers of the previous release took the failure for a bug and called again; their histories have no marker,
 * so that a replay calls again, too.
 */
export function resultOfUnanswered(error: unknown): { readonly result: unknown } | null {
  const cause = thrownBy(error);
  const isUnanswered = cause instanceof ApplicationFailure && cause.type === RAIL_UNANSWERED;
  if (!isUnanswered || !cause.details?.length || !patched('is-an-unanswered-call-a-failed-activity'))
    return null;
  return { result: cause.details[0] };
}
