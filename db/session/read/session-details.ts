import { type CheckoutDetails, checkoutDetails } from '../../../contract/session/checkout-details.ts';
import type { Scope } from '../../../domain/core/environment.ts';
import { type Db, sql } from '../../core/pool.ts';

/** Finds a session as its merchant sees it; method changes are not included. */
export function findSessionDetails(
  db: Db,
  { merchantId, environment }: Scope,
  checkoutId: string,
): Promise<CheckoutDetails | null> {
  return db.maybeOne(sql.type(checkoutDetails)`
    select c.id, c.state, c.failure_reason, (select count(*)::int from payments where checkout_id = c.id) as attempts,
      c.amount, c.quantity, c.currency,
      case when k.id is not null then jsonb_build_object('id', k.id, 'code', k.code, 'discount',
        case when c.terms #>> '{price,recurring,trial_period_days}' is null
          then (c.terms #>> '{price,amount}')::int * c.quantity - c.amount else 0 end) end as coupon,
      c.product_id, c.customer_id, o.id as order_id,
      (select id from payments where checkout_id = c.id order by attempt_no desc limit 1) as payment_id,
      s.id as subscription_id, c.merchant_reference, c.created_at, c.expires_at, c.finished_at
    from checkouts c
    left join orders o on o.checkout_id = c.id
    left join coupons k on k.id = c.coupon_id
    left join subscriptions s on s.checkout_id = c.id and s.status not in ('incomplete', 'expired')
    where c.merchant_id = ${merchantId} and c.environment = ${environment} and c.id = ${checkoutId}
      and c.subscription_id is null
  `);
}
