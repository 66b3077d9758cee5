/** The products and trials that a customer already has, where each customer gets only one. */
import type { Environment } from '../../../domain/core/environment.ts';
import { type Fragment, sql, type Transaction } from '../../core/pool.ts';
import { OPEN_CHANGE } from './subscription-row.ts';

/** True if subscription `s` is for the row `product`, or for a product of the same offering. */
export const isOfSameGroup = sql.fragment`(s.product_id = product.id or s.offering_id = product.offering_id)`;

/** Also true if the subscription is about to change to such a product. */
export const isOrEntersSameGroup = sql.fragment`(${isOfSameGroup} or exists (
  select from subscription_changes entering where entering.subscription_id = s.id and entering.status in ${OPEN_CHANGE}
    and (entering.target_plan_id = product.id or entering.target_offering_id = product.offering_id)))`;

interface Buyer {
  readonly merchant_id: string;
  readonly environment: Environment;
  readonly customer_id: string;
}

/**
 * Locks the buyer: other transactions that count this buyer's subscriptions and trials wait until this one ends.
 * @param alsoKnownBy further identifiers of the buyer: an email, a card
 */
export function waitForBuyer(
  tx: Transaction,
  { merchant_id: merchantId, environment, customer_id: customerId }: Buyer,
  alsoKnownBy: readonly Fragment[] = [],
) {
  const known = [sql.fragment`${customerId}::text`, ...alsoKnownBy].map((buyer) => sql.fragment`(${buyer})`);
  // Locked in key order, so that two claims never deadlock.
  return tx.query(sql.typeAlias('void')`
    select pg_advisory_xact_lock(key) from (
      select distinct hashtextextended(concat_ws(' ', 'once per customer', ${merchantId}::text, ${environment}::text, buyer), 0) as key
      from (values ${sql.join(known, sql.fragment`, `)}) known (buyer)
      where buyer is not null
      order by key
    ) locks
  `);
}
