/** Database writes of the subscription workflow: one short transaction each. */
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { Pool } from '../../db/core/pool.ts';
import { subscriptionOfSession } from '../../db/session/method-changes.ts';
import { advanceSubscription } from '../../db/subscription/advance-subscription.ts';
import { announce } from '../../db/subscription/announce-trial-end-or-renewal.ts';
import { cancelSubscription, undoCancel } from '../../db/subscription/cancel-subscription.ts';
import { changePlanNow } from '../../db/subscription/change-now.ts';
import type { Operation, OperationAnswer } from '../../db/subscription/core/subscription-operations.ts';
import { moveTrial } from '../../db/subscription/move-trial.ts';
import { pauseSubscription, resumeSubscription } from '../../db/subscription/pause-subscription.ts';
import { payInvoice } from '../../db/subscription/pay-invoice.ts';
import { loadSubscriptionView } from '../../db/subscription/read/subscription-view.ts';
import * as renewing from '../../db/subscription/renew-subscription.ts';
import { cancelChange, scheduleChange } from '../../db/subscription/subscription-changes.ts';
import type { SubscriptionView } from '../../domain/subscription/subscription-view.ts';
import { operationKeyOf, updateIdOf } from '../../platform/temporal/messages.ts';
import { send } from '../../platform/temporal/send.ts';
import {
  methodUpdatedUpdate,
  type SubscriptionOperation,
} from '../../workflows/subscription/subscription-messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { withLinks } from '../core/subject-links.ts';

export async function loadSubscription(
  { pool, pages }: ActivityDeps,
  subscriptionId: string,
): Promise<SubscriptionView> {
  const view = await loadSubscriptionView(pool, subscriptionId);
  return view.reconciling ? withLinks(view, subscriptionId, pages) : view;
}

/** Returns the subscription after a write. */
async function viewAfter(
  deps: ActivityDeps,
  subscriptionId: string,
  write: (pool: Pool, subscriptionId: string) => Promise<unknown>,
): Promise<SubscriptionView> {
  await write(deps.pool, subscriptionId);
  return loadSubscription(deps, subscriptionId);
}

/**
 * Notifies the subscription's workflow after the payment method was replaced or an invoice paid. If the workflow has
 * ended or is not started yet, its next run finds the due charge in the row.
 */
async function tellSubscription(deps: ActivityDeps, checkoutId: string): Promise<void> {
  const subscriptionId = await subscriptionOfSession(deps.pool, checkoutId);
  if (subscriptionId === null) return;
  const updateId = await updateIdOf(deps.pool, checkoutId);
  try {
    await send(deps, subscriptionId, (run) => run.executeUpdate(methodUpdatedUpdate, { updateId }));
  } catch (error) {
    const over = error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError;
    if (!over) throw error;
  }
}

interface OperationOfSubscription {
  readonly subscriptionId: string;
  readonly operation: SubscriptionOperation;
}

async function operateSubscription(
  deps: ActivityDeps,
  { subscriptionId, operation }: OperationOfSubscription,
): Promise<{ readonly answer: OperationAnswer; readonly view: SubscriptionView }> {
  const operate: Operate<never> = OPERATIONS[operation.kind];
  const operationKey = operationKeyOf(operation.operationKey);
  const answer = await operate(deps.pool, { subscriptionId, ...operation, operationKey } as never);
  return { answer, view: await loadSubscription(deps, subscriptionId) };
}

type Operate<Asked> = (pool: Pool, operation: Asked & Operation) => Promise<OperationAnswer>;

const OPERATIONS: {
  readonly [Kind in SubscriptionOperation['kind']]: Operate<Extract<SubscriptionOperation, { kind: Kind }>>;
} = {
  scheduleChange,
  changeNow: changePlanNow,
  cancelChange,
  cancel: cancelSubscription,
  undoCancel,
  pause: pauseSubscription,
  resume: resumeSubscription,
  moveTrial,
  payInvoice,
  advanceClock: advanceSubscription,
};

export function createSubscriptionWrites(deps: ActivityDeps) {
  return {
    tellSubscription: (checkoutId: string) => tellSubscription(deps, checkoutId),
    loadSubscription: (id: string) => loadSubscription(deps, id),
    giveUpSubscription: (id: string) => viewAfter(deps, id, renewing.giveUp),
    cancelAsRequested: (id: string) => viewAfter(deps, id, renewing.cancelAsRequested),
    announceCharge: (id: string) => viewAfter(deps, id, announce),
    reachClockTarget: (id: string) => viewAfter(deps, id, renewing.reachClockTarget),
    operateSubscription: (input: OperationOfSubscription) => operateSubscription(deps, input),
  };
}
