import { type Order, order } from '../../contract/payment/resources.ts';
import { type ListBatch, olderThan } from '../core/lists/list-batch.ts';
import { sql } from '../core/pool.ts';

export const listOrders: ListBatch<Order> = (db, { merchantId, environment }, { after, limit }) =>
  db.any(sql.type(order)`
    select o.id, o.customer_id, o.product_id, o.price_id, o.source, o.external_reference, o.line_items, o.amount,
      o.currency, o.payment_id, o.status
    from orders o
    where o.merchant_id = ${merchantId} and o.environment = ${environment} ${olderThan('o', after)}
    order by o.id desc
    limit ${limit}
  `);
