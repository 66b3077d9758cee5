/**
 * POST /v1/subscriptions/:id/cancel: ends a subscription, immediately unless `at_period_end` is true. An open charge is
 * settled first: the 200 waits for the settlement or, if that takes long, shows the subscription as it is.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { exampleSingle } from '../../contract/core/examples.ts';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { exampleSubscription } from '../../contract/subscription/resources.ts';
import {
  cancelRequest,
  subscriptionAnswer,
  subscriptionPath,
} from '../../contract/subscription/subscription-operations.ts';
import { isFinishedSubscription } from '../../domain/subscription/subscription.ts';
import { cancelSubscriptionUpdate } from '../../workflows/subscription/subscription-messages.ts';
import { authenticate } from '../http/auth/api-key.ts';
import { refuseOtherMerchantInBody } from '../http/auth/own-merchant.ts';
import type { ApiContext } from '../http/context.ts';
import { scopeOf } from '../http/exchange.ts';
import { idempotent, type Operation, takeIdempotencyKey } from '../http/idempotency.ts';
import { readJsonBody } from '../http/request/json-body.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import { refuseUnknownFields } from '../http/request/refuse-unknown-fields.ts';
import type { Route } from '../http/route.ts';
import {
  merchantKeyScope,
  operateSubscription,
  readSubscription,
  subscriptionIdOf,
  subscriptionOfKey,
} from './subscription-operation.ts';

const WAIT_FOR_CHARGE_MS = 5_000;

export function cancelSubscriptionRoute(context: ApiContext): Route {
  const cancel: Operation = async (request, response, operationId) => {
    const scope = scopeOf(response);
    const subscriptionId = subscriptionIdOf(request);
    const { at_period_end: atPeriodEnd } = parseFields(cancelRequest, request.body, 'subscription');
    await readSubscription(context, scope, subscriptionId);
    await operateSubscription(context, {
      scope,
      subscriptionId,
      operationId,
      update: cancelSubscriptionUpdate,
      command: { atPeriodEnd: atPeriodEnd ?? false },
    });
    const read = () => readSubscription(context, scope, subscriptionId);
    let body = await read();
    if (!atPeriodEnd) {
      const until = performance.now() + WAIT_FOR_CHARGE_MS;
      while (!isFinishedSubscription(body.status) && performance.now() < until) {
        await pause(100);
        body = await read();
      }
    }
    return { status: 200, body, flowId: subscriptionId };
  };

  return {
    method: 'post',
    path: '/v1/subscriptions/:id/cancel',
    handlers: [
      authenticate(context),
      takeIdempotencyKey({ required: false }),
      readJsonBody,
      refuseOtherMerchantInBody,
      refuseUnknownFields(describe, subscriptionOfKey(context)),
      idempotent({ pool: context.pool, scopeOf: merchantKeyScope }, cancel),
    ],
    describe,
  };
}

const describe: OperationDescription = {
  operationId: 'cancelSubscription',
  tag: 'Subscriptions',
  summary: 'Cancel a subscription',
  description:
    'Ends it immediately, or with `at_period_end` at the end of the current period; it continues until then. ' +
    '`subscription.cancelled` reports the end. A charge in progress is settled first: the response may then ' +
    'show the subscription in its current state. Cancel a scheduled change before.',
  security: 'apiKey',
  idempotencyKey: 'optional',
  path: subscriptionPath,
  body: { schema: cancelRequest, example: { at_period_end: true }, required: false },
  answers: {
    200: {
      description: 'The subscription.',
      schema: subscriptionAnswer,
      example: exampleSingle({ ...exampleSubscription, cancel_at_period_end: true }),
      headers: withFlowId,
    },
  },
  errors: [
    'invalid_request',
    'subscription_not_found',
    'subscription_incomplete',
    'subscription_finished',
    'subscription_change_scheduled',
  ],
};
