/** A route for one update of the workflow, with an idempotency key; answers with the subscription after the update. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import type { Subscription } from '../../contract/subscription/resources.ts';
import { authenticate } from '../http/auth/api-key.ts';
import { merchantKeys } from '../http/auth/merchant-keys.ts';
import { refuseOtherMerchantInBody } from '../http/auth/own-merchant.ts';
import type { ApiContext } from '../http/context.ts';
import { scopeOf } from '../http/exchange.ts';
import { idempotent, type Operation, takeIdempotencyKey } from '../http/idempotency.ts';
import { readJsonBody } from '../http/request/json-body.ts';
import { refuseUnknownFields } from '../http/request/refuse-unknown-fields.ts';
import type { Route } from '../http/route.ts';
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
  return {
    method: 'post',
    path,
    handlers: [
      authenticate(context),
      takeIdempotencyKey({ required: describe.idempotencyKey === 'required' }),
      readJsonBody,
      refuseOtherMerchantInBody,
      refuseUnknownFields(describe, subscriptionOfKey(context)),
      idempotent({ ...merchantKeys(context.pool), sealWith: context.secretBox }, act),
    ],
    describe,
  };
}
