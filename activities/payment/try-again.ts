/** Retries a failing activity that concerns money, and turns repeated failures into an incident. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/common';
import {
  alertOfFailedTry,
  deleteFailedTries,
  type FailedTry,
  noteFailedTry,
} from '../../db/payment/unrecorded-outcomes.ts';
import { ROW_NOT_FOUND } from '../../workflows/core/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';

type Deps = Pick<ActivityDeps, 'pool' | 'logger'>;
type Activity = (...args: readonly unknown[]) => Promise<unknown>;

const DATABASE_UNAVAILABLE = { unavailable: true };

/**
 * Runs an activity that has failed several times. Temporal retries it; each failure is recorded, and success ends the
 * incident (rule 40).
 */
export function createTryAgain(deps: Deps, activities: object) {
  const { pool, logger } = deps;
  const byName = new Map<string, Activity>(Object.entries(activities));

  /**
   * No alert while the database is unavailable: the failure cannot be recorded then, and ends when the database
   * recovers.
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
        await deleteFailedTries(pool, workflowId, reference);
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
