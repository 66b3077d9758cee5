/**
 * A refund's workflow as seen from outside: its name, input, messages and start options. The workflow id is the
 * refund's id.
 */
import type { SearchAttributePair } from '@temporalio/common';
import type { Environment } from '../../domain/core/environment.ts';
import type { LookupTimings } from '../../domain/core/lookup-schedule.ts';
import { plainAmount } from '../../domain/core/money.ts';
import type { RefundStatus } from '../../domain/refund/refund.ts';
import { type CommandOf, update } from '../core/inbox.ts';
import { resolveCommand, resolveRequestedSignal, searchAttributes, wakeSignal } from '../core/messages.ts';
import { lookupTimings, message, text } from '../core/parse-message.ts';
import { taskQueue } from '../core/task-queues.ts';

export const REFUND_WORKFLOW = 'refund';

export interface RefundInput {
  readonly refundId: string;
  readonly timings: LookupTimings;
}

export const refundInput = message<RefundInput>({ refundId: text, timings: lookupTimings });

export interface RefundStateAnswer {
  readonly status: RefundStatus;
}

export const resolveRefundUpdate = update<RefundStateAnswer>()(
  'resolve',
  resolveCommand,
  'Settles a refund whose outcome the rail does not report: { "outcome": "succeeded" | "failed", ' +
    '"operator", "reason", "evidence" }. The rail is asked once more, and its answer takes precedence.',
);

/** The columns needed to start a refund's workflow. */
export interface RefundToStart {
  readonly id: string;
  readonly merchantId: string;
  readonly environment: Environment;
  readonly amount: number;
  readonly currency: string;
}

export function refundStart(refund: RefundToStart, timings: LookupTimings) {
  const { id, merchantId, environment, amount, currency } = refund;
  return {
    taskQueue: taskQueue('billing', environment),
    workflowId: id,
    workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY' as const,
    workflowIdConflictPolicy: 'FAIL' as const,
    priority: { fairnessKey: merchantId },
    args: [{ refundId: id, timings }] as [RefundInput],
    typedSearchAttributes: [
      { key: searchAttributes.merchantId, value: merchantId },
      { key: searchAttributes.environment, value: environment },
      { key: searchAttributes.lifecycleState, value: 'pending' },
      { key: searchAttributes.needsOperator, value: false },
    ] as SearchAttributePair[],
    staticSummary: `Refund of ${plainAmount(amount, currency)} · ${environment}`,
  };
}

export const MESSAGES = [resolveRefundUpdate, resolveRequestedSignal, wakeSignal] as const;
export type RefundCommand = CommandOf<(typeof MESSAGES)[number]>;
