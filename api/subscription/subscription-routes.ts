/** A merchant's operations on subscriptions. */
import type { ApiContext } from '../http/context.ts';
import type { Route } from '../http/route.ts';
import { advanceSubscriptionRoute } from './advance-subscription.ts';
import { cancelChangeRoute } from './cancel-change.ts';
import { cancelSubscriptionRoute } from './cancel-subscription.ts';
import { changeOfferingRoute } from './change-offering.ts';
import { changePlanRoute } from './change-plan.ts';

export function subscriptionRoutes(context: ApiContext): readonly Route[] {
  return [
    cancelSubscriptionRoute(context),
    changePlanRoute(context),
    changeOfferingRoute(context),
    cancelChangeRoute(context),
    advanceSubscriptionRoute(context),
  ];
}
