/**
 * The names by which everything outside speaks to workflows: types, task queues, id builders, updates,
 * signals, queries and search attributes. Inputs and answers hold ids, amounts and states only, because
 * they are kept in Temporal's history.
 */

import { defineSearchAttributeKey, type SearchAttributePair, SearchAttributeType } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';
import type { CheckoutFailureReason, CheckoutState } from '../../domain/session.ts';
import type { Environment } from '../../domain/environment.ts';

/** Separate queues, so that slow webhook receivers never delay a payment. */
export const TASK_QUEUES = { checkout: 'checkout', billing: 'billing', webhooks: 'webhooks' } as const;

export const searchAttributes = {
  merchantId: defineSearchAttributeKey('MerchantId', SearchAttributeType.KEYWORD),
  environment: defineSearchAttributeKey('Environment', SearchAttributeType.KEYWORD),
  lifecycleState: defineSearchAttributeKey('LifecycleState', SearchAttributeType.KEYWORD),
  needsOperator: defineSearchAttributeKey('NeedsOperator', SearchAttributeType.BOOL),
  nextActionAt: defineSearchAttributeKey('NextActionAt', SearchAttributeType.DATETIME),
};

// Checkout -------------------------------------------------------------------------------------------------------

export const CHECKOUT_WORKFLOW = 'checkout';
/** A session that changes a payment method: the same promise, and word of it to the subscription. */
export const METHOD_CHANGE_WORKFLOW = 'methodChange';

export function sessionWorkflow(id: string): string {
  return id.startsWith('ap_pmc_') ? METHOD_CHANGE_WORKFLOW : CHECKOUT_WORKFLOW;
}

export interface CheckoutInput {
  readonly checkoutId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly timings: CheckoutTimings;
}

/** Seconds, from configuration; they travel with the input so that a deploy does not change a running session. */
export interface CheckoutTimings {
  /** Look-ups after an unknown outcome; after the last one the session is `reconciliation_required`. */
  readonly reconcileSeconds: readonly number[];
  /** Look-ups from then on; the last interval repeats without end. */
  readonly reconcileLongSeconds: readonly number[];
}

/** `claimId` names a row of pay_requests; it is the update id too. */
export interface PayCommand {
  readonly claimId: string;
}

export type PayAnswer =
  | { readonly kind: 'claimed' | 'joined'; readonly paymentId: string; readonly state: CheckoutState }
  | { readonly kind: 'refused'; readonly reason: PayRefusal; readonly state: CheckoutState };

export type PayRefusal = 'finished' | 'expired' | 'too_late' | 'attempts_exhausted' | 'unknown_request';

export interface StateAnswer {
  readonly state: CheckoutState;
  readonly failureReason: CheckoutFailureReason | null;
}

export interface CancelCommand {
  /** `attempt`: give up the open attempt and stay payable; `session`: end the session. */
  readonly what: 'attempt' | 'session';
}

/** What an operator sends from Temporal UI or `npm run ops`. */
export interface ResolveCommand {
  readonly outcome: 'succeeded' | 'failed';
  readonly operator: string;
  readonly reason: string;
  /** What was seen, for example the charge's reference in the processor's own dashboard. */
  readonly evidence: string;
}

/** The same, stored (`resolve_requests`): the words of people stay in the database. */
export interface StoredResolveCommand {
  readonly outcome: ResolveCommand['outcome'];
  readonly requestId: string;
}
/** What settles. Histories from before hold a stored request in its words. */
export type Resolution = ResolveCommand | StoredResolveCommand;

/** One turn of the buyer's browser back from 3-D Secure; the workflow asks the rail what became of it. */
export interface CompleteChallengeCommand {
  readonly paymentId: string;
}

export const payUpdate = defineUpdate<PayAnswer, [PayCommand]>('pay');
export const completeChallengeUpdate = defineUpdate<StateAnswer, [CompleteChallengeCommand]>(
  'completeChallenge',
);
export const cancelUpdate = defineUpdate<StateAnswer, [CancelCommand]>('cancel');
export const resolveUpdate = defineUpdate<StateAnswer, [ResolveCommand]>('resolve');
/** A hint that the rail has news of a payment of this session. */
export const railNewsSignal = defineSignal<[{ readonly paymentId: string }]>('railNews');
/** An operator's stored request waits in resolve_requests. */
export const resolveRequestedSignal = defineSignal<[{ readonly requestId: string }]>('resolveRequested');

