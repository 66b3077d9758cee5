import type { Environment } from '../../domain/core/environment.ts';

/**
 * Separate queues, so that neither slow webhook receivers nor sandbox work delays a live payment (rule 37). A run stays
 * on the queue on which it was started.
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
