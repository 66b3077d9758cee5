/** One round of the sweep. A failing item is logged and does not stop the others. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { forgetOldKeys } from '../../db/core/idempotency.ts';
import { markLedgerCopy } from '../../db/core/ledger-copy.ts';
import { forgetOldPolicyReports } from '../../db/core/policy-reports.ts';
import { forgetOldRequestCounts } from '../../db/core/request-counts.ts';
import { inTransaction } from '../../db/core/settlement.ts';
import { alertOfDocument, writeDocumentsDue } from '../../db/invoice/documents-due.ts';
import { forgetOldRailAnswers } from '../../db/payment/rail-answers.ts';
import { forgetAbandonedTries } from '../../db/payment/unrecorded-outcomes.ts';
import { refundsToRemindOf } from '../../db/refund/refund-sweep.ts';
import { closeLaterFindings } from '../../db/restore/close-findings.ts';
import * as left from '../../db/session/session-sweep.ts';
import {
  chargesInDoubtToRemindOf,
  findOverdueSubscription,
  overdueSubscriptions,
} from '../../db/subscription/subscription-sweep.ts';
import { endpointsOverdue } from '../../db/webhook/endpoint-sleep.ts';
import { recordEvent } from '../../db/webhook/events.ts';
import { withinBudget } from '../../temporal/chore-budget.ts';
import { fenceRestored } from '../../temporal/restored.ts';
import {
  restartSession,
  restartSubscription,
  startReconcile,
  startUnstartedSessions,
  startUnstartedSubscriptions,
  tellReconcile,
} from '../../temporal/start-workflows.ts';
import { wakeEndpoints } from '../../temporal/wake-endpoints.ts';
import { railNewsSignal, wakeSignal } from '../../workflows/core/messages.ts';
import type { SweepResult } from '../../workflows/core/sweep-messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';
import { followDisputes } from '../dispute/follow-disputes.ts';
import { presentResolveRequests } from './present-resolve-requests.ts';
import { claimResender } from './resend-claims.ts';
import { returnOrphans } from './return-orphans.ts';
import { sealPlainTokens } from './seal-plain-tokens.ts';
import {
  applyRefundNews,
  findLostRefunds,
  judgeContradictedRefunds,
  startUnstartedRefunds,
} from './start-refunds.ts';
import { beatOfSweep } from './sweep-heartbeat.ts';

const LIMIT = 500;

interface Chore {
  readonly name: string;
  /** Time budget; together they stay below the activity's 50 s. */
  readonly seconds: number;
  run(): Promise<void>;
}

