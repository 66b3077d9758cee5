/** POST /v1/subscriptions/:id/plan-change/cancel: takes back a scheduled change of either kind. */
import { changeCancelRequest } from '../../../contract/subscription-operations.ts';
import { findSubscriptionChange } from '../../../db/subscriptions.ts';
import { cancelChangeUpdate } from '../../../workflows/subscription-messages.ts';
import { authenticate } from '../../auth.ts';
import type { ApiContext } from '../../context.ts';
import { ApiError } from '../../errors.ts';
import { scopeOf } from '../../exchange.ts';
import { idempotent, type Operation, takeIdempotencyKey } from '../../idempotency.ts';
import { readJsonBody } from '../../json-body.ts';
import { parseFields } from '../../parse-fields.ts';
import type { Route } from '../../route.ts';
import {
  merchantKeyScope,
  operateSubscription,
  readSubscription,
  subscriptionIdOf,
} from '../../subscription-operation.ts';

export function cancelChangeRoute(context: ApiContext): Route {
  const cancel: Operation = async (request, response, operationId) => {
    const scope = scopeOf(response);
    const subscriptionId = subscriptionIdOf(request.params);
    const { action_id: changeId } = parseFields(changeCancelRequest, request.body, 'change_cancel');
    await readSubscription(context, scope, subscriptionId);
    await operateSubscription(context, {
      ...{ scope, subscriptionId, operationId },
      update: cancelChangeUpdate,
      command: { changeId },
    });
    const body = await findSubscriptionChange(context.pool, scope, subscriptionId, changeId);
    if (!body) throw new ApiError('subscription_change_not_found');
    return { status: 200, body, flowId: subscriptionId };
  };
  return {
    method: 'post',
    path: '/v1/subscriptions/:id/plan-change/cancel',
    handlers: [
      authenticate(context),
      takeIdempotencyKey({ required: true }),
      readJsonBody,
      idempotent({ pool: context.pool, scopeOf: merchantKeyScope }, cancel),
    ],
  };
}
