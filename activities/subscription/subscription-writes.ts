/** Database writes of the subscription workflow: one short transaction each. */
import { WorkflowUpdateFailedError } from '@temporalio/client';
import { WorkflowNotFoundError } from '@temporalio/common';
import type { Pool } from '../../db/core/pool.ts';
import { mustNotResolve } from '../../db/payment/resolve-requests.ts';
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
import type { SubscriptionView } from '../../domain/subscription/subscription-steps.ts';
import {
  methodUpdatedUpdate,
  type SubscriptionOperation,
} from '../../workflows/subscription/subscription-messages.ts';
import type { ActivityDeps } from '../core/deps.ts';
import { withLinks } from '../core/subject-links.ts';
import { startReconcileNow } from '../payment/start-reconcile.ts';

async function load({ pool, pages }: ActivityDeps, subscriptionId: string): Promise<SubscriptionView> {
  const view = await loadSubscriptionView(pool, subscriptionId);
  return view.reconciling ? withLinks(view, subscriptionId, pages) : view;
}

/** The subscription after the write. */
async function viewAfter(
  deps: ActivityDeps,
  subscriptionId: string,
  write: (pool: Pool, subscriptionId: string) => Promise<unknown>,
): Promise<SubscriptionView> {
  await write(deps.pool, subscriptionId);
  return load(deps, subscriptionId);
}

/**
 * Wakes the subscription's workflow after its method was replaced. A workflow that has ended, or that the sweep has
 * yet to start, finds the due charge in its row.
 */
async function tellSubscription({ pool, client }: ActivityDeps, methodChangeId: string): Promise<void> {
  const subscriptionId = await subscriptionOfMethodChange(pool, methodChangeId);
  if (subscriptionId === null) return;
  try {
    await client.workflow
      .getHandle(subscriptionId)
      .executeUpdate(methodUpdatedUpdate, { updateId: methodChangeId });
  } catch (error) {
    const over = error instanceof WorkflowNotFoundError || error instanceof WorkflowUpdateFailedError;
    if (!over) throw error;
  }
}

type ChargeOutcome = Omit<ChargeOutcomeToRecord, 'dunningLadderDays'>;

function recordCharge(deps: ActivityDeps, outcome: ChargeOutcome): Promise<SubscriptionView> {
  const { dunningLadderDays } = deps.billing;
  return viewAfter(deps, outcome.subscriptionId, (pool) => record(pool, { ...outcome, dunningLadderDays }));
}

interface OperationOfSubscription {
  readonly subscriptionId: string;
  readonly operation: SubscriptionOperation;
}

async function operateSubscription(
  deps: ActivityDeps,
  { subscriptionId, operation }: OperationOfSubscription,
): Promise<{ readonly answer: OperationAnswer; readonly view: SubscriptionView }> {
  const answer = await operate(deps.pool, subscriptionId, operation);
  return { answer, view: await load(deps, subscriptionId) };
}

function operate(
  pool: Pool,
  subscriptionId: string,
  operation: SubscriptionOperation,
): Promise<OperationAnswer> {
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

type ChargeResolution = Omit<SubscriptionResolution, 'dunningLadderDays'>;

/** `written` is false when the charge was settled or the subscription changed meanwhile. */
async function resolveSubscription(
  deps: ActivityDeps,
  input: ChargeResolution,
): Promise<{ readonly written: boolean; readonly view: SubscriptionView }> {
  const { dunningLadderDays } = deps.billing;
  const refused = await mustNotResolve(deps.pool, input.request, input.paymentId, deps.secondPersonAbove);
  const written = !refused && (await resolve(deps.pool, { ...input, dunningLadderDays }));
  if (written) void startReconcileNow(deps, input.paymentId);
  return { written, view: await load(deps, input.subscriptionId) };
}

export function createSubscriptionWrites(deps: ActivityDeps) {
  return {
    tellSubscription: (methodChangeId: string) => tellSubscription(deps, methodChangeId),
    loadSubscription: (id: string) => load(deps, id),
    giveUpSubscription: (id: string) => viewAfter(deps, id, renewing.giveUp),
    cancelAsRequested: (id: string) => viewAfter(deps, id, renewing.cancelAsRequested),
    reachClockTarget: (id: string) => viewAfter(deps, id, renewing.reachClockTarget),
    recordCharge: (outcome: ChargeOutcome) => recordCharge(deps, outcome),
    operateSubscription: (input: OperationOfSubscription) => operateSubscription(deps, input),
    resolveSubscription: (input: ChargeResolution) => resolveSubscription(deps, input),
  };
}
