/** What happens around each activity that concerns money: it heartbeats, and its failures reach Temporal as codes. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { errorCode, refusingObject } from '../../db/core/error-code.ts';
import { RowNotFound } from '../../db/core/row-not-found.ts';
import { isDatabaseUnavailable } from '../../db/core/unavailable.ts';
import { harmlessMessage } from '../../platform/observability/safe-error.ts';
import { ROW_NOT_FOUND } from '../../workflows/core/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { whileHeartbeating } from '../core/heartbeat.ts';
import { linksAbout } from '../core/subject-links.ts';

type Deps = Pick<ActivityDeps, 'logger' | 'pages'>;
type Activity = (...args: readonly unknown[]) => Promise<unknown>;

/** Failures enter the history with a code only. PostgreSQL's message is neither stored there nor logged. */
export function failingWithCodes<Calls extends object>({ logger, pages }: Deps, activities: Calls): Calls {
  const wrapped = Object.entries(activities).map(([name, activity]: [string, Activity]) => [
    name,
    async (...args: readonly unknown[]) => {
      const { attempt, isLocal, workflowExecution } = Context.current().info;
      const run = () => activity(...args);
      try {
        return await (isLocal ? run() : whileHeartbeating(run));
      } catch (error) {
        if (error instanceof TemporalFailure) throw error;
        // A retry cannot bring the workflow's row back (rule 30).
        if (error instanceof RowNotFound) throw ApplicationFailure.nonRetryable(error.message, ROW_NOT_FOUND);
        const code = errorCode(error);
        const problem = harmlessMessage(error);
        const workflowId = workflowExecution?.workflowId;
        const refusedBy = refusingObject(error);
        logger.warn({ workflowId, activity: name, attempt, code, problem, ...refusedBy }, 'activity failed');
        throw ApplicationFailure.create({
          message: `${name} failed: ${code}`,
          type: code,
          details: [
            {
              unavailable: isDatabaseUnavailable(error),
              ...(pages &&
                workflowId && { pages: linksAbout(subjectOf(workflowId), 'outcome_not_recorded', pages) }),
            },
          ],
        });
      }
    },
  ]);
  return Object.fromEntries(wrapped) as Calls;
}

/** The id that operators' commands take: the workflow's id, without the suffix of a payment's workflow. */
const subjectOf = (workflowId: string): string => workflowId.replace(/-reconcile$/, '');
