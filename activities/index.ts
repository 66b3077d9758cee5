/** All activities. Workflows import the types only. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { errorCode, refusingObject } from '../db/core/error-code.ts';
import { RowNotFound } from '../db/core/row-not-found.ts';
import { isDatabaseUnavailable } from '../db/core/unavailable.ts';
import { harmlessMessage } from '../platform/observability/safe-error.ts';
import { ROW_NOT_FOUND } from '../workflows/core/messages.ts';
import type { ActivityDeps } from './core/deps.ts';
import { whileHeartbeating } from './core/heartbeat.ts';
import { linksAbout } from './core/subject-links.ts';
import { guardedRails } from './payment/guarded-rail.ts';
import { createReturnActivities } from './payment/return-orphaned-charge.ts';
import { createTryAgain } from './payment/try-again.ts';
import { createRefundActivities } from './refund/refund.ts';
import { createRestoreActivities } from './restore/restore.ts';
import { createSessionActivities } from './session/session.ts';
import { createSubscriptionCharges } from './subscription/subscription-charges.ts';
import { createSubscriptionWrites } from './subscription/subscription-writes.ts';
import { createSweepActivities } from './sweep/sweep.ts';
import { createDeliverActivities } from './webhook/deliver.ts';

export type { ActivityDeps } from './core/deps.ts';
export type Activities = ReturnType<typeof createActivities>;

export function createActivities(given: ActivityDeps) {
  const deps = { ...given, rails: guardedRails(given) };
  const aboutMoney = failingWithCodes(deps, {
    ...createSessionActivities(deps),
    ...createSubscriptionWrites(deps),
    ...createSubscriptionCharges(deps),
    ...createReturnActivities(deps),
    ...createRefundActivities(deps),
  });
  return {
    ...aboutMoney,
    ...createTryAgain(deps, aboutMoney),
    ...createDeliverActivities({ ...deps, pool: deps.deliveryPool ?? deps.pool }),
    ...createSweepActivities(deps),
    ...createRestoreActivities(deps),
  };
}

type Activity = (...args: readonly unknown[]) => Promise<unknown>;

/**
 * Wraps each activity that concerns money: it heartbeats, and its failures enter the history as a code only.
 * PostgreSQL's message is neither stored there nor logged.
 */
function failingWithCodes<Calls extends object>({ logger, pages }: ActivityDeps, activities: Calls): Calls {
  const wrapped = Object.entries(activities).map(([name, activity]: [string, Activity]) => [
    name,
    async (...args: readonly unknown[]) => {
      const { attempt, isLocal, workflowExecution } = Context.current().info;
      const run = () => activity(...args);
      try {
        return await (isLocal ? run() : whileHeartbeating(run));
      } catch (error) {
        if (error instanceof TemporalFailure) throw error;
        // A retry cannot restore the workflow's missing row (rule 30).
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
