/** Shared by the routes of scheduled changes: 202 with the subscription and its change. */
import type { UpdateDefinition } from '@temporalio/common';
import { exampleSingle } from '../../contract/core/examples.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { exampleChange, exampleSubscription } from '../../contract/subscription/resources.ts';
import { subscriptionAnswer, subscriptionPath } from '../../contract/subscription/subscription-operations.ts';
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

type ChangeDescription = Pick<
  OperationDescription,
  'operationId' | 'summary' | 'description' | 'body' | 'errors'
>;

interface ChangeOperation<Command> {
  readonly update: UpdateDefinition<unknown, [Command]>;
  /** @throws ApiError 400 */
  readonly readCommand: (body: Readonly<Record<string, unknown>>) => Command;
  /** The change's own description; its errors are added to those of every change. */
  readonly describe: ChangeDescription;
}

export function changeRoute<Command>(
  context: ApiContext,
  path: string,
  { update, readCommand, describe }: ChangeOperation<Command>,
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
  const described = { ...common, ...describe, errors: [...common.errors, ...describe.errors] };
  return {
    method: 'post',
    path,
    handlers: [
      authenticate(context),
      takeIdempotencyKey({ required: true }),
      readJsonBody,
      refuseOtherMerchantInBody,
      refuseUnknownFields(described, subscriptionOfKey(context)),
      idempotent({ pool: context.pool, scopeOf: merchantKeyScope }, change),
    ],
    describe: described,
  };
}

const common: Omit<OperationDescription, 'operationId' | 'summary' | 'description' | 'body'> = {
  tag: 'Subscriptions',
  security: 'apiKey',
  idempotencyKey: 'required',
  path: subscriptionPath,
  answers: {
    202: {
      description: 'The subscription, with its scheduled `change`.',
      schema: subscriptionAnswer,
      example: exampleSingle({ ...exampleSubscription, change: exampleChange }),
      headers: withFlowId,
      links: [
        {
          operationId: 'cancelSubscriptionChange',
          parameters: { id: '$response.body#/id' },
          body: { action_id: '$response.body#/change/action_id' },
        },
      ],
    },
  },
  errors: [
    'invalid_request',
    'plan_unchanged',
    'subscription_not_found',
    'plan_not_found',
    'subscription_incomplete',
    'subscription_finished',
    'subscription_change_scheduled',
    'subscription_cancel_scheduled',
    'plan_incompatible',
  ],
};
