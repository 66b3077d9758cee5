/** A route for one update of the workflow, with an idempotency key; answers with the subscription after the update. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import type { Subscription } from '../../contract/subscription/resources.ts';
import type { ApiContext } from '../http/context.ts';
import { scopeOf } from '../http/exchange.ts';
import type { Operation } from '../http/idempotency.ts';
import type { Route } from '../http/route.ts';
import { serverRoute } from '../http/routes/keyed-route.ts';
import { readUntil } from './read-until.ts';
import {
  readSubscription,
  type Sending,
  subscriptionIdOf,
  subscriptionOfKey,
} from './subscription-operation.ts';

interface OperationRoute {
  /** @throws ApiError 400 */
  readonly read: (body: Readonly<Record<string, unknown>>) => Sending;
  readonly status: 200 | 202;
  /** Returns whether the answer shows the effect of the request's body; if absent, the first answer is taken. */
  readonly isDone?: (subscription: Subscription, body: Readonly<Record<string, unknown>>) => boolean;
  readonly describe: OperationDescription;
}

export function operationRoute(
  context: ApiContext,
  path: string,
  { read, status, isDone = () => true, describe }: OperationRoute,
): Route {
  const act: Operation = async (request, response, operationId) => {
    const scope = scopeOf(response);
    const subscriptionId = subscriptionIdOf(request);
    const send = read(request.body);
    await readSubscription(context, scope, subscriptionId);
    await send(context, { scope, subscriptionId, operationId });
    const body = await readUntil(
      () => readSubscription(context, scope, subscriptionId),
      (subscription) => isDone(subscription, request.body),
    );
    return { status, body, flowId: subscriptionId };
  };
  return serverRoute(context, {
    path,
    describe,
    find: subscriptionOfKey(context),
    sealed: true,
    operation: act,
  });
}
