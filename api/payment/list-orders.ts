/** GET /v1/orders: an order for each session with a payment attempt, each period and each manual charge. */
import { exampleOrder, order } from '../../contract/payment/resources.ts';
import { listOrders } from '../../db/payment/list-orders.ts';
import { listRoute } from '../http/routes/list-route.ts';

export const listOrdersRoute = listRoute('/v1/orders', () => listOrders, {
  operationId: 'listOrders',
  summary: 'All orders',
  description:
    'One order for each session with a payment attempt, for each period of a subscription and for each manual charge.',
  resource: order,
  example: exampleOrder,
});
