/** GET /v1/merchants/:merchantId/subscriptions/:subscriptionId: one subscription with its history. */
import type { OperationDescription } from '../../contract/core/operation.ts';
import { subscriptionDetailsAnswer } from '../../contract/subscription/details.ts';
import { merchantRoute } from '../http/routes/gated-route.ts';
import { readDetails, subscriptionOfPath } from './subscription-of-person.ts';

export const showSubscriptionRoute = merchantRoute((context) => ({
  method: 'get',
  path: '/v1/merchants/:merchantId/subscriptions/:subscriptionId',
  allow: ['read'],
  describe,
  answer: async (request, _caller, response) => {
    const subscription = await subscriptionOfPath(context, request, response);
    return readDetails(context, response, subscription);
  },
}));

const describe: OperationDescription = {
  operationId: 'showSubscription',
  tag: 'Dashboard',
  summary: 'One subscription with its history',
  description:
    'The subscription with its clock, next charge, dunning and scheduled change, and the events about it in order.',
  answers: { 200: { description: 'The subscription.', ...subscriptionDetailsAnswer } },
  errors: ['subscription_not_found'],
};