export function createSweepActivities(deps: ActivityDeps) {
  const { pool, client, logger } = deps;
  const resendClaims = claimResender(deps);

  /** In order of urgency: a buyer's money first, rows that can wait a day last (rule 41). */
  const chores: readonly Chore[] = [
    { name: 'resend claims without a call', seconds: 4, run: resendClaims },
    { name: 'present rail news', seconds: 4, run: presentNews },
    { name: 'present requests to resolve', seconds: 3, run: () => presentResolveRequests(deps) },
    { name: 'return orphaned charges', seconds: 4, run: () => returnOrphans(deps) },
    { name: 'start unstarted refunds', seconds: 2, run: () => startUnstartedRefunds(deps) },
    { name: 'find lost refunds', seconds: 2, run: () => findLostRefunds(deps) },
    { name: 'apply refund news', seconds: 2, run: () => applyRefundNews(deps) },
    { name: 'judge contradicted refunds', seconds: 3, run: () => judgeContradictedRefunds(deps) },
    { name: 'follow disputes', seconds: 2, run: () => followDisputes(deps) },
    {
      name: 'start unstarted sessions',
      seconds: 3,
      run: async () => void (await startUnstartedSessions(deps)),
    },
    { name: 'find lost sessions', seconds: 4, run: findLostSessions },
    {
      name: 'start unstarted subscriptions',
      seconds: 2,
      run: async () => void (await startUnstartedSubscriptions(deps)),
    },
    { name: 'find lost subscriptions', seconds: 3, run: findLostSubscriptions },
    {
      name: 'wake overdue endpoints',
      seconds: 2,
      run: async () => wakeEndpoints(client, await endpointsOverdue(pool), logger),
    },
    { name: 'write documents that are due', seconds: 2, run: writeDocuments },
    { name: 'remind of reconciliations', seconds: 2, run: remindOfReconciliations },
    { name: 'close findings of restores', seconds: 1, run: closeFindings },
    { name: 'forget abandoned tries', seconds: 1, run: () => forgetAbandonedTries(pool) },
    { name: 'seal plain page tokens', seconds: 1, run: () => sealPlainTokens(deps) },
    { name: 'forget old idempotency keys', seconds: 2, run: async () => void (await forgetOldKeys(pool)) },
    { name: 'forget old counts', seconds: 1, run: forgetOldCounts },
  ];

  async function closeFindings(): Promise<void> {
    for (const reference of await closeLaterFindings(pool))
      logger.error({ reference }, 'payment or refund ended otherwise at the rail');
  }

  async function forgetOldCounts(): Promise<void> {
    await forgetOldRequestCounts(pool);
    await forgetOldPolicyReports(pool);
    await forgetOldRailAnswers(pool);
  }

  /**
   * Restarts an overdue session whose run is missing, and wakes one that runs. Each row is read again first: behind
   * 500 others, the session may have acted since the list was made (rule 41).
   */
  async function findLostSessions(): Promise<void> {
    await each(await left.overdueSessions(pool, LIMIT), async ({ id: checkoutId }) => {
      const status = await runOf(checkoutId);
      const checkout = await left.findOverdueSession(pool, checkoutId);
      if (!checkout) return;
      const started = status === 'RUNNING' ? false : await restartSession(deps, checkout);
      if (status === 'RUNNING') await client.workflow.getHandle(checkoutId).signal(wakeSignal);
      logger.error({ checkoutId, workflow: status, started }, 'session is overdue');
    });
  }

  /** The same for subscriptions. */
  async function findLostSubscriptions(): Promise<void> {
    await each(await overdueSubscriptions(pool, LIMIT), async ({ id: subscriptionId }) => {
      const status = await runOf(subscriptionId);
      const subscription = await findOverdueSubscription(pool, subscriptionId);
      if (!subscription) return;
      const started = status === 'RUNNING' ? false : await restartSubscription(deps, subscription);
      if (status === 'RUNNING') await client.workflow.getHandle(subscriptionId).signal(wakeSignal);
      logger.error({ subscriptionId, workflow: status, started }, 'subscription is overdue');
    });
  }

  function runOf(workflowId: string): Promise<string> {
    return client.workflow
      .getHandle(workflowId)
      .describe()
      .then(({ status }) => status.name)
      .catch((error: unknown) => {
        if (error instanceof WorkflowNotFoundError) return 'NOT_FOUND';
        throw error;
      });
  }

  async function presentNews(): Promise<void> {
    await each(await left.paymentsWithUnappliedNews(pool, LIMIT), async (news) => {
      const { paymentId, ownerId, merchantId, environment } = news;
      const judge = { paymentId, merchantId, environment };
      if (news.open) {
        if (ownerId) await client.workflow.getHandle(ownerId).signal(railNewsSignal, { paymentId });
      } else if (news.presented) {
        // News stays unapplied while the rail does not answer: a signal each minute would cause a look-up
        // each minute.
        await startReconcile(client, judge);
      } else {
        await tellReconcile(client, judge);
        await left.markNewsPresented(pool, paymentId);
      }
    });
    for (const unknown of await left.takeUnknownNews(pool))
      logger.error(
        {
          ...unknown,
          reference: unknown.reference?.slice(0, 100),
          rail_reference: unknown.rail_reference?.slice(0, 100),
        },
        'rail news of an unknown reference',
      );
  }

  async function writeDocuments(): Promise<void> {
    await each(await writeDocumentsDue(pool, LIMIT), async (document) => {
      const { reference, error } = document;
      logger.error({ reference, code: error }, 'document still not written');
      await alertOfDocument(pool, document);
    });
  }

  async function remindOfReconciliations(): Promise<void> {
    await each(await left.reconciliationsToRemindOf(pool), (session) => remind(session, session.id));
    await each(await chargesInDoubtToRemindOf(pool), (charge) => remind(charge, charge.paymentId));
    await each(await refundsToRemindOf(pool), (refund) => remind(refund, refund.id));
  }

  /** Once a week per `doubt`, which identifies the cause: a new doubt starts a new series. */
  async function remind({ id, weeks, ...scope }: left.Reminder, doubt: string): Promise<void> {
    await inTransaction(pool, (tx) =>
      recordEvent(tx, {
        scope,
        type: 'billing.operational_alert',
        aggregateId: `${doubt}-reconciliation`,
        aggregateVersion: weeks,
        alert: { code: 'reconciliation_required', reference: id },
      }),
    );
  }

  /** A missing run must not stop the rest. */
  function each<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
    return eachAlone(logger, items, act);
  }

  return {
    async sweepOnce(): Promise<SweepResult> {
      const { mark: remembered, isComplete } = await fenceRestored(deps);
      for (const { name, seconds, run } of chores) {
        await withinBudget(client, seconds, run).catch((err: unknown) =>
          logger.error({ err, chore: name }, 'sweep chore failed'),
        );
      }
      await beatOfSweep(pool);
      // A mark in ignorance of a higher one would hide that the database was restored.
      const mark = isComplete ? await markLedgerCopy(pool, remembered) : null;
      return { mark: mark ?? remembered };
    },
  };
}
