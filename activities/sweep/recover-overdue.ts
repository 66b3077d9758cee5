/**
 * Recovers overdue sessions, subscriptions, refunds and endpoints: starts missing runs, replaces stuck runs, and wakes
 * the other ones.
 */
import { findOverdue, type KindOfRow, overdueRows } from '../../db/sweep/late-rows.ts';
import { endpointsLongOverdue } from '../../db/webhook/due-endpoints.ts';
import { isUnfinished, unfinishedRecoveries } from '../../db/webhook/recover-deliveries.ts';
import { repeatClick, wake } from '../../platform/temporal/messages.ts';
import { startRecovery } from '../../platform/temporal/start-recovery.ts';
import { startAgain } from '../../platform/temporal/start-workflows.ts';
import { endUnlessHealthy, findRun, hasTask } from '../../platform/temporal/stuck-runs.ts';
import { wakeEndpoint } from '../../platform/temporal/wake-endpoints.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

type Deps = Pick<ActivityDeps, 'pool' | 'client' | 'logger'>;

const LIMIT = 500;

export async function recoverOverdue(deps: ActivityDeps, kind: KindOfRow): Promise<void> {
  await eachAlone(deps.logger, await overdueRows(deps.pool, kind, LIMIT), (id) => recover(deps, kind, id));
}

/**
 * Starts a run for an overdue row whose run is missing or stuck (rule 45), and otherwise wakes the run. Reads the row
 * again first: since the list of up to 500 was read, it may have acted (rule 41).
 */
async function recover(deps: ActivityDeps, kind: KindOfRow, id: string): Promise<void> {
  const run = await findRun(deps.client, id);
  const row = await findOverdue(deps.pool, kind, id);
  if (!row) return;
  const isRunning = await endUnlessHealthy(deps.client, run, row.isLongOverdue);
  const started = !isRunning && (await startAgain(deps, id));
  // In a burst, most overdue runs already have a queued task and need no wake-up.
  if (isRunning && run && !hasTask(run)) {
    await wake(deps, id);
    // A run may still be in its start delay if Temporal lost the click's update after the call: only an update reaches
    // it (rule 15).
    if (row.openClaimId) await repeatClick(deps, { checkoutId: id, claimId: row.openClaimId });
  }
  const named = { [kind === 'session' ? 'checkoutId' : `${kind}Id`]: id };
  const workflow = run?.status.name ?? 'NOT_FOUND';
  deps.logger.error({ ...named, workflow, started }, `${kind} is overdue`);
}

/**
 * Replaces endpoint runs that earlier wake-ups did not revive. Must precede this round's wake-ups, which add a task to
 * a run and so make a stuck run look alive.
 */
export async function replaceStuckEndpoints({ pool, client, logger }: ActivityDeps): Promise<void> {
  await eachAlone(logger, await endpointsLongOverdue(pool, LIMIT), async (endpoint) => {
    const { endpointId: workflowId } = endpoint;
    const run = await findRun(client, workflowId);
    if (run?.status.name !== 'RUNNING' || (await endUnlessHealthy(client, run, true))) return;
    await wakeEndpoint(client, endpoint, logger);
    logger.error({ workflowId, started: true }, 'stuck run replaced');
  });
}

/** Restarts, from the beginning, recoveries whose run was lost or never started. */
export async function resumeRecoveries({ pool, client, logger }: Deps): Promise<void> {
  await eachAlone(logger, await unfinishedRecoveries(pool, LIMIT), async ({ since, until, ...endpoint }) => {
    if (!(await isUnfinished(pool, endpoint.endpointId, until))) return;
    if (!(await startRecovery(client, endpoint, { since, until }))) return;
    logger.warn({ endpointId: endpoint.endpointId, since, until }, 'endpoint recovery restarted');
  });
}
