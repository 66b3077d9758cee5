/** A route whose operation is one update of the workflow, under a key; it answers with the subscription afterwards. */
import type { UpdateDefinition } from '@temporalio/common';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { authenticate } from '../http/auth/api-key.ts';
import { refuseOtherMerchantInBody } from '../http/auth/own-merchant.ts';
import type { ApiContext } from '../http/context.ts';
import { scopeOf } from '../http/exchange.ts';
import { idempotent, type Operation, takeIdempotencyKey } from '../http/idempotency.ts';
import { readJsonBody } from '../http/request/json-body.ts';
import { refuseUnknownFields } from '../http/request/refuse-unknown-fields.ts';
import type { Route } from '../http/route.ts';
import {
  merchantKeyScope,
  operateSubscription,
  readSubscription,
  subscriptionIdOf,
  subscriptionOfKey,
} from './subscription-operation.ts';

interface OperationRoute<Command> {
  readonly update: UpdateDefinition<unknown, [Command]>;
  /** @throws ApiError 400 */
  readonly readCommand: (body: Readonly<Record<string, unknown>>) => Command;
  readonly status: 200 | 202;
  readonly describe: OperationDescription;
}

export function operationRoute<Command>(
  context: ApiContext,
  path: string,
  { update, readCommand, status, describe }: OperationRoute<Command>,
): Route {
  const act: Operation = async (request, response, operationId) => {
    const scope = scopeOf(response);
    const subscriptionId = subscriptionIdOf(request);
    const command = readCommand(request.body);
    await readSubscription(context, scope, subscriptionId);
    await operateSubscription(context, { scope, subscriptionId, operationId, update, command });
    const body = await readSubscription(context, scope, subscriptionId);
    return { status, body, flowId: subscriptionId };
  };
  return {
    method: 'post',
    path,
    handlers: [
      authenticate(context),
      takeIdempotencyKey({ required: true }),
      readJsonBody,
      refuseOtherMerchantInBody,
      refuseUnknownFields(describe, subscriptionOfKey(context)),
      idempotent({ pool: context.pool, scopeOf: merchantKeyScope }, act),
    ],
    describe,
  };
}
