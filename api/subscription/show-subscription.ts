/** GET /v1/merchants/:merchantId/subscriptions/:subscriptionId: one subscription with its history. */
import type { RequestHandler } from 'express';
import type { OperationDescription } from '../../contract/core/operation.ts';
import {
  exampleSubscriptionDetails,
  merchantSubscriptionPath,
  subscriptionDetailsAnswer,
} from '../../contract/subscription/details.ts';
import { sendResource } from '../http/auth/administer.ts';
import type { MerchantGate } from '../http/auth/merchant-gate.ts';
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { readDetails, SUBSCRIPTION, subscriptionOfPath } from './subscription-of-person.ts';

export function showSubscriptionRoute(context: ApiContext, gate: MerchantGate): Route {
  const show: RequestHandler = async (request, response) => {
    const subscription = await subscriptionOfPath(context, request, response);
    sendResource(response, 200, await readDetails(context, response, subscription));
  };
  return { method: 'get', path: SUBSCRIPTION, handlers: [...gate.read, show], describe };
}

const describe: OperationDescription = {
  operationId: 'showSubscription',
  tag: 'Dashboard',
  summary: 'One subscription with its history',
  description:
    'The subscription with its clock, next charge, dunning and scheduled change, and the events about it in order.',
  security: 'apiKeyOrPerson',
  path: merchantSubscriptionPath,
  answers: {
    200: {
      description: 'The subscription.',
      schema: subscriptionDetailsAnswer,
      example: exampleSubscriptionDetails,
    },
  },
  errors: ['subscription_not_found'],
};
