/** A session's workflow as seen from outside: names, input, messages and start options. */
import type { SearchAttributePair } from '@temporalio/common';
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Environment } from '../../domain/core/environment.ts';
import type { LookupTimings } from '../../domain/core/lookup-schedule.ts';
import { plainAmount } from '../../domain/core/money.ts';
import type { ResolveCommand } from '../../domain/core/resolution.ts';
import type { PayAnswer, SessionFailureReason, SessionState } from '../../domain/session/session.ts';
import type { SessionToStart } from '../../domain/session/session-steps.ts';
import { clip } from '../core/clip.ts';
import { searchAttributes, taskQueue } from '../core/messages.ts';
import { environment, lookupTimings, message, text } from '../core/parse-message.ts';

export const CHECKOUT_WORKFLOW = 'checkout';
/** A method change: the same promise, and a message to the subscription at its end. */
const METHOD_CHANGE_WORKFLOW = 'methodChange';

export function sessionWorkflow(id: string): string {
  return id.startsWith('ap_pmc_') ? METHOD_CHANGE_WORKFLOW : CHECKOUT_WORKFLOW;
}

export interface SessionInput {
  readonly checkoutId: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly timings: LookupTimings;
}

export const sessionInput = message<SessionInput>({
  checkoutId: text,
  merchantId: text,
  environment,
  timings: lookupTimings,
});

/** `claimId` names a row of pay_requests and is also the update id. */
export interface PayCommand {
  readonly claimId: string;
}

export interface SessionStateAnswer {
  readonly state: SessionState;
  readonly failureReason: SessionFailureReason | null;
}

export interface CancelCommand {
  /** `attempt`: cancel the open attempt and stay payable; `session`: end the session. */
  readonly what: 'attempt' | 'session';
}

/** The buyer's browser returned from 3-D Secure; the workflow looks the payment up at the rail. */
export interface CompleteChallengeCommand {
  readonly paymentId: string;
}

export const payUpdate = defineUpdate<PayAnswer, [PayCommand]>('pay');
export const completeChallengeUpdate = defineUpdate<SessionStateAnswer, [CompleteChallengeCommand]>(
  'completeChallenge',
);
export const cancelUpdate = defineUpdate<SessionStateAnswer, [CancelCommand]>('cancel');
export const resolveUpdate = defineUpdate<SessionStateAnswer, [ResolveCommand]>('resolve');

export interface SessionWorkflowStatus {
  readonly state: SessionState;
  readonly failureReason: SessionFailureReason | null;
  readonly openPaymentId: string | null;
  readonly attempts: number;
  readonly expiresAt: string;
  readonly nextActionAt: string | null;
  readonly waitingFor: string;
}
export const statusQuery = defineQuery<SessionWorkflowStatus | null>('status');

export interface SessionRunOptions {
  readonly timings: LookupTimings;
}

/**
 * Start options. The start is delayed to the expiry: until a buyer pays, a session costs no workflow task and no worker
 * memory; an update runs the first task at once.
 */
export function sessionStart(session: SessionToStart, { timings }: SessionRunOptions) {
  const { id, merchantId, environment, expiresAt } = session;
  const amount = plainAmount(session.amount, session.currency);
  const purchase = sessionWorkflow(id) === CHECKOUT_WORKFLOW;
  const sessionKind = purchase ? 'Checkout session' : 'Change of payment method';
  return {
    taskQueue: taskQueue('checkout', environment),
    workflowId: id,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
    workflowIdConflictPolicy: 'FAIL' as const,
    startDelay: Math.max(0, Math.ceil(session.msToExpiry)),
    // Merchants are served fairly, so that a click does not wait behind another merchant's expiries (rule
    // 42).
    priority: { fairnessKey: merchantId },
    args: [{ checkoutId: id, merchantId, environment, timings }] as [SessionInput],
    typedSearchAttributes: [
      { key: searchAttributes.merchantId, value: merchantId },
      { key: searchAttributes.environment, value: environment },
      { key: searchAttributes.lifecycleState, value: 'created' },
      { key: searchAttributes.needsOperator, value: false },
      { key: searchAttributes.nextActionAt, value: new Date(expiresAt) },
    ] as SearchAttributePair[],
    // At most 200 bytes.
    staticSummary: `${clip(session.productName, 60)} · ${amount} · ${environment}`,
    staticDetails: [
      `${sessionKind} of merchant \`${merchantId}\` (${environment}).`,
      '',
      `**Until the buyer pays, nothing runs**: the first task runs with the first attempt, or at ${expiresAt},`,
      'when the session expires. In its start delay a session has had no attempt; after that, its current',
      'details show its state.',
    ].join('\n'),
  };
}
