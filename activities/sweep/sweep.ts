/** One round of the sweep. A failing item is logged and does not stop the others. */

import { beat, SWEEP } from '../../db/core/heartbeats.ts';
import { alertOfInvoice, issueInvoicesDue } from '../../db/invoice/invoices-due.ts';
import { deleteAbandonedTries } from '../../db/payment/unrecorded-outcomes.ts';
import { closeAdopted } from '../../db/restore/close-differences.ts';
import { countSweep } from '../../db/restore/fence.ts';
import { announceMove, movesToAnnounce } from '../../db/subscription/announce-price-move.ts';
import { announceRunning } from '../../db/webhook/announce-running.ts';
import { endpointsOverdue } from '../../db/webhook/due-endpoints.ts';
import { alertOfFailingEndpoints } from '../../db/webhook/endpoint-health.ts';
import { withinBudget } from '../../platform/temporal/chore-budget.ts';
import { wake } from '../../platform/temporal/messages.ts';
import { fenceRestored } from '../../platform/temporal/restored.ts';
import {
  startUnstartedRefunds,
  startUnstartedSessions,
  startUnstartedSubscriptions,
} from '../../platform/temporal/start-workflows.ts';
import { wakeEndpoint } from '../../platform/temporal/wake-endpoints.ts';
import type { SweepResult } from '../../workflows/sweep/sweep-messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';
import { followDisputes } from '../dispute/follow-disputes.ts';
import { askAccounts } from './ask-accounts.ts';
import { deleteOld } from './delete-old-rows.ts';
import { presentResolveRequests } from './present-resolve-requests.ts';
import { presentWebhooks } from './present-webhooks.ts';
import { recoverOverdue, replaceStuckEndpoints, resumeRecoveries } from './recover-overdue.ts';
import { applyRefundWebhooks, lookUpContradictedRefunds } from './refund-webhooks.ts';
import { remindOfReconciliations } from './remind.ts';
import { replaceStuckRuns } from './replace-stuck-runs.ts';
import { claimResender } from './resend-claims.ts';
import { lookUpReturnsInDoubt, returnOrphans } from './return-orphans.ts';

const LIMIT = 500;

interface Chore {
  readonly name: string;
  /** The time budget of the chore, part of `BUDGETS`. */
  readonly seconds: number;
  run(deps: ActivityDeps): Promise<unknown>;
}

/**
 * In order of urgency, after resending claims without a call: buyers' money first, work that can wait a day last (rule
 * 41).
 */
const CHORES: readonly Chore[] = [
  { name: 'pass rail webhooks to their workflows', seconds: 4, run: presentWebhooks },
  { name: 'pass requests to resolve to their workflows', seconds: 2, run: presentResolveRequests },
  { name: 'return orphaned charges', seconds: 2, run: returnOrphans },
  { name: 'start unstarted refunds', seconds: 2, run: startUnstartedRefunds },
  { name: 'recover overdue refunds', seconds: 2, run: (deps) => recoverOverdue(deps, 'refund') },
  { name: 'apply refund webhooks', seconds: 2, run: applyRefundWebhooks },
  { name: 'look up returns in doubt', seconds: 1, run: lookUpReturnsInDoubt },
  { name: 'look up contradicted refunds', seconds: 1, run: lookUpContradictedRefunds },
  { name: 'follow disputes', seconds: 2, run: followDisputes },
  { name: 'check rail accounts without recent answers', seconds: 1, run: askAccounts },
  { name: 'start unstarted sessions', seconds: 2, run: startUnstartedSessions },
  { name: 'recover overdue sessions', seconds: 3, run: (deps) => recoverOverdue(deps, 'session') },
  { name: 'start unstarted subscriptions', seconds: 1, run: startUnstartedSubscriptions },
  { name: 'recover overdue subscriptions', seconds: 2, run: (deps) => recoverOverdue(deps, 'subscription') },
  { name: 'replace stuck runs', seconds: 2, run: replaceStuckRuns },
  { name: 'replace stuck runs of endpoints', seconds: 1, run: replaceStuckEndpoints },
  { name: 'signal endpoints, and alert about failing ones', seconds: 1, run: careForEndpoints },
  { name: 'resume endpoint recoveries', seconds: 1, run: resumeRecoveries },
  { name: 'issue invoices that are due', seconds: 2, run: issueInvoices },
  { name: 'announce price moves and renewals', seconds: 2, run: announceCharges },
  { name: 'repeat alerts about open reconciliations', seconds: 1, run: remindOfReconciliations },
  { name: 'close settled differences of restores', seconds: 1, run: closeDifferences },
  { name: 'delete abandoned attempts', seconds: 1, run: ({ pool }) => deleteAbandonedTries(pool) },
  { name: 'delete old rows', seconds: 2, run: deleteOld },
];

const RESEND_SECONDS = 4;
/** Time limit for reading earlier sweeps' numbers from Temporal. Without them, this sweep is not counted. */
const FENCE_SECONDS = 5;

/** Time budgets in seconds. Their sum is below the activity's time-out, which leaves time for heartbeat and count. */
export const BUDGETS: readonly number[] = [
  FENCE_SECONDS,
  RESEND_SECONDS,
  ...CHORES.map(({ seconds }) => seconds),
];

async function careForEndpoints({ pool, client, logger }: ActivityDeps): Promise<void> {
  await alertOfFailingEndpoints(pool);
  const overdue = await endpointsOverdue(pool);
  await Promise.all(overdue.map((endpoint) => wakeEndpoint(client, endpoint, logger)));
}

async function issueInvoices({ pool, logger }: ActivityDeps): Promise<void> {
  await eachAlone(logger, await issueInvoicesDue(pool, LIMIT), async (invoice) => {
    const { paymentId, error, refusedBy } = invoice;
    logger.error({ paymentId, code: error, ...refusedBy }, 'invoice still not issued');
    await alertOfInvoice(pool, invoice);
  });
}

async function announceCharges(deps: ActivityDeps): Promise<void> {
  await eachAlone(deps.logger, await movesToAnnounce(deps.pool, LIMIT), async ({ subscriptionId }) => {
    if (await announceMove(deps.pool, subscriptionId)) await wake(deps, subscriptionId);
  });
  if (await announceRunning(deps.pool, null))
    deps.logger.info('announcements for current periods postponed to the next sweep');
}

async function closeDifferences({ pool, logger }: ActivityDeps): Promise<void> {
  for (const reference of await closeAdopted(pool))
    logger.error({ reference }, 'rail reports a different outcome');
}

export function createSweepActivities(deps: ActivityDeps) {
  const { pool, client, logger } = deps;
  const resend: Chore = {
    name: 'resend claims without a call',
    seconds: RESEND_SECONDS,
    run: claimResender(deps),
  };
  return {
    async sweepOnce(): Promise<SweepResult> {
      const { sweepNumber: remembered, isComplete } = await client.withDeadline(
        Date.now() + 1_000 * FENCE_SECONDS,
        () => fenceRestored(deps),
      );
      for (const { name, seconds, run } of [resend, ...CHORES]) {
        await withinBudget(client, seconds, () => run(deps)).catch((err: unknown) =>
          logger.error({ err, chore: name }, 'sweep chore failed'),
        );
      }
      await beat(pool, SWEEP);
      // If a number could not be read, it may be the highest; continuing from a lower one could hide a restore.
      const counted = isComplete ? await countSweep(pool, remembered) : null;
      return { mark: counted ?? remembered };
    },
  };
}
