/**
 * A call that the rail left unanswered fails its activity, so that Temporal UI shows it as failed. The failure carries
 * the result, which the workflow judges as if it had been returned: unknown stays an outcome (rule 4).
 */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { isRailFailure } from '../../domain/payment/breaker.ts';
import { RAIL_UNANSWERED, type RailCallOptions } from '../../workflows/core/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';

/**
 * Workflows of 0.2.0 do not pass `options`: they take each failed activity for a fault of the service. Later ones append
 * theirs to those of the call.
 */
type Calls = Readonly<Record<string, (id: string, ...options: RailCallOptions[]) => Promise<unknown>>>;

/** Activities whose result is the rail's answer, or has it as `outcome`. */
export function failingUnanswered<Given extends Calls>(deps: ActivityDeps, calls: Given): Given {
  const wrapped = Object.entries(calls).map(([name, call]) => [
    name,
    async (id: string, ...given: readonly RailCallOptions[]) => {
      const options: RailCallOptions = Object.assign({}, ...given);
      const result = await call(id, options);
      return unlessUnanswered(deps, { answer: answerIn(result), result, options });
    },
  ]);
  return Object.fromEntries(wrapped) as Given;
}

interface Ended<Result> {
  readonly answer: unknown;
  readonly result: Result;
  readonly options: RailCallOptions | undefined;
}

/** @returns the result, unless the call went unanswered and the workflow asks for a failure */
export function unlessUnanswered<Result>(
  { secretBox }: Pick<ActivityDeps, 'secretBox'>,
  { answer, result, options }: Ended<Result>,
): Result {
  // While the previous release runs, no run may get a patch that its workers do not know.
  if (!options?.failIfUnanswered || secretBox.previousReleaseRuns || !isUnanswered(answer)) return result;
  throw ApplicationFailure.create({
    message: `The rail gave no answer (${answer.reason}): whether it acted is not known. The workflow asks it again.`,
    type: RAIL_UNANSWERED,
    nonRetryable: true,
    details: [result],
    // Logged and counted where the rail is called.
    category: ApplicationFailureCategory.BENIGN,
  });
}

function answerIn(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'outcome' in result ? result.outcome : result;
}

function isUnanswered(answer: unknown): answer is { readonly kind: 'unknown'; readonly reason: string } {
  return typeof answer === 'object' && answer !== null && 'kind' in answer && isRailFailure(answer as never);
}
