/** Overdue sessions and subscriptions: restarts a missing run, and wakes one that runs. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { findOverdueSession, overdueSessions } from '../../db/session/session-sweep.ts';
import { findOverdueSubscription, overdueSubscriptions } from '../../db/subscription/subscription-sweep.ts';
import { restartSession, restartSubscription } from '../../temporal/start-workflows.ts';
import { wakeSignal } from '../../workflows/core/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

const LIMIT = 500;

/**
 * Restarts an overdue session whose run is missing, and wakes one that runs. Each row is read again first: behind
 * 500 others, the session may have acted since the list was made (rule 41).
 */
export async function findLostSessions(deps: ActivityDeps): Promise<void> {
  const { pool, client, logger } = deps;
  await eachAlone(logger, await overdueSessions(pool, LIMIT), async ({ id: checkoutId }) => {
    const status = await runOf(deps, checkoutId);
    const checkout = await findOverdueSession(pool, checkoutId);
    if (!checkout) return;
    const started = status === 'RUNNING' ? false : await restartSession(deps, checkout);
    if (status === 'RUNNING') await client.workflow.getHandle(checkoutId).signal(wakeSignal);
    logger.error({ checkoutId, workflow: status, started }, 'session is overdue');
  });
}

/** The same for subscriptions. */
export async function findLostSubscriptions(deps: ActivityDeps): Promise<void> {
  const { pool, client, logger } = deps;
  await eachAlone(logger, await overdueSubscriptions(pool, LIMIT), async ({ id: subscriptionId }) => {
    const status = await runOf(deps, subscriptionId);
    const subscription = await findOverdueSubscription(pool, subscriptionId);
    if (!subscription) return;
    const started = status === 'RUNNING' ? false : await restartSubscription(deps, subscription);
    if (status === 'RUNNING') await client.workflow.getHandle(subscriptionId).signal(wakeSignal);
    logger.error({ subscriptionId, workflow: status, started }, 'subscription is overdue');
  });
}

function runOf({ client }: ActivityDeps, workflowId: string): Promise<string> {
  return client.workflow
    .getHandle(workflowId)
    .describe()
    .then(({ status }) => status.name)
    .catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return 'NOT_FOUND';
      throw error;
    });
}
