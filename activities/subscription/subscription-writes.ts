/** Database writes of the subscription workflow: one short transaction each. */
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import { subscriptionOfMethodChange } from '../../db/session/method-changes.ts';
import { advanceSubscription } from '../../db/subscription/advance-subscription.ts';
import { cancelSubscription } from '../../db/subscription/cancel-subscription.ts';
import { type ChargeOutcomeToRecord, recordCharge as record } from '../../db/subscription/record-charge.ts';
import * as renewing from '../../db/subscription/renew-subscription.ts';
import {
  resolveSubscription as resolve,
  type SubscriptionResolution,
} from '../../db/subscription/resolve-subscription.ts';
import { cancelChange, scheduleChange } from '../../db/subscription/subscription-changes.ts';
import type { OperationAnswer } from '../../db/subscription/subscription-operations.ts';
import { loadSubscriptionView } from '../../db/subscription/subscription-view.ts';
import type { SubscriptionView } from '../../domain/subscription-plan.ts';
import {
  methodUpdatedUpdate,
  type SubscriptionOperation,
} from '../../workflows/subscription/subscription-messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { keepAsking } from '../payment/keep-asking.ts';

export function createBillingActivities(deps: ActivityDeps) {
  const { pool } = deps;
  const { dunningLadderDays } = deps.billing;

  /** As it stands after the write. */
  async function viewAfter(subscriptionId: string, written: Promise<void>): Promise<SubscriptionView> {
    await written;
    return loadSubscriptionView(pool, subscriptionId);
  }

  function operate(subscriptionId: string, operation: SubscriptionOperation): Promise<OperationAnswer> {
    const { operationKey } = operation;
    switch (operation.kind) {
      case 'scheduleChange':
        return scheduleChange(pool, { subscriptionId, operationKey, ...operation.change });
      case 'cancelChange':
        return cancelChange(pool, { subscriptionId, operationKey, changeId: operation.changeId });
      case 'cancel':
        return cancelSubscription(pool, { subscriptionId, operationKey, atPeriodEnd: operation.atPeriodEnd });
      case 'advanceClock':
        return advanceSubscription(pool, { subscriptionId, operationKey, to: operation.to });
    }
  }

  return {
    /**
     * Wakes the subscription's workflow after its method was replaced. A workflow that has ended, or that the sweep has
     * yet to start, finds the due charge in its row.
     */
    async tellSubscription(methodChangeId: string): Promise<void> {
      const subscriptionId = await subscriptionOfMethodChange(pool, methodChangeId);
      if (subscriptionId === null) return;
      try {
        await deps.client.workflow
          .getHandle(subscriptionId)
          .executeUpdate(methodUpdatedUpdate, { updateId: methodChangeId });
      } catch (error) {
        const over = error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError;
        if (!over) throw error;
      }
    },

    loadSubscription(subscriptionId: string): Promise<SubscriptionView> {
      return loadSubscriptionView(pool, subscriptionId);
    },

    crossBoundary(subscriptionId: string): Promise<SubscriptionView> {
      return viewAfter(subscriptionId, renewing.crossBoundary(pool, subscriptionId));
    },

    chargeOldest(subscriptionId: string): Promise<SubscriptionView> {
      return viewAfter(subscriptionId, renewing.chargeOldest(pool, subscriptionId));
    },

    giveUpSubscription(subscriptionId: string): Promise<SubscriptionView> {
      return viewAfter(subscriptionId, renewing.giveUp(pool, subscriptionId));
    },

    cancelAsRequested(subscriptionId: string): Promise<SubscriptionView> {
      return viewAfter(subscriptionId, renewing.cancelAsRequested(pool, subscriptionId));
    },

    reachClockTarget(subscriptionId: string): Promise<SubscriptionView> {
      return viewAfter(subscriptionId, renewing.reachClockTarget(pool, subscriptionId));
    },

    recordCharge(input: Omit<ChargeOutcomeToRecord, 'dunningLadderDays'>): Promise<SubscriptionView> {
      return viewAfter(input.subscriptionId, record(pool, { ...input, dunningLadderDays }));
    },

    async operateSubscription(input: {
      readonly subscriptionId: string;
      readonly operation: SubscriptionOperation;
    }): Promise<{ readonly answer: OperationAnswer; readonly view: SubscriptionView }> {
      const answer = await operate(input.subscriptionId, input.operation);
      return { answer, view: await loadSubscriptionView(pool, input.subscriptionId) };
    },

    /** `written` is false when the charge was settled or the subscription changed meanwhile. */
    async resolveSubscription(
      input: Omit<SubscriptionResolution, 'dunningLadderDays'>,
    ): Promise<{ readonly written: boolean; readonly view: SubscriptionView }> {
      const written = await resolve(pool, { ...input, dunningLadderDays });
      if (written) void keepAsking(deps, input.paymentId);
      return { written, view: await loadSubscriptionView(pool, input.subscriptionId) };
    },
  };
}
