/** A route for one update of the workflow, with an idempotency key; answers with the subscription after the update. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import type { Subscription } from '../../contract/subscription/resources.ts';
import { exampleSubscription } from '../../contract/subscription/resources.ts';
import { subscriptionAnswer } from '../../contract/subscription/subscription-operations.ts';
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
  /** Returns whether the subscription shows the effect of the request yet; if absent, the first read is sent. */
  readonly isDone?: (subscription: Subscription, body: Readonly<Record<string, unknown>>) => boolean;
  /** The route's own description. By default the key is required, and the response is 200 with the subscription. */
  readonly describe: Pick<
    OperationDescription,
    'operationId' | 'summary' | 'description' | 'body' | 'errors'
  > &
    Partial<Pick<OperationDescription, 'idempotencyKey' | 'answers'>>;
  /** Fields of the response's example that the operation changes. */
  readonly shows?: Partial<Subscription>;
}

export function operationRoute(
  context: ApiContext,
  path: string,
  { read, isDone = () => true, describe: own, shows }: OperationRoute,
): Route {
  const described = {
    description: 'The subscription.',
    schema: subscriptionAnswer,
    example: { ...exampleSubscription, ...shows },
    headers: withFlowId,
  };
  const describe: OperationDescription = {
    tag: 'Subscriptions',
    idempotencyKey: 'required',
    answers: { 200: described },
    ...own,
  };
  const status = Number(Object.keys(describe.answers)[0]);
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
