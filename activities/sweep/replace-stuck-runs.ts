/**
 * Replaces runs whose tasks fail on and on, as after a restore of Temporal under running workers (rule 45). Found by
 * Temporal's list: a row is late only once there is something to do, which for a subscription may be in a year.
 */
import { findStartableRefund } from '../../db/refund/refund-sweep.ts';
import { findSessionToStart } from '../../db/session/session-sweep.ts';
import { findStartableSubscription } from '../../db/subscription/subscription-sweep.ts';
import { findEndpointRef } from '../../db/webhook/endpoint-sleep.ts';
import { restartRefund, restartSession, restartSubscription } from '../../temporal/start-workflows.ts';
import { endUnlessHealthy, findRun, listStuckRuns } from '../../temporal/stuck-runs.ts';
import { wakeEndpoint } from '../../temporal/wake-endpoints.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

const LIMIT = 100;

/** By the kind of row that the workflow's id names. Without an open row, nothing is started. */
const RESTARTS: Readonly<Record<string, (deps: ActivityDeps, id: string) => Promise<unknown>>> = {
  ap_chk: restartOpenSession,
  ap_pmc: restartOpenSession,
  async ap_sub(deps, id) {
    const subscription = await findStartableSubscription(deps.pool, id);
    if (subscription) await restartSubscription(deps, subscription);
  },
  async ap_ref(deps, id) {
    const refund = await findStartableRefund(deps.pool, id);
    if (refund) await restartRefund(deps, refund);
  },
  async ap_whe({ pool, client, logger }, id) {
    const endpoint = await findEndpointRef(pool, id);
    if (endpoint) await wakeEndpoint(client, endpoint, logger);
  },
};

/** Without its own list (a server before 1.30), a stuck run is found when its row is late. */
export async function replaceStuckRuns(deps: ActivityDeps): Promise<void> {
  const { client, logger } = deps;
  await eachAlone(logger, await listStuckRuns(client, LIMIT), async (workflowId) => {
    const restart = RESTARTS[/^(ap_[a-z]+)_[0-9a-z]+$/.exec(workflowId)?.[1] ?? ''];
    if (!restart || (await endUnlessHealthy(client, await findRun(client, workflowId), false))) return;
    await restart(deps, workflowId);
    logger.error({ workflowId }, 'run was stuck: replaced');
  });
}

async function restartOpenSession(deps: ActivityDeps, id: string): Promise<void> {
  const session = await findSessionToStart(deps.pool, id);
  if (session) await restartSession(deps, session);
}
