/**
 * The names that everything outside uses to reach workflows: task queues, search attributes, and what every
 * workflow that moves money understands. Each street's own messages stand beside its workflow. Inputs and
 * answers hold ids, amounts and states only, because Temporal keeps them in its history.
 */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { defineSignal } from '@temporalio/workflow';

/** Separate queues, so that slow webhook receivers never delay a payment. */
export const TASK_QUEUES = { checkout: 'checkout', billing: 'billing', webhooks: 'webhooks' } as const;

export const searchAttributes = {
  merchantId: defineSearchAttributeKey('MerchantId', SearchAttributeType.KEYWORD),
  environment: defineSearchAttributeKey('Environment', SearchAttributeType.KEYWORD),
  lifecycleState: defineSearchAttributeKey('LifecycleState', SearchAttributeType.KEYWORD),
  needsOperator: defineSearchAttributeKey('NeedsOperator', SearchAttributeType.BOOL),
  nextActionAt: defineSearchAttributeKey('NextActionAt', SearchAttributeType.DATETIME),
};

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

/** A hint that the rail has news of a payment of this workflow. */
export const railNewsSignal = defineSignal<[{ readonly paymentId: string }]>('railNews');
/** An operator's stored request waits in resolve_requests. */
export const resolveRequestedSignal = defineSignal<[{ readonly requestId: string }]>('resolveRequested');

/** Something is due for this endpoint before it would have looked by itself. */
export const wakeSignal = defineSignal('wake');
