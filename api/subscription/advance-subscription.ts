/**
 * POST /v1/subscriptions/:id/advance: moves the clock of one sandbox subscription forward, through every boundary on
 * the way. Answers 202 when the clock has arrived, or earlier if that takes long (rule 20).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../contract/core/operation.ts';
import { withFlowId } from '../../contract/openapi/headers.ts';
import { exampleSubscription } from '../../contract/subscription/resources.ts';
import { advanceRequest, subscriptionAnswer } from '../../contract/subscription/subscription-operations.ts';
import { hasArrived } from '../../db/subscription/advance-subscription.ts';
import { refusalsOf } from '../../domain/subscription/operations.ts';
import type { ApiContext } from '../http/context.ts';
import { ApiError } from '../http/errors.ts';
import { scopeOf } from '../http/exchange.ts';
import type { Operation } from '../http/idempotency.ts';
import { parseFields } from '../http/request/parse-fields.ts';
import type { Route } from '../http/route.ts';
import { serverRoute } from '../http/routes/keyed-route.ts';
import { clockSending } from './clock-advance.ts';
import { readSubscription, subscriptionIdOf } from './subscription-operation.ts';

const WAIT_FOR_ARRIVAL_MS = 15_000;

export function advanceSubscriptionRoute(context: ApiContext): Route {
  const act: Operation = async (request, response, operationId) => {
    const until = performance.now() + WAIT_FOR_ARRIVAL_MS;
    const scope = scopeOf(response);
    const subscriptionId = subscriptionIdOf(request);
    const { to } = parseFields(advanceRequest, request.body, 'advance');
    const send = clockSending(to);
    await readSubscription(context, scope, subscriptionId);
    await send(context, { scope, subscriptionId, operationId });
    while (performance.now() < until && !(await hasArrived(context.pool, subscriptionId))) await pause(50);
    const body = await readSubscription(context, scope, subscriptionId);
    return { status: 202, body, flowId: subscriptionId };
  };
  return serverRoute(context, {
    path: '/v1/subscriptions/:id/advance',
    describe,
    admit: [refuseLiveKeys],
    sealed: true,
    operation: act,
  });
}

const refuseLiveKeys: RequestHandler = (_request, response, next) => {
  if (scopeOf(response).environment !== 'sandbox') throw new ApiError('sandbox_only');
  next();
};

const describe: OperationDescription = {
  operationId: 'advanceSubscriptionClock',
  tag: 'Subscriptions',
  summary: 'Move the clock of a sandbox subscription',
  description:
    'Sandbox only. Moves the clock of this one subscription forward, through every renewal, trial end and retry on the ' +
    'way, each with its payments, invoices and events, so that a year takes seconds. The response comes on ' +
    'arrival or, if that takes long, while the clock is still moving. At most 20 years ahead of today, 500 billing boundaries per ' +
    'request, and two clocks of a merchant at once (429).',
  idempotencyKey: 'optional',
  body: { schema: advanceRequest, example: { to: '2026-03-01T00:00:00Z' }, required: true },
  answers: {
    202: {
      description: 'The subscription, by its own clock.',
      schema: subscriptionAnswer,
      example: exampleSubscription,
      headers: withFlowId,
    },
  },
  errors: ['sandbox_only', 'subscription_not_found', ...refusalsOf('advanceClock')],
};
