/** GET /v1/subscriptions and its alias /v1/subscriptions/current: the full list, both of them. */
import { listSubscriptions } from '../../db/lists.ts';
import type { ApiContext } from '../context.ts';
import { listRoute } from '../list-route.ts';
import type { Route } from '../route.ts';

export function listSubscriptionsRoutes(context: ApiContext): readonly Route[] {
  return ['/v1/subscriptions', '/v1/subscriptions/current'].map((path) =>
    listRoute(context, path, listSubscriptions),
  );
}
