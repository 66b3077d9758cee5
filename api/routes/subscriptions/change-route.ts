/** What the routes of scheduled changes have in common: 202 with the subscription and its change. */
import type { UpdateDefinition } from '@temporalio/common';
import { authenticate } from '../../auth.ts';
import type { ApiContext } from '../../context.ts';
import { scopeOf } from '../../exchange.ts';
import { idempotent, type Operation, takeIdempotencyKey } from '../../idempotency.ts';
import { readJsonBody } from '../../json-body.ts';
import type { Route } from '../../route.ts';
import {
  merchantKeyScope,
  operateSubscription,
  readSubscription,
  subscriptionIdOf,
} from '../../subscription-operation.ts';

interface ChangeOperation<Command> {
  readonly update: UpdateDefinition<unknown, [Command]>;
  /** @throws ApiError 400 */
  readonly readCommand: (body: Readonly<Record<string, unknown>>) => Command;
}

export function changeRoute<Command>(
  context: ApiContext,
  path: string,
  { update, readCommand }: ChangeOperation<Command>,
): Route {
  const change: Operation = async (request, response, operationId) => {
    const scope = scopeOf(response);
    const subscriptionId = subscriptionIdOf(request.params);
    const command = readCommand(request.body);
    await readSubscription(context, scope, subscriptionId);
    await operateSubscription(context, { scope, subscriptionId, operationId, update, command });
    const body = await readSubscription(context, scope, subscriptionId);
    return { status: 202, body, flowId: subscriptionId };
  };
  return {
    method: 'post',
    path,
    handlers: [
      authenticate(context),
      takeIdempotencyKey({ required: true }),
      readJsonBody,
      idempotent({ pool: context.pool, scopeOf: merchantKeyScope }, change),
    ],
  };
}
