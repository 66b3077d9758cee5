/** GET /v1/subscriptions and its alias /v1/subscriptions/current: both return the full list. */
import { exampleSubscription, subscription } from '../../contract/subscription/resources.ts';
import { listRoute } from '../http/routes/list-route.ts';
import { listShown } from './shown-subscription.ts';

const describe = {
  operationId: 'listSubscriptions',
  summary: 'All subscriptions',
  description: 'Every subscription with a first payment attempt, in every status.',
  resource: subscription,
  example: exampleSubscription,
};

export const listSubscriptionsRoute = listRoute('/v1/subscriptions', () => listShown, describe);

export const listCurrentSubscriptionsRoute = listRoute('/v1/subscriptions/current', () => listShown, {
  ...describe,
  operationId: 'listCurrentSubscriptions',
  summary: 'Alias of the full list of subscriptions',
});
