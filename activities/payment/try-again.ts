/**
 * Handles failing activities that concern money: Temporal gets the error code, and repeated failures become
 * an incident.
 */
import { Context } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { errorCode, refusingObject } from '../../db/core/error-code.ts';
import { RowNotFound } from '../../db/core/row-not-found.ts';
import { isDatabaseUnavailable } from '../../db/core/unavailable.ts';
import {
  alertOfFailedTry,
  type FailedTry,
  forgetFailedTries,
  noteFailedTry,
} from '../../db/payment/unrecorded-outcomes.ts';
import { harmlessMessage } from '../../platform/observability/safe-error.ts';
import { ROW_NOT_FOUND } from '../../workflows/core/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { linksAbout } from '../core/subject-links.ts';

type Deps = Pick<ActivityDeps, 'pool' | 'logger' | 'pages'>;
type Activity = (...args: readonly unknown[]) => Promise<unknown>;

/** Failures enter the history with a code only. PostgreSQL's message is neither stored there nor logged. */
export function failingWithCodes<Calls extends object>({ logger, pages }: Deps, activities: Calls): Calls {
  const wrapped = Object.entries(activities).map(([name, activity]: [string, Activity]) => [
    name,
    async (...args: readonly unknown[]) => {
      try {
        return await activity(...args);
      } catch (error) {
        if (error instanceof TemporalFailure) throw error;
        // A retry cannot bring the workflow's row back (rule 30).
        if (error instanceof RowNotFound) throw ApplicationFailure.nonRetryable(error.message, ROW_NOT_FOUND);
        const code = errorCode(error);
        const { attempt, workflowExecution } = Context.current().info;
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

const DATABASE_UNAVAILABLE = { unavailable: true };

/**
 * Repeats an activity that has failed several times. Temporal retries it; each failure is recorded, and
 * success ends the incident (rule 40).
 */
export function createTryAgain(deps: Deps, activities: object) {
  const { pool, logger } = deps;
  const byName = new Map<string, Activity>(Object.entries(activities));

  /**
   * No alert while the database is unavailable: the failure cannot be recorded, and the incident ends when the
   * database recovers.
   */
  async function note(failure: ApplicationFailure, tried: FailedTry): Promise<void> {
    const [about = DATABASE_UNAVAILABLE] = (failure.details ?? []) as { unavailable: boolean }[];
    if (about.unavailable) return;
    const noted = await noteFailedTry(pool, tried);
    if (!noted || noted.alerted) return;
    const { reference, activity, error: code } = tried;
    logger.error({ reference, activity, code }, 'outcome not recorded');
    await alertOfFailedTry(pool, noted, tried);
  }

  return {
    async tryAgain(input: {
      readonly activity: string;
      readonly args: readonly unknown[];
      readonly reference: string;
    }): Promise<unknown> {
      const { activity: name, args, reference } = input;
      const activity = byName.get(name);
      if (!activity) throw new Error(`unknown activity ${name}`);
      const workflowId = Context.current().info.workflowExecution?.workflowId ?? '';
      try {
        const result = await activity(...args);
        await forgetFailedTries(pool, workflowId, reference);
        return result;
      } catch (failure) {
        if (failure instanceof ApplicationFailure && failure.type !== ROW_NOT_FOUND) {
          const tried = { workflowId, reference, activity: name, error: failure.type ?? 'unknown' };
          await note(failure, tried).catch((err: unknown) =>
            logger.error({ reference, err }, 'alert about an unrecorded outcome failed'),
          );
        }
        throw failure;
      }
    },
  };
}
