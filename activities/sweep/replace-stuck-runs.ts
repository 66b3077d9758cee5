/**
 * Replaces runs whose tasks keep failing (rule 45). They are found in Temporal's list, because a stuck run's row is
 * overdue only once something is due, which for a subscription may take a year.
 */
import { subscriptionOfSession } from '../../db/session/method-changes.ts';
import { findEndpointRef } from '../../db/webhook/due-endpoints.ts';
import { wake } from '../../platform/temporal/messages.ts';
import { startAgain } from '../../platform/temporal/start-workflows.ts';
import { endIfTasksFail, listStuckRuns } from '../../platform/temporal/stuck-runs.ts';
import { wakeEndpoint } from '../../platform/temporal/wake-endpoints.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';

const LIMIT = 100;

/** @returns true if the row is open, so that a run was started */
type Restart = (deps: ActivityDeps, id: string) => Promise<boolean>;

/** Starts a successor, by the prefix of the workflow's id. */
const RESTARTS: Readonly<Record<string, Restart>> = {
  ap_chk: startAgain,
  ap_pmc: startOrTell,
  ap_lnk: startOrTell,
  ap_sub: startAgain,
  ap_ref: startAgain,
  async ap_whe({ pool, client, logger }, id) {
    const endpoint = await findEndpointRef(pool, id);
    if (endpoint) await wakeEndpoint(client, endpoint, logger);
    return endpoint !== null;
  },
};

async function startOrTell(deps: ActivityDeps, id: string): Promise<boolean> {
  if (await startAgain(deps, id)) return true;
  // The stuck run may have been about to notify the subscription of a new method or a payment.
  const subscriptionId = await subscriptionOfSession(deps.pool, id);
  if (subscriptionId) await wake(deps, subscriptionId);
  return false;
}

const KIND = /^(ap_[a-z]+)_[0-9a-z]+$/;

/** Servers before 1.30 have no list of stuck runs: there, a stuck run is found once its row is overdue. */
export async function replaceStuckRuns(deps: ActivityDeps): Promise<void> {
  const { client, logger } = deps;
  const listed = await listStuckRuns(client);
  if (listed === null) reportOnce(deps);
  await eachAlone(logger, someOf(listed ?? [], LIMIT), async ({ workflowId, restart }) => {
    if (!(await endIfTasksFail(client, workflowId))) return;
    const started = await restart(deps, workflowId);
    logger.error({ workflowId, started }, 'stuck run replaced');
  });
}

/** Clients for which the outdated-server warning has been logged, so that it is logged once. */
const reported = new WeakSet<ActivityDeps['client']>();

function reportOnce({ client, logger }: ActivityDeps): void {
  if (reported.has(client)) return;
  reported.add(client);
  logger.warn(
    'Temporal does not list failing runs (needs release 1.30): a stuck run is replaced only once its row is overdue',
  );
}

/**
 * In random order, so that every run gets its turn even while replacements keep failing, for example because the build
 * cannot run them.
 */
function someOf(workflowIds: readonly string[], limit: number) {
  return workflowIds
    .flatMap((workflowId) => {
      const [, kind = ''] = KIND.exec(workflowId) ?? [];
      const restart = RESTARTS[kind];
      return restart ? [{ workflowId, restart, turn: Math.random() }] : [];
    })
    .toSorted((one, other) => one.turn - other.turn)
    .slice(0, limit);
}
