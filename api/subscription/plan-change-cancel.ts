/** POST /v1/subscriptions/:id/plan-change/cancel: cancels a scheduled change, or one that requires action. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { exampleChange } from '../../contract/subscription/resources.ts';
import { changeAnswer, changeCancelRequest } from '../../contract/subscription/subscription-operations.ts';
import { findSubscriptionChange } from '../../db/subscription/read/find-subscription.ts';
import { refusalsOf } from '../../domain/subscription/operations.ts';
import { cancelChangeUpdate } from '../../workflows/subscription/subscription-messages.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { scopeOf } from '../http/exchange.ts';
import type { Operation } from '../http/idempotency.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import type { Route } from '../http/route.ts';
import { serverRoute } from '../http/routes/keyed-route.ts';
import { shownChange } from './shown-subscription.ts';
import {
  operateSubscription,
  readSubscription,
  subscriptionIdOf,
  subscriptionOfKey,
} from './subscription-operation.ts';

export function planChangeCancelRoute(context: ApiContext): Route {
  const cancel: Operation = async (request, response, operationId) => {
    const scope = scopeOf(response);
    const subscriptionId = subscriptionIdOf(request);
    const { action_id: changeId } = parseFields(changeCancelRequest, request.body, 'change_cancel');
    await readSubscription(context, scope, subscriptionId);
    await operateSubscription(context, {
      scope,
      subscriptionId,
      operationId,
      update: cancelChangeUpdate,
      command: { changeId },
    });
    const change = await findSubscriptionChange(context.pool, scope, subscriptionId, changeId);
    if (!change) throw new ApiError('subscription_change_not_found');
    return { status: 200, body: shownChange(context, change), flowId: subscriptionId };
  };
  return serverRoute(context, {
    path: '/v1/subscriptions/:id/plan-change/cancel',
    describe,
    find: subscriptionOfKey(context),
    operation: cancel,
  });
}

const describe: OperationDescription = {
  operationId: 'cancelSubscriptionChange',
  tag: 'Subscriptions',
  summary: 'Cancel a change',
  description:
    'Cancels a change of any kind, named by its `action_id`, that is `scheduled` or `requires_action`. The subscription stays ' +
    'unchanged. While the customer is paying it on its page, the response is 409 `subscription_change_scheduled`.',
  idempotencyKey: 'required',
  body: { schema: changeCancelRequest, example: { action_id: exampleChange.action_id }, required: true },
  answers: {
    200: {
      description: 'The change, `cancelled`.',
      schema: changeAnswer,
      example: { ...exampleChange, status: 'cancelled' },
      headers: withFlowId,
    },
  },
  errors: [
    'subscription_not_found',
    'subscription_change_not_found',
    ...refusalsOf('cancelChange'),
    'subscription_change_not_scheduled',
  ],
};
