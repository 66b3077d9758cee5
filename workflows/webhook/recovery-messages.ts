/** The `recoverDeliveries` workflow as seen from outside: it makes an endpoint's missed events due again. */
import type { SearchAttributePair } from '@temporalio/common';
import { searchAttributes } from '../core/messages.ts';
import { count, environment, instant, message, nullable, text } from '../core/parse-message.ts';
import { taskQueue } from '../core/task-queues.ts';
import type { DeliverEventsInput } from './endpoint-messages.ts';

export const RECOVER_DELIVERIES_WORKFLOW = 'recoverDeliveries';
/** One recovery per endpoint at a time. */
export const recoveryWorkflowId = (endpointId: string): string => `${endpointId}-recovery`;

export interface RecoverDeliveriesInput extends DeliverEventsInput {
  /** ISO 8601: deliveries written from `since` up to `until`. */
  readonly since: string;
  readonly until: string;
  /** Where the previous run stopped. */
  readonly progress: {
    readonly recovered: number;
    readonly after: { readonly createdAt: string; readonly eventId: string } | null;
  };
}

export const recoverDeliveriesInput = message<RecoverDeliveriesInput>({
  endpointId: text,
  merchantId: text,
  environment,
  since: instant,
  until: instant,
  progress: message<RecoverDeliveriesInput['progress']>({
    recovered: count,
    after: nullable(message({ createdAt: text, eventId: text })),
  }),
});

export interface RecoveryStatus {
  readonly state: 'running' | 'finished' | 'endpoint_not_enabled';
  readonly recovered: number;
  readonly since: string;
  readonly until: string;
}

export function recoverDeliveriesStart(endpoint: DeliverEventsInput, since: string, until: string) {
  const { endpointId, merchantId, environment } = endpoint;
  const attributes: SearchAttributePair[] = [
    { key: searchAttributes.merchantId, value: merchantId },
    { key: searchAttributes.environment, value: environment },
  ];
  const input: RecoverDeliveriesInput = {
    endpointId,
    merchantId,
    environment,
    since,
    until,
    progress: { recovered: 0, after: null },
  };
  return {
    taskQueue: taskQueue('webhooks', environment),
    workflowId: recoveryWorkflowId(endpointId),
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'FAIL' as const,
    args: [input] as [RecoverDeliveriesInput],
    typedSearchAttributes: attributes,
    staticSummary: `Recovery of a webhook endpoint · ${environment}`,
    staticDetails: `Redelivers the events that endpoint \`${endpointId}\` missed from ${since} up to ${until}.`,
  };
}
