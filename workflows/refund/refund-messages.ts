/** The refund workflow's name, input, messages and start options. Its id is the refund's. */
import type { SearchAttributePair } from '@temporalio/common';
import { defineQuery, defineUpdate } from '@temporalio/workflow';
import type { Environment } from '../../domain/core/environment.ts';
import type { LookupTimings } from '../../domain/core/lookup-schedule.ts';
import { plainAmount } from '../../domain/core/money.ts';
import type { ResolveCommand } from '../../domain/core/resolution.ts';
import type { RefundStatus } from '../../domain/refund/refund.ts';
import { searchAttributes, taskQueue } from '../core/messages.ts';
import { lookupTimings, message, text } from '../core/parse-message.ts';

export const REFUND_WORKFLOW = 'refund';

export interface RefundInput {
  readonly refundId: string;
  readonly timings: LookupTimings;
}

export const refundInput = message<RefundInput>({ refundId: text, timings: lookupTimings });

export interface RefundStateAnswer {
  readonly status: RefundStatus;
}

export const resolveRefundUpdate = defineUpdate<RefundStateAnswer, [ResolveCommand]>('resolve');

export interface RefundWorkflowStatus extends RefundStateAnswer {
  readonly paymentId: string;
  readonly needsOperator: boolean;
  readonly lookups: number;
}
export const refundStatusQuery = defineQuery<RefundWorkflowStatus | null>('status');

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
