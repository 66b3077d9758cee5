import { type Payment, payment } from '../../contract/payment/resources.ts';
import type { ListBatch } from '../core/lists/list-batch.ts';
import { sql } from '../core/pool.ts';

/**
 * Lists payments, newest first by creation time instead of by id, because a retry's id contains its period's time.
 * Omits the mandate's reference (docs/contract.md#shapes).
 */
export const listPayments: ListBatch<Payment> = (db, { merchantId, environment }, { after, limit }) =>
  db.any(sql.type(payment)`
    select p.id, p.order_id, p.rail_account_id, p.rail_order_id, p.rail, p.payment_method, p.status, p.amount,
      p.currency, p.failure_code, p.failure_message, p.created_at, p.updated_at
    from payments p
    where p.merchant_id = ${merchantId} and p.environment = ${environment}
      ${
        after === null
          ? sql.fragment``
          : sql.fragment`and (unix_ms(p.created_at), p.id) < (select unix_ms(created_at), id from payments where id = ${after})`
      }
    order by unix_ms(p.created_at) desc, p.id desc
    limit ${limit}
  `);
