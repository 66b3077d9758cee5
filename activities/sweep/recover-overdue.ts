/**
 * Overdue sessions, subscriptions and endpoints: restarts a missing run, replaces a stuck one, and wakes one that
 * sleeps.
 */
import type { Client } from '@temporalio/client';
import { findOverdueSession, overdueSessions } from '../../db/session/session-sweep.ts';
import { findOverdueSubscription, overdueSubscriptions } from '../../db/subscription/subscription-sweep.ts';
import { endpointsLongOverdue } from '../../db/webhook/endpoint-sleep.ts';
import { isUnfinished, unfinishedRecoveries } from '../../db/webhook/recover-deliveries.ts';
import { startRecovery } from '../../platform/temporal/start-recovery.ts';
import { restartSession, restartSubscription } from '../../platform/temporal/start-workflows.ts';
import { endUnlessHealthy, type FoundRun, findRun, hasTask } from '../../platform/temporal/stuck-runs.ts';
import { wakeEndpoint } from '../../platform/temporal/wake-endpoints.ts';
import { wakeSignal } from '../../workflows/core/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

type Deps = Pick<ActivityDeps, 'pool' | 'client' | 'logger'>;

const LIMIT = 500;

/**
 * Restarts an overdue session whose run is missing or stuck (rule 45), and wakes a sleeping one. Each row is
 * read again first: in a list of 500, the session may have acted in the meantime (rule 41).
 */
export async function recoverOverdueSessions(deps: ActivityDeps): Promise<void> {
  const { pool, client, logger } = deps;
  await eachAlone(logger, await overdueSessions(pool, LIMIT), async ({ id: checkoutId }) => {
    const run = await findRun(client, checkoutId);
    const session = await findOverdueSession(pool, checkoutId);
    if (!session) return;
    const isRunning = await endUnlessHealthy(client, run, session.isLongOverdue);
    const started = isRunning ? false : await restartSession(deps, session);
    if (isRunning) await wakeIfAsleep(client, run);
    logger.error({ checkoutId, workflow: statusOf(run), started }, 'session is overdue');
  });
}

/** The same for subscriptions. */
export async function recoverOverdueSubscriptions(deps: ActivityDeps): Promise<void> {
  const { pool, client, logger } = deps;
  await eachAlone(logger, await overdueSubscriptions(pool, LIMIT), async ({ id: subscriptionId }) => {
    const run = await findRun(client, subscriptionId);
    const subscription = await findOverdueSubscription(pool, subscriptionId);
    if (!subscription) return;
    const isRunning = await endUnlessHealthy(client, run, subscription.isLongOverdue);
    const started = isRunning ? false : await restartSubscription(deps, subscription);
    if (isRunning) await wakeIfAsleep(client, run);
    logger.error({ subscriptionId, workflow: statusOf(run), started }, 'subscription is overdue');
  });
}

/**
 * Replaces endpoint runs that earlier wake-ups did not revive. Runs before this round's own wake-ups, whose
 * tasks would make a run look alive.
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
    logger.warn({ endpointId: endpoint.endpointId, since, until }, 'recovery of an endpoint restarted');
  });
}

/** In a burst, most of the late ones have a queued task. */
async function wakeIfAsleep(client: Client, run: FoundRun): Promise<void> {
  if (run && !hasTask(run)) await client.workflow.getHandle(run.workflowId).signal(wakeSignal);
}

const statusOf = (run: FoundRun) => run?.status.name ?? 'NOT_FOUND';
