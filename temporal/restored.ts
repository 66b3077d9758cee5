/** Finds out that the database was restored, and starts its comparison with the rail (rule 29). */
import { type Client, ScheduleNotFoundError } from '@temporalio/client';
import type { Logger } from 'pino';
import { fenceIfRestored, readLedgerCopy } from '../db/core/ledger-copy.ts';
import type { Pool } from '../db/core/pool.ts';
import { SWEEP_SCHEDULE_ID, type SweepResult } from '../workflows/core/sweep-messages.ts';
import { RESTORE_WORKFLOW, restoreStart } from '../workflows/restore/restore-messages.ts';

export interface RestoredDeps {
  readonly pool: Pool;
  readonly client: Client;
  readonly logger: Pick<Logger, 'error'>;
}

/**
 * Fences a database that is older than the mark that Temporal remembers, or in another place than its rows say, and
 * starts its comparison. Idempotent.
 * @returns the mark
 */
export async function fenceRestored({ pool, client, logger }: RestoredDeps): Promise<number | null> {
  const mark = await rememberedMark(client).catch((err: unknown) => {
    logger.error({ err }, 'last sweep unreadable: a restored database may go unnoticed');
    return null;
  });
  const epoch = await fenceIfRestored(pool, { mark });
  if (epoch !== null) logger.error({ epoch, mark }, 'database was restored: fenced');
  await startRestore(pool, client);
  return mark;
}

/** Starts the comparison of a fenced database, or joins the running one. @returns its epoch; null without a fence */
export async function startRestore(pool: Pool, client: Client): Promise<number | null> {
  const { epoch, fencedAt } = await readLedgerCopy(pool);
  if (fencedAt === null) return null;
  await client.workflow.start(RESTORE_WORKFLOW, restoreStart(epoch));
  return epoch;
}

/** The mark of the newest sweep that Temporal remembers; null without one. */
async function rememberedMark(client: Client): Promise<number | null> {
  try {
    const { info } = await client.schedule.getHandle(SWEEP_SCHEDULE_ID).describe();
    for (const { action } of info.recentActions.toReversed()) {
      if (action.type !== 'startWorkflow') continue;
      const { workflowId, firstExecutionRunId } = action.workflow;
      const sweep = client.workflow.getHandle(workflowId, firstExecutionRunId);
      const { status } = await sweep.describe();
      if (status.name !== 'COMPLETED') continue;
      const result = (await sweep.result()) as SweepResult | undefined;
      if (result?.mark) return result.mark;
    }
    return null;
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return null;
    throw error;
  }
}
