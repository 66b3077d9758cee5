/**
 * A subscription's workflow as seen from outside. The update id of an operation contains its operation key, which the
 * API derives from the idempotency key: a retry after a time-out joins the first request. The database keeps the answer
 * after the run has ended (rule 13).
 */
import type { SearchAttributePair } from '@temporalio/common';
import { defineUpdate } from '@temporalio/workflow';
import type { Environment } from '../../domain/core/environment.ts';
import type { LookupTimings } from '../../domain/core/lookup-schedule.ts';
import { type Currency, plainAmount } from '../../domain/core/money.ts';
import type { WantedChange } from '../../domain/subscription/operations.ts';
import type { SubscriptionStatus } from '../../domain/subscription/subscription.ts';
import { clip } from '../core/clip.ts';
import { type CommandOf, update } from '../core/inbox.ts';
import {
  railWebhookSignal,
  resolveCommand,
  resolveRequestedSignal,
  searchAttributes,
  wakeSignal,
} from '../core/messages.ts';
import {
  count,
  environment,
  id,
  instant,
  lookupTimings,
  message,
  nothing,
  nullable,
  oneOf,
  type Parser,
  text,
  trueOrFalse,
} from '../core/parse-message.ts';
import { taskQueue } from '../core/task-queues.ts';

export const SUBSCRIPTION_WORKFLOW = 'subscription';

/** The workflow id is always the subscription's id; each new run starts with only these ids. */
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

export type OperationAnswer =
  | { readonly kind: 'done'; readonly changeId: string | null; readonly paymentId?: string | undefined }
  /** `reason` is an error code of the API. */
  | { readonly kind: 'refused'; readonly reason: string; readonly total?: number | undefined };

export interface SubscriptionStateAnswer {
  readonly status: SubscriptionStatus;
}

/** Optional when typed by hand. With milliseconds, because instants are compared as strings. */
const calculatedAt: Parser<string | null> = (given, name) =>
  given === undefined || given === null ? null : new Date(instant(given, name)).toISOString();

interface Previewable {
  readonly calculatedAt?: string | null;
}
const changeOfPlan = {
  type: oneOf('plan_change', 'offering_change'),
  targetPlanId: id,
  targetOfferingId: nullable(id),
  calculatedAt,
};
const changeOfQuantity = { type: oneOf('quantity_change'), quantity: count, calculatedAt };

function isOfQuantity(given: unknown): boolean {
  return typeof given === 'object' && given !== null && Reflect.get(given, 'type') === 'quantity_change';
}

const change: Parser<WantedChange> = (given, name) =>
  message<WantedChange>(isOfQuantity(given) ? changeOfQuantity : changeOfPlan)(given, name);

