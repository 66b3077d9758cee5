/** Detects a restored database and starts its comparison with the rail (rule 29). */
import {
  type Client,
  type ScheduleExecutionResult,
  ScheduleNotFoundError,
  WorkflowNotFoundError,
} from '@temporalio/client';
import type { Logger } from 'pino';
import type { Pool } from '../../db/core/pool.ts';
import { fenceIfRestored, readLedgerCopy } from '../../db/restore/fence.ts';
import { RESTORE_WORKFLOW, restoreStart } from '../../workflows/restore/restore-messages.ts';
import { SWEEP_SCHEDULE_ID, type SweepResult } from '../../workflows/sweep/sweep-messages.ts';
import { isTemporalAway } from './grpc-code.ts';
import { endIfTasksFail } from './stuck-runs.ts';

export interface RestoredDeps {
  readonly pool: Pool;
  readonly client: Client;
  readonly logger: Pick<Logger, 'error'>;
}

/** Temporal's record of the last sweeps. */
export interface Remembered {
  /** The highest readable number of a sweep; null if there is none. */
  readonly sweepNumber: number | null;
  /** False if some numbers cannot be read: one of them may be higher. */
  readonly isComplete: boolean;
}

/**
 * Fences a database whose sweep number is lower than the one Temporal remembers, or whose identity differs from
 * its rows, and starts its comparison. Idempotent.
 * @param isStart a worker is starting: if Temporal knows no sweep, it is new or was lost too, so only the rail can show
 * what the database lacks
 * @throws if Temporal is unreachable while a worker starts: nothing may move money before the comparison
 */
export async function fenceRestored(
  { pool, client, logger }: RestoredDeps,
  { isStart = false } = {},
): Promise<Remembered> {
  const { isNew, ...remembered } = await readRemembered({ client, logger }, isStart);
  const { sweepNumber } = remembered;
  const epoch = await fenceIfRestored(pool, { sweepNumber, onlyRailKnows: isStart && isNew });
  if (epoch !== null) logger.error({ epoch, sweepNumber }, 'database was restored: fenced');
  await startRestore(pool, client);
  return remembered;
}

/** Starts the comparison of a fenced database, or joins the running one. @returns its epoch; null without a fence */
export async function startRestore(pool: Pool, client: Client): Promise<number | null> {
  const { epoch, fencedAt } = await readLedgerCopy(pool);
  if (fencedAt === null) return null;
  const start = restoreStart(epoch);
  await endIfTasksFail(client, start.workflowId);
  await client.workflow.start(RESTORE_WORKFLOW, start);
  return epoch;
}

type ScheduleExecutionAction = ScheduleExecutionResult['action'];

/**
 * The highest number, not the newest: a sweep that could not read it may have continued counting in a restored
 * database.
 */
async function readRemembered(
  { client, logger }: Omit<RestoredDeps, 'pool'>,
  isStart: boolean,
): Promise<Remembered & { readonly isNew: boolean }> {
  const unreadable = (err: unknown) => {
    if (isStart && isTemporalAway(err)) throw err;
    logger.error({ err }, 'last sweep unreadable: a restored database may go unnoticed');
    return null;
  };
  const recent = await recentActions(client).catch(unreadable);
  if (recent === null) return { sweepNumber: null, isComplete: false, isNew: false };
  const read = await Promise.all(recent.map((action) => resultOf(client, action).catch(unreadable)));
  const numbers = read.filter((each) => each !== null).map(({ mark }) => mark ?? 0);
  return {
    sweepNumber: Math.max(0, ...numbers) || null,
    isComplete: !read.includes(null),
    isNew: recent.length === 0,
  };
}

async function recentActions(client: Client): Promise<readonly ScheduleExecutionAction[]> {
  try {
    const { info } = await client.schedule.getHandle(SWEEP_SCHEDULE_ID).describe();
    return info.recentActions.map(({ action }) => action);
  } catch (error) {
    if (error instanceof ScheduleNotFoundError) return [];
    throw error;
  }
}

/** Null for a sweep that is running, or whose history Temporal has deleted. */
async function resultOf(client: Client, action: ScheduleExecutionAction): Promise<SweepResult> {
  const { workflowId, firstExecutionRunId } = action.workflow;
  const sweep = client.workflow.getHandle(workflowId, firstExecutionRunId);
  try {
    const { status } = await sweep.describe();
    if (status.name !== 'COMPLETED') return { mark: null };
    return ((await sweep.result()) as SweepResult | undefined) ?? { mark: null };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { mark: null };
    throw error;
  }
}
