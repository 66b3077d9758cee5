/** Start options of a session's workflow. */
import type { SearchAttributePair } from '@temporalio/common';
import type { LookupTimings } from '../../domain/core/lookup-schedule.ts';
import { plainAmount } from '../../domain/core/money.ts';
import type { SessionToStart } from '../../domain/session/session.ts';
import { clip } from '../core/clip.ts';
import { searchAttributes } from '../core/messages.ts';
import { taskQueue } from '../core/task-queues.ts';
import { type SessionInput, sessionWorkflow } from './session-messages.ts';

const KINDS = {
  checkout: 'Checkout session',
  methodChange: 'Change of payment method',
  paymentLink: 'Payment link',
} as const;

export interface SessionRunOptions {
  readonly timings: LookupTimings;
}

/**
 * Start options. The start is delayed until the session expires: without a click, a session costs no workflow task and
 * no worker memory until then. An update runs the first task immediately.
 */
export function sessionStart(session: SessionToStart, { timings }: SessionRunOptions) {
  const { id, merchantId, environment, expiresAt } = session;
  const amount = plainAmount(session.amount, session.currency);
  const sessionKind = KINDS[sessionWorkflow(id)];
  return {
    taskQueue: taskQueue('checkout', environment),
    workflowId: id,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
    workflowIdConflictPolicy: 'FAIL' as const,
    startDelay: Math.max(0, Math.ceil(session.msToExpiry)),
    // Serve merchants fairly: a click must not wait behind another merchant's expiries (rule 42).
    priority: { fairnessKey: merchantId },
    args: [{ checkoutId: id, merchantId, environment, timings }] as [SessionInput],
    typedSearchAttributes: [
      { key: searchAttributes.merchantId, value: merchantId },
      { key: searchAttributes.environment, value: environment },
      { key: searchAttributes.lifecycleState, value: 'created' },
      { key: searchAttributes.needsOperator, value: false },
      { key: searchAttributes.nextActionAt, value: new Date(expiresAt) },
    ] as SearchAttributePair[],
    // Temporal's limit is 200 bytes.
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