export interface CheckoutStatus {
  readonly state: CheckoutState;
  readonly failureReason: CheckoutFailureReason | null;
  readonly openPaymentId: string | null;
  readonly attempts: number;
  readonly expiresAt: string;
  readonly nextActionAt: string | null;
  readonly waitingFor: string;
}
export const statusQuery = defineQuery<CheckoutStatus | null>('status');

/** What starting a checkout's workflow needs to know of its row. */
export interface CheckoutToStart {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly productName: string;
  readonly amount: number;
  readonly currency: string;
  readonly expiresAt: string;
  /** `expires_at - service_clock()`, read with the row: the database's clock decides. */
  readonly msToExpiry: number;
}

/**
 * Start options of a checkout's workflow. It is delayed to the expiry instant: until a buyer pays, a session
 * costs no workflow task and no worker memory; an update runs the first task at once.
 */
export function checkoutStart(checkout: CheckoutToStart, timings: CheckoutTimings) {
  const { id, merchantId, environment, expiresAt } = checkout;
  const amount = `${(checkout.amount / 100).toFixed(2)} ${checkout.currency}`;
  const purchase = sessionWorkflow(id) === CHECKOUT_WORKFLOW;
  const sessionKind = purchase ? 'Checkout session' : 'Change of payment method';
  return {
    taskQueue: TASK_QUEUES.checkout,
    workflowId: id,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
    workflowIdConflictPolicy: 'FAIL' as const,
    startDelay: Math.max(0, Math.ceil(checkout.msToExpiry)),
    args: [{ checkoutId: id, merchantId, environment, timings }] as [CheckoutInput],
    typedSearchAttributes: [
      { key: searchAttributes.merchantId, value: merchantId },
      { key: searchAttributes.environment, value: environment },
      { key: searchAttributes.lifecycleState, value: 'created' },
      { key: searchAttributes.needsOperator, value: false },
      { key: searchAttributes.nextActionAt, value: new Date(expiresAt) },
    ] as SearchAttributePair[],
    // At most 200 bytes.
    staticSummary: `${clip(checkout.productName, 60)} · ${amount} · ${environment}`,
    staticDetails: [
      `${sessionKind} of merchant \`${merchantId}\` (${environment}).`,
      '',
      `**While nobody pays, nothing runs**: the first task runs with the first attempt, or at ${expiresAt},`,
      'when the session expires. In its start delay a session has had no attempt; after that, its current',
      'details tell how it stands.',
    ].join('\n'),
  };
}

function clip(text: string, codePoints: number): string {
  const points = [...text];
  return points.length <= codePoints ? text : `${points.slice(0, codePoints - 1).join('')}…`;
}

// Money after the end ----------------------------------------------------------------------------------------------

export const RECONCILE_WORKFLOW = 'reconcile';
/** Judges rail news about a payment whose session is over, and returns a charge that should not exist. */
export interface ReconcileInput {
  readonly paymentId: string;
  readonly merchantId: string;
  readonly environment: Environment;
}
export function reconcileStart(input: ReconcileInput) {
  return {
    taskQueue: TASK_QUEUES.checkout,
    workflowId: `${input.paymentId}-reconcile`,
    // Later news of the same payment is judged again; a judgement that runs already hears of it by the rows.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    args: [input] as [ReconcileInput],
    typedSearchAttributes: [
      { key: searchAttributes.merchantId, value: input.merchantId },
      { key: searchAttributes.environment, value: input.environment },
      { key: searchAttributes.needsOperator, value: false },
    ] as SearchAttributePair[],
    staticSummary: `Rail news of ${input.paymentId} · ${input.environment}`,
  };
}

// Delivery of events ---------------------------------------------------------------------------------------------

export const DELIVER_EVENTS_WORKFLOW = 'deliverEvents';
/** The workflow's id is the endpoint's. */
export interface DeliverEventsInput {
  readonly endpointId: string;
  readonly merchantId: string;
  readonly environment: Environment;
}
/** Something is due for this endpoint before it would have looked by itself. */
export const wakeSignal = defineSignal('wake');

// Sweep -------------------------------------------------------------------------------------------------------------

export const SWEEP_WORKFLOW = 'sweep';
export const SWEEP_SCHEDULE_ID = 'sweep';
