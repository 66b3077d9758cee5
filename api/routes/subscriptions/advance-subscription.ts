/**
 * POST /v1/subscriptions/:id/advance: moves the clock of one sandbox subscription forward, through every boundary
 * on the way. 202 when it has arrived, or, when the way is long, while it is still on it (money-safety rule 20).
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { RequestHandler } from 'express';
import { advanceRequest } from '../../../contract/subscription-operations.ts';
import { hasArrived } from '../../../db/advance-subscription.ts';
import { advanceClockUpdate } from '../../../workflows/subscription-messages.ts';
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

const WAIT_FOR_ARRIVAL_MS = 15_000;
/** Far enough for any test, and no way without an end. */
const FARTHEST_YEARS = 20;

export function advanceSubscriptionRoute(context: ApiContext): Route {
  const advance: Operation = async (request, response, operationId) => {
    const until = performance.now() + WAIT_FOR_ARRIVAL_MS;
    const scope = scopeOf(response);
    const subscriptionId = subscriptionIdOf(request.params);
    const to = targetOf(parseFields(advanceRequest, request.body, 'advance').to);
    await readSubscription(context, scope, subscriptionId);
    await operateSubscription(context, {
      ...{ scope, subscriptionId, operationId },
      update: advanceClockUpdate,
      command: { to },
    });
    while (performance.now() < until && !(await hasArrived(context.pool, subscriptionId))) await pause(50);
    const body = await readSubscription(context, scope, subscriptionId);
    return { status: 202, body, flowId: subscriptionId };
  };
  return {
    method: 'post',
    path: '/v1/subscriptions/:id/advance',
    handlers: [
      authenticate(context),
      refuseLiveKeys,
      takeIdempotencyKey({ required: false }),
      readJsonBody,
      idempotent({ pool: context.pool, scopeOf: merchantKeyScope }, advance),
    ],
  };
}

const refuseLiveKeys: RequestHandler = (_request, response, next) => {
  if (scopeOf(response).environment !== 'sandbox') throw new ApiError('sandbox_only');
  next();
};

function targetOf(to: string): string {
  const farthest = new Date();
  farthest.setUTCFullYear(farthest.getUTCFullYear() + FARTHEST_YEARS);
  const target = new Date(to);
  if (target > farthest) {
    throw new ApiError('invalid_request', { message: `to is more than ${FARTHEST_YEARS} years ahead.` });
  }
  return target.toISOString();
}
