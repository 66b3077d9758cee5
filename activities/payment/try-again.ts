/** What becomes of an activity about money that fails: its code to Temporal, and an incident when it goes on. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure, TemporalFailure } from '@temporalio/common';
import { errorCode } from '../../db/core/error-code.ts';
import { isDatabaseUnavailable } from '../../db/core/unavailable.ts';
import {
  alertOfFailedTry,
  type FailedTry,
  forgetFailedTries,
  noteFailedTry,
} from '../../db/payment/unrecorded-outcomes.ts';
import { wakeEndpointsOf } from '../../temporal/wake-endpoints.ts';
import type { ActivityDeps } from '../core/deps.ts';

type Deps = Pick<ActivityDeps, 'pool' | 'client' | 'logger'>;
type Activity = (...args: readonly unknown[]) => Promise<unknown>;

/** A failure is kept in a history: it carries a code, never PostgreSQL's message. */
export function failingWithCodes<Calls extends object>({ logger }: Deps, activities: Calls): Calls {
  const wrapped = Object.entries(activities).map(([name, activity]: [string, Activity]) => [
    name,
    async (...args: readonly unknown[]) => {
      try {
        return await activity(...args);
      } catch (error) {
        if (error instanceof TemporalFailure) throw error;
        const code = errorCode(error);
        const { attempt, workflowExecution } = Context.current().info;
        const problem = error instanceof Error ? error.message : undefined;
        const workflowId = workflowExecution?.workflowId;
        logger.warn({ workflowId, activity: name, attempt, code, problem }, 'an activity failed');
        throw ApplicationFailure.create({
          message: `${name} failed: ${code}`,
          type: code,
          details: [{ unavailable: isDatabaseUnavailable(error) }],
        });
      }
    },
  ]);
  return Object.fromEntries(wrapped) as Calls;
}

const OF_WHAT_THE_DATABASE_IS_AWAY = { unavailable: true };

/**
 * One more try of an activity that has failed several times. Temporal repeats this one; each failure is noted,
 * and the incident is over in the try that succeeds (rule 40).
 */
export function createTryAgain(deps: Deps, activities: object) {
  const { pool, logger } = deps;
  const byName = new Map<string, Activity>(Object.entries(activities));

  /** A database that is away cannot note it either, and records by itself once it is back: no alert. */
  async function note(failure: ApplicationFailure, tried: FailedTry): Promise<void> {
    const [about = OF_WHAT_THE_DATABASE_IS_AWAY] = (failure.details ?? []) as { unavailable: boolean }[];
    if (about.unavailable) return;
    const noted = await noteFailedTry(pool, tried);
    if (!noted || noted.alerted) return;
    const { reference, activity, error: code } = tried;
    logger.error({ reference, activity, code }, 'an outcome cannot be recorded');
    void wakeEndpointsOf(deps, [await alertOfFailedTry(pool, noted, tried)]);
  }

  return {
    async tryAgain(input: {
      readonly activity: string;
      readonly args: readonly unknown[];
      readonly reference: string;
    }): Promise<unknown> {
      const { activity: name, args, reference } = input;
      const activity = byName.get(name);
      if (!activity) throw new Error(`there is no activity ${name}`);
      const workflowId = Context.current().info.workflowExecution?.workflowId ?? '';
      try {
        const result = await activity(...args);
        await forgetFailedTries(pool, workflowId, reference);
        return result;
      } catch (failure) {
        if (failure instanceof ApplicationFailure) {
          const tried = { workflowId, reference, activity: name, error: failure.type ?? 'unknown' };
          await note(failure, tried).catch((err: unknown) =>
            logger.error({ reference, err }, 'the alert about an unrecorded outcome could not be recorded'),
          );
        }
        throw failure;
      }
    },
  };
}
