/** An endpoint's `deliverEvents` workflow as seen from outside. */
import type { SearchAttributePair } from '@temporalio/common';
import type { Environment } from '../../domain/core/environment.ts';
import { searchAttributes } from '../core/messages.ts';
import { environment, message, text } from '../core/parse-message.ts';
import { taskQueue } from '../core/task-queues.ts';

export const DELIVER_EVENTS_WORKFLOW = 'deliverEvents';
/** The workflow id is the endpoint's. */
export interface DeliverEventsInput {
  readonly endpointId: string;
  readonly merchantId: string;
  readonly environment: Environment;
}

export const deliverEventsInput = message<DeliverEventsInput>({
  endpointId: text,
  merchantId: text,
  environment,
});

/** Start options: one workflow per endpoint, which stays open while it sleeps. */
export function deliverEventsStart(endpoint: DeliverEventsInput) {
  const { endpointId, merchantId, environment } = endpoint;
  const attributes: SearchAttributePair[] = [
    { key: searchAttributes.merchantId, value: merchantId },
    { key: searchAttributes.environment, value: environment },
    { key: searchAttributes.lifecycleState, value: 'enabled' },
    { key: searchAttributes.needsOperator, value: false },
  ];
  return {
    taskQueue: taskQueue('webhooks', environment),
    workflowId: endpointId,
    // After a bug has ended a run, the next wake-up starts another run; leases in the database keep two runs apart.
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' as const,
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    args: [{ endpointId, merchantId, environment } satisfies DeliverEventsInput] as [DeliverEventsInput],
    typedSearchAttributes: attributes,
    staticSummary: `Webhook endpoint · ${environment}`,
    staticDetails: [
      `Delivers the events of merchant \`${merchantId}\` (${environment}) to endpoint \`${endpointId}\`:`,
      'in batches, with a retry schedule per event.',
      '',
      'It is idle until the next attempt is due or a new event arrives; *current details* show the backlog.',
    ].join('\n'),
  };
}
