/** GET /v1/subscriptions and its alias /v1/subscriptions/current: both return the full list. */
import { listOperation } from '../../contract/core/list-operation.ts';
import { exampleSubscription, subscription } from '../../contract/subscription/resources.ts';
import type { ApiContext } from '../http/context.ts';
import { listRoute } from '../http/lists/list-route.ts';
import type { Route } from '../http/route.ts';
import { listShown } from './shown-subscription.ts';

export function listSubscriptionsRoutes(context: ApiContext): readonly Route[] {
  const routeAt = (path: string) => listRoute(context, path, listShown);
  return [
    { ...routeAt('/v1/subscriptions'), describe },
    { ...routeAt('/v1/subscriptions/current'), describe: alias },
  ];
}

const describe = listOperation({
  operationId: 'listSubscriptions',
  summary: 'All subscriptions',
  description: 'Every subscription with a first payment attempt, in every status.',
  resource: subscription,
  example: exampleSubscription,
});

const alias = {
  ...describe,
  operationId: 'listCurrentSubscriptions',
  summary: 'Alias of the full list of subscriptions',
};