export const scheduleChangeUpdate = update<OperationAnswer>()(
  'scheduleChange',
  change,
  'Schedules a change for the end of the period: { "type": "plan_change" | "offering_change", ' +
    '"targetPlanId", "targetOfferingId" (null for a plan change) } or { "type": "quantity_change", "quantity" }, with ' +
    '"calculatedAt" (of its preview; may be left out). Sent by the API.',
);
export const changeNowUpdate = update<OperationAnswer>()(
  'changeNow',
  change,
  'Charges the difference of a change now; the change applies when it is paid. Takes the input of scheduleChange. Sent by the API.',
);
export const cancelChangeUpdate = update<OperationAnswer>()(
  'cancelChange',
  message({ changeId: id }),
  'Cancels a scheduled change: { "changeId": "ap_chg_…" }.',
);
export const cancelSubscriptionUpdate = update<OperationAnswer>()(
  'cancel',
  message<Previewable & { readonly atPeriodEnd: boolean }>({ atPeriodEnd: trueOrFalse, calculatedAt }),
  'Ends the subscription: { "atPeriodEnd": false } at once (an open charge is settled first), true with ' +
    'its period. "calculatedAt" as in scheduleChange.',
);
export const undoCancelUpdate = update<OperationAnswer>()(
  'undoCancel',
  message({}),
  'Undoes a cancellation at the end of the period, before that end: {}. Sent by the API.',
);
export const pauseSubscriptionUpdate = update<OperationAnswer>()(
  'pause',
  message({ resumesAt: nullable(instant) }),
  'Pauses the subscription from the end of its paid period: { "resumesAt": "2027-01-31T00:00:00Z" | null }. Sent by the API.',
);
export const resumeSubscriptionUpdate = update<OperationAnswer>()(
  'resume',
  message<Previewable>({ calculatedAt }),
  'Ends a pause and charges a period from now on, or cancels a pause that has not begun: {}. "calculatedAt" as in ' +
    'scheduleChange. Sent by the API.',
);
export const moveTrialUpdate = update<OperationAnswer>()(
  'moveTrial',
  message<Previewable & { readonly endsAt: string | null }>({ endsAt: nullable(instant), calculatedAt }),
  'Moves the end of the trial: { "endsAt": "2027-01-31T00:00:00Z" | null }, null for now. "calculatedAt" as in ' +
    'scheduleChange. Sent by the API.',
);
export const payInvoiceUpdate = update<OperationAnswer>()(
  'payInvoice',
  message({ invoiceId: id }),
  'Charges an unpaid invoice once now, in addition to the retry schedule: { "invoiceId": "ap_inv_…" }. Sent by the API.',
);
export const advanceClockUpdate = update<OperationAnswer>()(
  'advanceClock',
  message({ to: instant }),
  'Sandbox only: moves this subscription\'s clock forward, { "to": "2027-01-31T00:00:00Z" }.',
);
export const methodUpdatedUpdate = {
  ...defineUpdate<SubscriptionStateAnswer, [], 'methodUpdated'>('methodUpdated'),
  parse: nothing,
  description:
    'The method was replaced, or an invoice paid by link: reads the row again. Sent by methodChange and paymentLink.',
};
export const resolveChargeUpdate = update<SubscriptionStateAnswer>()(
  'resolve',
  resolveCommand,
  'Settles a charge whose outcome the rail does not report: { "outcome": "succeeded" | "failed", "operator", ' +
    '"reason", "evidence" }. The rail is asked once more, and its answer takes precedence; writes an audit row.',
);

const OPERATIONS = [
  scheduleChangeUpdate,
  changeNowUpdate,
  cancelChangeUpdate,
  cancelSubscriptionUpdate,
  undoCancelUpdate,
  pauseSubscriptionUpdate,
  resumeSubscriptionUpdate,
  moveTrialUpdate,
  payInvoiceUpdate,
  advanceClockUpdate,
] as const;
/** A merchant's operation; its `operationKey` is the update's id. */
export type SubscriptionOperation = CommandOf<(typeof OPERATIONS)[number]> & {
  readonly operationKey: string;
};

export const MESSAGES = [
  ...OPERATIONS,
  methodUpdatedUpdate,
  resolveChargeUpdate,
  resolveRequestedSignal,
  railWebhookSignal,
  wakeSignal,
] as const;
export type SubscriptionCommand = CommandOf<(typeof MESSAGES)[number]>;

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
 * Start options. Unlike a session's, without a start delay: if an update wakes a delayed run early and the run
 * continues as new, the next run still waits until the delay ends (seen on server 1.29.1: the server enforces a second
 * between runs and counts a run's life from the end of its delay).
 */
export function subscriptionStart(subscription: SubscriptionToStart, timings: LookupTimings) {
  const { id, merchantId, environment, nextActionAt } = subscription;
  const amount = plainAmount(subscription.amount, subscription.currency);
  return {
    taskQueue: taskQueue('billing', environment),
    workflowId: id,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
    workflowIdConflictPolicy: 'FAIL' as const,
    // Serve merchants fairly: renewals must not wait behind another merchant's burst (rule 42).
    priority: { fairnessKey: merchantId },
    args: [{ subscriptionId: id, merchantId, environment, timings }] as [SubscriptionInput],
    typedSearchAttributes: [
      { key: searchAttributes.merchantId, value: merchantId },
      { key: searchAttributes.environment, value: environment },
      { key: searchAttributes.lifecycleState, value: subscription.status },
      { key: searchAttributes.needsOperator, value: false },
      { key: searchAttributes.nextActionAt, value: new Date(nextActionAt) },
    ] as SearchAttributePair[],
    // Temporal's limit is 200 bytes.
    staticSummary: `${clip(subscription.planName, 60)} · ${amount} · ${environment}`,
    staticDetails:
      `Subscription of merchant \`${merchantId}\` (${environment}). Each period is a separate run; *current ` +
      'details* show its state.',
  };
}
