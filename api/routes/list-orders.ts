/** GET /v1/orders: one order per session that was tried to pay, per period, per manual charge. */
import { exampleOrder } from '../../contract/examples.ts';
import { listOperation } from '../../contract/list-operation.ts';
import { order } from '../../contract/resources.ts';
import { listOrders } from '../../db/lists.ts';
import type { ApiContext } from '../context.ts';
import { listRoute } from '../list-route.ts';
import type { Route } from '../route.ts';

export function listOrdersRoute(context: ApiContext): Route {
  return { ...listRoute(context, '/v1/orders', listOrders), describe };
}

const describe = listOperation({
  operationId: 'listOrders',
  summary: 'All orders',
  description:
    'One order for each session that somebody tried to pay, for each period of a subscription and for each manual charge.',
  resource: order,
  example: exampleOrder,
});
