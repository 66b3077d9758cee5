/** Compares a restored database with the rail's lists, and adopts what it has lost (rule 29). */
import { WorkflowNotFoundError } from '@temporalio/client';
import { liftFence, readLedgerCopy } from '../../db/core/ledger-copy.ts';
import { readClock } from '../../db/core/pool.ts';
import { findStartableRefund } from '../../db/refund/refund-sweep.ts';
import { adoptAttempt, adoptRefund } from '../../db/restore/adopt.ts';
import { listForAPerson } from '../../db/restore/close-findings.ts';
import {
  type AccountToCompare,
  nextAccountToCompare,
  type RailList,
  type RestoreProgress,
  readRestoreProgress,
  storeComparison,
  storeRefusal,
} from '../../db/restore/compare.ts';
import { type Finding, matchFindings, openFindings, postpone } from '../../db/restore/findings.ts';
import { findSessionToStart } from '../../db/session/session-sweep.ts';
import { findStartableSubscription, isChargeDue } from '../../db/subscription/subscription-sweep.ts';
import { openRailAccount } from '../../rail/accounts.ts';
import { RailListFailed } from '../../rail/rail.ts';
import {
  ALSO_AFTER_COMPLETION,
  restartSession,
  restartSubscription,
} from '../../temporal/start-workflows.ts';
import { wakeSignal } from '../../workflows/core/messages.ts';
import { REFUND_WORKFLOW, refundStart } from '../../workflows/refund/refund-messages.ts';
import { payUpdate } from '../../workflows/session/session-messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';
import { whileHeartbeating } from '../core/heartbeat.ts';

/** One activity compares accounts for this long, so that the workflow can show progress. */
const COMPARE_MS = 20_000;
const LIST_TIMEOUT_MS = 240_000;
const ANSWER_WITHIN_MS = 3_000;

export function createRestoreActivities(deps: ActivityDeps) {
  const { pool, client, logger, checkout, rails } = deps;

  async function compare(epoch: number, row: AccountToCompare, since: string): Promise<void> {
    const accountId = row.rail_account_id;
    if (!rails.has(row.rail)) return storeRefusal(pool, epoch, accountId, 'rail_not_configured');
    const { rail, account } = openRailAccount(deps, row);
    try {
      const list = await whileHeartbeating(async (): Promise<RailList> => {
        const signal = AbortSignal.timeout(LIST_TIMEOUT_MS);
        const charges = await rail.listSince(account, since, signal);
        return { charges, refunds: await rail.listRefundsSince(account, since, signal) };
      });
      await storeComparison(pool, epoch, row, list);
    } catch (error) {
      // A refused account cannot be charged either: it must not keep the others fenced.
      if (!(error instanceof RailListFailed) || error.reason !== 'account_refused') throw error;
      logger.error({ railAccountId: accountId }, 'rail account not compared after the restore');
      await storeRefusal(pool, epoch, accountId, error.reason);
    }
  }

  async function adopt(finding: Finding): Promise<void> {
    if (finding.kind === 'refund') return startRefund(finding);
    const { ownerId } = finding;
    if (!ownerId) return;
    if (ownerId.startsWith('ap_sub_')) return wakeSubscription(ownerId, finding);
    const claimId = await adoptAttempt(pool, { ...finding, ownerId });
    await wakeSession(ownerId, claimId);
  }

  /** By the claim's update, which also reaches a workflow in its start delay (rule 15). */
  async function wakeSession(checkoutId: string, claimId: string | null): Promise<void> {
    const handle = client.workflow.getHandle(checkoutId);
    try {
      if (claimId === null) return await handle.signal(wakeSignal);
      await client.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
        handle.executeUpdate(payUpdate, { args: [{ claimId }], updateId: claimId }),
      );
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) return;
      const session = await findSessionToStart(pool, checkoutId);
      if (session) await restartSession(deps, session);
    }
  }

  /** Its workflow claims the charge again; the next round stores the mark, and the workflow looks the charge up. */
  async function wakeSubscription(subscriptionId: string, { reference }: Finding): Promise<void> {
    const subscription = await findStartableSubscription(pool, subscriptionId);
    if (!subscription) return;
    if (!(await isChargeDue(pool, subscriptionId, reference))) return postpone(pool, reference);
    if (await restartSubscription(deps, subscription)) return;
    await client.workflow.getHandle(subscriptionId).signal(wakeSignal);
  }

  async function startRefund(finding: Finding): Promise<void> {
    const found = await findStartableRefund(pool, finding.reference);
    if (!found && !(await adoptRefund(pool, finding))) return;
    const refund = await findStartableRefund(pool, finding.reference);
    if (!refund) return;
    const start = { ...refundStart(refund, checkout.timings), ...ALSO_AFTER_COMPLETION };
    await client.workflow.start(REFUND_WORKFLOW, { ...start, workflowIdConflictPolicy: 'USE_EXISTING' });
  }

  async function adoptRound(
    epoch: number,
  ): Promise<RestoreProgress & { readonly waits: boolean; readonly moved: boolean }> {
    const before = await readRestoreProgress(pool, epoch);
    for (const reference of await matchFindings(pool, epoch))
      logger.error({ reference }, 'payment or refund ended otherwise at the rail');
    await eachAlone(logger, await openFindings(pool, epoch), adopt);
    const open = await openFindings(pool, epoch);
    const progress = await readRestoreProgress(pool, epoch);
    const waits = open.some((finding) => finding.waits);
    return { ...progress, waits, moved: progress.open !== before.open };
  }

  return {
    /** Calls begun before the fence end by their deadlines; then the rail's lists show them. */
    async beginComparison(epoch: number): Promise<RestoreProgress & { readonly waitMs: number }> {
      const { fencedAt } = await readLedgerCopy(pool);
      const lagMs = Math.max(0, ...[...rails.values()].map(({ trust }) => trust.lookupLagMs));
      const endMs = Date.parse(fencedAt ?? '') + 1_000 * checkout.railCallTimeoutSeconds + lagMs;
      const waitMs = fencedAt === null ? 0 : Math.max(0, endMs - Date.parse(await readClock(pool)));
      return { ...(await readRestoreProgress(pool, epoch)), waitMs };
    },

    async compareAccounts(epoch: number): Promise<RestoreProgress & { readonly more: boolean }> {
      const { compareSince } = await readLedgerCopy(pool);
      const end = performance.now() + COMPARE_MS;
      let next = await nextAccountToCompare(pool, epoch);
      for (; next && compareSince; next = await nextAccountToCompare(pool, epoch)) {
        await compare(epoch, next, compareSince);
        if (performance.now() > end) break;
      }
      return { ...(await readRestoreProgress(pool, epoch)), more: next !== null && compareSince !== null };
    },

    /** One round. `waits` while a difference with an owner is not settled. */
    adoptFindings: (epoch: number) => whileHeartbeating(() => adoptRound(epoch)),

    async finishRestore(epoch: number): Promise<RestoreProgress> {
      const listed = await listForAPerson(pool, epoch);
      for (const reference of listed)
        logger.error({ reference }, 'restored database lacks what the rail has');
      await liftFence(pool, epoch);
      logger.warn({ epoch }, 'fence lifted');
      return readRestoreProgress(pool, epoch);
    },
  };
}
