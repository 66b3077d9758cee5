/** The reconcile workflow's name, input and start options. */
import type { SearchAttributePair } from '@temporalio/common';
import type { Environment } from '../../domain/core/environment.ts';
import { railWebhookSignal, searchAttributes } from '../core/messages.ts';
import { environment, message, text } from '../core/parse-message.ts';
import { taskQueue } from '../core/task-queues.ts';

export const RECONCILE_WORKFLOW = 'reconcile';
export interface ReconcileInput {
  readonly paymentId: string;
  readonly merchantId: string;
  readonly environment: Environment;
}
export const reconcileInput = message<ReconcileInput>({ paymentId: text, merchantId: text, environment });

export function reconcileStart(input: ReconcileInput) {
  return {
    taskQueue: taskQueue('checkout', input.environment),
    workflowId: `${input.paymentId}-reconcile`,
    // A later webhook about the same payment starts another run; a run in progress finds that webhook in the rows.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    args: [input] as [ReconcileInput],
    typedSearchAttributes: [
      { key: searchAttributes.merchantId, value: input.merchantId },
      { key: searchAttributes.environment, value: input.environment },
      { key: searchAttributes.needsOperator, value: false },
    ] as SearchAttributePair[],
    staticSummary: `Rail webhook about ${input.paymentId} · ${input.environment}`,
  };
}

/** Signal-with-start, for webhooks: starts the workflow, or wakes the running one (rule 33). */
export function reconcileWebhook(input: ReconcileInput) {
  return {
    ...reconcileStart(input),
    signal: railWebhookSignal,
    signalArgs: [{ attemptId: input.paymentId }] as [{ readonly attemptId: string }],
  };
}
