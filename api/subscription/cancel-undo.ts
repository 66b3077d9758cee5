/** POST /v1/subscriptions/:id/cancel/undo: withdraws a cancellation at the end of the period, before that end. */
import { emptyRequest } from '../../contract/subscription/subscription-operations.ts';
import { refusalsOf } from '../../domain/subscription/operations.ts';
import { undoCancelUpdate } from '../../workflows/subscription/subscription-messages.ts';
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { operationRoute } from './operation-route.ts';
import { sending } from './subscription-operation.ts';

export function cancelUndoRoute(context: ApiContext): Route {
  return operationRoute(context, '/v1/subscriptions/:id/cancel/undo', {
    read: () => sending(undoCancelUpdate, {}),
    describe: {
      operationId: 'undoSubscriptionCancel',
      summary: 'Undo a cancellation',
      description:
        'Undoes a cancellation at the end of the period, before that end: the subscription continues and renews, ' +
        'or pauses if that was set, as before. `subscription.updated` reports it. An immediate cancellation cannot be undone.',
      body: { schema: emptyRequest, example: {}, required: false },
      errors: ['subscription_not_found', ...refusalsOf('undoCancel')],
    },
  });
}
