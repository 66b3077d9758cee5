/** One round of the sweep. A failing item is logged and does not stop the others. */
import { WorkflowNotFoundError } from '@temporalio/client';
import { forgetOldKeys } from '../../db/core/idempotency.ts';
import { alertOfDocument, writeDocumentsDue } from '../../db/invoice/documents-due.ts';
import { hearOfReturns } from '../../db/payment/orphaned-charges.ts';
import { forgetAbandonedTries } from '../../db/payment/unrecorded-outcomes.ts';
import { refundsToRemindOf } from '../../db/refund/refund-sweep.ts';
import * as left from '../../db/session/session-sweep.ts';
import { chargesInDoubtToRemindOf, overdueSubscriptions } from '../../db/subscription/subscription-sweep.ts';
import { endpointsOverdue } from '../../db/webhook/endpoint-sleep.ts';
import { recordEvent } from '../../db/webhook/events.ts';
import {
  restartSession,
  restartSubscription,
  startReconcile,
  startUnstartedSessions,
  startUnstartedSubscriptions,
} from '../../temporal/start-workflows.ts';
import { wakeEndpoints, wakeEndpointsOf } from '../../temporal/wake-endpoints.ts';
import { railNewsSignal, wakeSignal } from '../../workflows/core/messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { eachAlone } from '../core/each-alone.ts';
import { presentResolveRequests } from './present-resolve-requests.ts';
import {
  doubtFailedRefunds,
  findLostRefunds,
  hearOfRefunds,
  startUnstartedRefunds,
} from './start-refunds.ts';
import { beatOfSweep } from './sweep-heartbeat.ts';

const LIMIT = 500;

export function createSweepActivities(deps: ActivityDeps) {
  const { pool, client, logger } = deps;

  const chores: Readonly<Record<string, () => Promise<void>>> = {
    'start unstarted sessions': async () => {
      await startUnstartedSessions(deps);
    },
    'find lost sessions': findLostSessions,
    'start unstarted subscriptions': async () => {
      await startUnstartedSubscriptions(deps);
    },
    'find lost subscriptions': findLostSubscriptions,
    'start unstarted refunds': () => startUnstartedRefunds(deps),
    'find lost refunds': () => findLostRefunds(deps),
    'hear of refunds': () => hearOfRefunds(deps),
    'doubt failed refunds': () => doubtFailedRefunds(deps),
    'wake overdue endpoints': async () => wakeEndpoints(client, await endpointsOverdue(pool), logger),
    'present rail news': presentNews,
    'present requests to resolve': () => presentResolveRequests(deps),
    'return orphaned charges': async () => {
      const reopened = await hearOfReturns(pool);
      if (reopened.length > 0) {
        logger.error({ eventIds: reopened }, 'return of an orphaned charge reversed by the rail');
        void wakeEndpointsOf(deps, reopened);
      }
      await each(await left.unreturnedOrphans(pool, LIMIT), (orphan) => startReconcile(client, orphan));
    },
    'write documents that are due': writeDocuments,
    'remind of reconciliations': remindOfReconciliations,
    'forget abandoned tries': () => forgetAbandonedTries(pool),
    'forget old idempotency keys': async () => {
      await forgetOldKeys(pool);
    },
  };

  /** Restarts an overdue session whose run is missing; logs one that runs. */
  async function findLostSessions(): Promise<void> {
    await each(await left.overdueSessions(pool, LIMIT), async (checkout) => {
      const status = await runOf(checkout.id);
      const started = status === 'RUNNING' ? false : await restartSession(deps, checkout);
      logger.error({ checkoutId: checkout.id, workflow: status, started }, 'session is overdue');
    });
  }

  /** The same for subscriptions; a running one is woken. */
  async function findLostSubscriptions(): Promise<void> {
    await each(await overdueSubscriptions(pool, LIMIT), async (subscription) => {
      const { id: subscriptionId } = subscription;
      const status = await runOf(subscriptionId);
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
      if (!news.open) await startReconcile(client, { paymentId, merchantId, environment });
      else if (ownerId) await client.workflow.getHandle(ownerId).signal(railNewsSignal, { paymentId });
    });
    for (const unknown of await left.takeUnknownNews(pool))
      logger.error({ ...unknown }, 'rail news of an unknown reference');
  }

  async function writeDocuments(): Promise<void> {
    const { eventIds, stillDue } = await writeDocumentsDue(pool, LIMIT);
    if (eventIds.length > 0) void wakeEndpointsOf(deps, eventIds);
    await each(stillDue, async (document) => {
      const { reference, error } = document;
      logger.error({ reference, code: error }, 'document still not written');
      void wakeEndpointsOf(deps, [await alertOfDocument(pool, document)]);
    });
  }

  async function remindOfReconciliations(): Promise<void> {
    await each(await left.reconciliationsToRemindOf(pool), (session) => remind(session, session.id));
    await each(await chargesInDoubtToRemindOf(pool), (charge) => remind(charge, charge.paymentId));
    await each(await refundsToRemindOf(pool), (refund) => remind(refund, refund.id));
  }

  /** Once a week per `doubt`, which identifies the cause: a new doubt starts a new series. */
  async function remind({ id, weeks, ...scope }: left.Reminder, doubt: string): Promise<void> {
    const eventId = await pool.transaction((tx) =>
      recordEvent(tx, {
        scope,
        type: 'billing.operational_alert',
        aggregateId: `${doubt}-reconciliation`,
        aggregateVersion: weeks,
        alert: { code: 'reconciliation_required', reference: id },
      }),
    );
    void wakeEndpointsOf(deps, [eventId]);
  }

  /** A missing run must not stop the rest. */
  function each<Item>(items: readonly Item[], act: (item: Item) => Promise<unknown>): Promise<void> {
    return eachAlone(logger, items, act);
  }

  return {
    async sweepOnce(): Promise<void> {
      for (const [name, chore] of Object.entries(chores)) {
        await chore().catch((err: unknown) => logger.error({ err, chore: name }, 'sweep chore failed'));
      }
      await beatOfSweep(pool);
    },
  };
}
