/** GET /v1/orders: an order for each session with a payment attempt, each period and each manual charge. */
import { listOperation } from '../../contract/core/list-operation.ts';
import { exampleOrder, order } from '../../contract/payment/resources.ts';
import { listOrders } from '../../db/payment/list-orders.ts';
import type { ApiContext } from '../http/context.ts';
import { listRoute } from '../http/lists/list-route.ts';
import type { Route } from '../http/route.ts';

export function listOrdersRoute(context: ApiContext): Route {
  return { ...listRoute(context, '/v1/orders', listOrders), describe };
}

const describe = listOperation({
  operationId: 'listOrders',
  summary: 'All orders',
  description:
    'One order for each session with a payment attempt, for each period of a subscription and for each manual charge.',
  resource: order,
  example: exampleOrder,
});
