/**
 * A subscription's workflow as seen from outside. An operation's update id is its operation key: the API
 * derives it from the idempotency key, so that a retry after a time-out joins the first request; the database
 * keeps the answer after this run (rule 13).
 */
import type { SearchAttributePair } from '@temporalio/common';
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Environment } from '../../domain/core/environment.ts';
import type { LookupTimings } from '../../domain/core/lookup-schedule.ts';
import { type Currency, plainAmount } from '../../domain/core/money.ts';
import type { ResolveCommand } from '../../domain/core/resolution.ts';
import type { SubscriptionStatus } from '../../domain/subscription/subscription.ts';
import { clip } from '../core/clip.ts';
import { searchAttributes, taskQueue } from '../core/messages.ts';
import { environment, lookupTimings, message, text } from '../core/parse-message.ts';

export const SUBSCRIPTION_WORKFLOW = 'subscription';

/** The workflow id is the subscription's, for ever; each new run starts with these ids alone. */
export interface SubscriptionInput {
  readonly subscriptionId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  /** Look-ups after an unknown outcome of a charge. */
  readonly timings: LookupTimings;
}

export const subscriptionInput = message<SubscriptionInput>({
  subscriptionId: text,
  merchantId: text,
  environment,
  timings: lookupTimings,
});

export interface ScheduleChangeCommand {
  readonly type: 'plan_change' | 'offering_change';
  readonly targetPlanId: string;
  readonly targetOfferingId: string | null;
}
export interface CancelChangeCommand {
  readonly changeId: string;
}
export interface CancelSubscriptionCommand {
  readonly atPeriodEnd: boolean;
}
export interface AdvanceClockCommand {
  readonly to: string;
}

/** A merchant's operation; `operationKey` is the update's id. */
export type SubscriptionOperation =
  | {
      readonly kind: 'scheduleChange';
      readonly operationKey: string;
      readonly change: ScheduleChangeCommand;
    }
  | { readonly kind: 'cancelChange'; readonly operationKey: string; readonly changeId: string }
  | { readonly kind: 'cancel'; readonly operationKey: string; readonly atPeriodEnd: boolean }
  | { readonly kind: 'advanceClock'; readonly operationKey: string; readonly to: string };

export type OperationAnswer =
  | { readonly kind: 'done'; readonly changeId: string | null }
  /** An error code of the API. */
  | { readonly kind: 'refused'; readonly reason: string };

export interface SubscriptionStateAnswer {
  readonly status: SubscriptionStatus;
}

export const scheduleChangeUpdate = defineUpdate<OperationAnswer, [ScheduleChangeCommand]>('scheduleChange');
export const cancelChangeUpdate = defineUpdate<OperationAnswer, [CancelChangeCommand]>('cancelChange');
export const cancelSubscriptionUpdate = defineUpdate<OperationAnswer, [CancelSubscriptionCommand]>('cancel');
export const advanceClockUpdate = defineUpdate<OperationAnswer, [AdvanceClockCommand]>('advanceClock');
/** The method was replaced: unpaid invoices are charged at once. */
export const methodUpdatedUpdate = defineUpdate<SubscriptionStateAnswer>('methodUpdated');
export const resolveChargeUpdate = defineUpdate<SubscriptionStateAnswer, [ResolveCommand]>('resolve');

export interface SubscriptionWorkflowStatus {
  readonly status: SubscriptionStatus;
  readonly currentPeriodEnd: string | null;
  readonly openPaymentId: string | null;
  readonly needsOperator: boolean;
  readonly dunning: { readonly step: number; readonly steps: number; readonly endsAt: string } | null;
  readonly change: { readonly type: string; readonly effectiveAt: string } | null;
  readonly cancelAtPeriodEnd: boolean;
  readonly waitingFor: string;
  /** By the subscription's clock; null during look-ups, or when nothing is due. */
  readonly nextActionAt: string | null;
}
export const subscriptionStatusQuery = defineQuery<SubscriptionWorkflowStatus | null>('status');

/** The columns needed to start a subscription's workflow. */
export interface SubscriptionToStart {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly status: SubscriptionStatus;
  readonly planName: string;
  readonly amount: number;
  readonly currency: Currency;
  readonly nextActionAt: string;
}

/**
 * Start options. Unlike a session's, without start delay: when an update wakes a delayed run early and it continues as
 * new, the next run still waits for the end of the delay (seen on server 1.29.1: the server enforces a second between
 * runs and counts a run's life from the end of its delay).
 */
export function subscriptionStart(subscription: SubscriptionToStart, timings: LookupTimings) {
  const { id, merchantId, environment, nextActionAt } = subscription;
  const amount = plainAmount(subscription.amount, subscription.currency);
  return {
    taskQueue: taskQueue('billing', environment),
    workflowId: id,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
    workflowIdConflictPolicy: 'FAIL' as const,
    args: [{ subscriptionId: id, merchantId, environment, timings }] as [SubscriptionInput],
    typedSearchAttributes: [
      { key: searchAttributes.merchantId, value: merchantId },
      { key: searchAttributes.environment, value: environment },
      { key: searchAttributes.lifecycleState, value: subscription.status },
      { key: searchAttributes.needsOperator, value: false },
      { key: searchAttributes.nextActionAt, value: new Date(nextActionAt) },
    ] as SearchAttributePair[],
    // At most 200 bytes.
    staticSummary: `${clip(subscription.planName, 60)} · ${amount} · ${environment}`,
    staticDetails:
      `Subscription of merchant \`${merchantId}\` (${environment}). Each period is a run of its own; *current ` +
      'details* say where it stands.',
  };
}
