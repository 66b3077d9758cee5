/**
 * Names for reaching workflows from outside: task queues, search attributes, and the messages common to workflows that
 * move money. Each subject's own messages are beside its workflow. Inputs and answers hold only ids, amounts and
 * states, because Temporal keeps them in its history.
 */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { defineSignal } from '@temporalio/workflow';
import type { Environment } from '../../domain/core/environment.ts';
import { RESOLUTION_OUTCOMES, type StoredRequest } from '../../domain/core/resolution.ts';
import { signal } from './handlers.ts';
import { oneOf, text } from './parse-message.ts';

/**
 * Separate queues: neither slow webhook receivers nor sandbox work delays a live payment (rule 37). Production keeps
 * the names that both environments once shared, because runs stay on the queue that they were started on.
 */
const TASK_QUEUES = {
  production: { checkout: 'checkout', billing: 'billing', webhooks: 'webhooks' },
  sandbox: { checkout: 'sandbox-checkout', billing: 'sandbox-billing', webhooks: 'sandbox-webhooks' },
} as const;

export type QueueKind = keyof (typeof TASK_QUEUES)['production'];
export const QUEUE_KINDS = ['checkout', 'billing', 'webhooks'] as const satisfies readonly QueueKind[];

export function taskQueue(kind: QueueKind, environment: Environment): string {
  return TASK_QUEUES[environment][kind];
}

/** Type of the failure that ends a run whose own row is gone (rule 30). */
export const ROW_GONE = 'RowGone';

export const searchAttributes = {
  merchantId: defineSearchAttributeKey('MerchantId', SearchAttributeType.KEYWORD),
  environment: defineSearchAttributeKey('Environment', SearchAttributeType.KEYWORD),
  lifecycleState: defineSearchAttributeKey('LifecycleState', SearchAttributeType.KEYWORD),
  needsOperator: defineSearchAttributeKey('NeedsOperator', SearchAttributeType.BOOL),
  nextActionAt: defineSearchAttributeKey('NextActionAt', SearchAttributeType.DATETIME),
};

/** What an operator sends from Temporal UI: see `resolveUpdate` of a session, a subscription or a refund. */
export const RESOLVE_FIELDS = {
  outcome: oneOf(...RESOLUTION_OUTCOMES),
  operator: text,
  reason: text,
  evidence: text,
};

export const railNewsSignal = signal<{ readonly paymentId: string }>(
  'railNews',
  { paymentId: text },
  'A hint that the rail has news of { paymentId }; verified by a look-up.',
);
export const resolveRequestedSignal = signal<StoredRequest>(
  'resolveRequested',
  { requestId: text },
  'An operator stored a request to resolve; { requestId }. Sent by `npm run ops -- resolve`.',
);

/**
 * Look now. A session and a refund ask the rail; a subscription reads its row and asks about an open charge;
 * an endpoint reads its rows. A refund gets rail webhooks this way, too.
 */
export const wakeSignal = defineSignal('wake');
