/** Everything that a merchant does with a subscription. */
import type { ApiContext } from '../context.ts';
import type { Route } from '../route.ts';
import { advanceSubscriptionRoute } from './subscriptions/advance-subscription.ts';
import { cancelChangeRoute } from './subscriptions/cancel-change.ts';
import { cancelSubscriptionRoute } from './subscriptions/cancel-subscription.ts';
import { changeOfferingRoute } from './subscriptions/change-offering.ts';
import { changePlanRoute } from './subscriptions/change-plan.ts';

export function subscriptionRoutes(context: ApiContext): readonly Route[] {
  return [
    cancelSubscriptionRoute(context),
    changePlanRoute(context),
    changeOfferingRoute(context),
    cancelChangeRoute(context),
    advanceSubscriptionRoute(context),
  ];
}
