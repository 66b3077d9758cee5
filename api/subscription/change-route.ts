/** Shared by the routes of scheduled changes: 202 with the subscription and its change. */
import type { UpdateDefinition } from '@temporalio/common';
import { exampleSingle } from '../../contract/core/examples.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { exampleChange, exampleSubscription } from '../../contract/subscription/resources.ts';
import { subscriptionAnswer, subscriptionPath } from '../../contract/subscription/subscription-operations.ts';
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { operationRoute } from './operation-route.ts';

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
  const described = { ...common, ...describe, errors: [...common.errors, ...describe.errors] };
  return operationRoute(context, path, { update, readCommand, status: 202, describe: described });
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
