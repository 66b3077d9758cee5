/** GET /v1/orders: one order per session that was tried to pay, per period, per manual charge. */
import { listOrders } from '../../db/lists.ts';
import type { ApiContext } from '../context.ts';
import { listRoute } from '../list-route.ts';
import type { Route } from '../route.ts';

export function listOrdersRoute(context: ApiContext): Route {
  return listRoute(context, '/v1/orders', listOrders);
}
