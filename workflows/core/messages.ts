/**
 * Search attributes, and the messages common to workflows that move money. The messages of a single subject are
 * declared beside its workflow. Inputs and answers contain only ids, amounts and states, because Temporal keeps them in
 * the history.
 */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { defineSignal } from '@temporalio/workflow';
import {
  RESOLUTION_OUTCOMES,
  type ResolveCommand,
  type StoredRequest,
} from '../../domain/core/resolution.ts';
import { signal } from './inbox.ts';
import { message, oneOf, text } from './parse-message.ts';

/** Type of the failure that ends a run whose own row does not exist (rule 30). */
export const ROW_NOT_FOUND = 'RowNotFound';

export const searchAttributes = {
  merchantId: defineSearchAttributeKey('MerchantId', SearchAttributeType.KEYWORD),
  environment: defineSearchAttributeKey('Environment', SearchAttributeType.KEYWORD),
  lifecycleState: defineSearchAttributeKey('LifecycleState', SearchAttributeType.KEYWORD),
  needsOperator: defineSearchAttributeKey('NeedsOperator', SearchAttributeType.BOOL),
  nextActionAt: defineSearchAttributeKey('NextActionAt', SearchAttributeType.DATETIME),
};

/** An operator's input in Temporal UI: see `resolveUpdate` of a session, a subscription or a refund. */
export const resolveCommand = message<ResolveCommand>({
  outcome: oneOf(...RESOLUTION_OUTCOMES),
  operator: text,
  reason: text,
  evidence: text,
});

export const railWebhookSignal = signal(
  'railWebhook',
  message({ attemptId: text }),
  'A hint that the rail has sent a webhook about { attemptId }; verified by a look-up.',
);
export const resolveRequestedSignal = signal(
  'resolveRequested',
  message<StoredRequest>({ requestId: text }),
  'An operator stored a request to resolve; { requestId }. Sent by `npm run ops -- resolve`.',
);

/**
 * Wakes the run. Sessions and refunds ask the rail; a subscription reads its row and asks about an open charge; an
 * endpoint reads its rows. This signal also announces a rail webhook to a refund.
 */
export const wakeSignal = {
  ...defineSignal<[], 'wake'>('wake'),
  parse: () => ({}),
  description:
    'Something is due: reads the row again, and asks the rail about an open call. Any input is ignored.',
};
