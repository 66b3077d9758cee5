/** POST /v1/subscriptions/:id/cancel/undo: withdraws a cancellation at the end of the period, before that end. */
import { exampleSingle } from '../../contract/core/examples.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { exampleSubscription } from '../../contract/subscription/resources.ts';
import {
  emptyRequest,
  subscriptionAnswer,
  subscriptionPath,
} from '../../contract/subscription/subscription-operations.ts';
import { undoCancelUpdate } from '../../workflows/subscription/subscription-messages.ts';
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { operationRoute } from './operation-route.ts';
import { sending } from './subscription-operation.ts';

export function cancelUndoRoute(context: ApiContext): Route {
  return operationRoute(context, '/v1/subscriptions/:id/cancel/undo', {
    read: () => sending(undoCancelUpdate, {}),
    status: 200,
    describe: {
      operationId: 'undoSubscriptionCancel',
      tag: 'Subscriptions',
      summary: 'Take back a cancellation',
      description:
        'Takes back a cancellation at the end of the period, before that end: the subscription continues and renews, ' +
        'or pauses if that was set, as before. `subscription.updated` reports it. A cancellation that ends the subscription immediately cannot be taken back.',
      security: 'apiKey',
      idempotencyKey: 'required',
      path: subscriptionPath,
      body: { schema: emptyRequest, example: {}, required: false },
      answers: {
        200: {
          description: 'The subscription.',
          schema: subscriptionAnswer,
          example: exampleSingle(exampleSubscription),
          headers: withFlowId,
        },
      },
      errors: [
        'subscription_not_found',
        'subscription_incomplete',
        'subscription_finished',
        'subscription_cancel_scheduled',
        'subscription_cancel_not_scheduled',
        'subscription_charging_stopped',
      ],
    },
  });
}
