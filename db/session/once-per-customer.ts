/**
 * A product's limits per customer: one running subscription, and one trial. Both apply to the product's offering or,
 * without an offering, to the product alone. An incomplete subscription counts only while it is being paid, so that a
 * buyer with two tabs begins only one.
 */
import { z } from 'zod';
import type { Scope } from '../../domain/core/environment.ts';
import type { OncePerCustomerRefusal } from '../../domain/session/session.ts';
import { type Fragment, sql, type Transaction } from '../core/pool.ts';
import { BILLED } from '../subscription/core/billed-statuses.ts';
import { isOfSameGroup, isOrEntersSameGroup, waitForBuyer } from '../subscription/core/per-customer.ts';
import type { BuyerDetails } from './core/buyer-details.ts';
import { emailOf, sameBuyer } from './core/same-buyer.ts';
import type { LockedSession } from './core/session-row.ts';
import { priceAgain } from './redeem-coupon.ts';

/** The buyer of a session that is being created. */
interface NewBuyer {
  readonly scope: Scope;
  readonly externalCustomerId: string | null;
  readonly buyer: BuyerDetails;
}

/** Selects a running subscription of a new session's customer to the same `product` or offering. */
export function runningSubscription({ scope, externalCustomerId }: NewBuyer): Fragment {
  return sql.fragment`
    select from subscriptions s cross join (select product_id as id, offering_id) product
    where s.customer_id = ${customerNamed(scope, externalCustomerId)} and s.status in ${BILLED} and ${isOrEntersSameGroup}`;
}

/**
 * True if subscription `s`, bought by session `bought`, has had a trial of the row `product` or of its offering, even
 * if it has changed to another plan since.
 */
const hadTrial = sql.fragment`(s.trial_start is not null and (${isOfSameGroup} or bought.product_id = product.id
  or bought.terms #>> '{product,offering_id}' = product.offering_id))`;

/** Selects a trial that a new session's buyer has had of the same `product` or offering. */
export function usedTrial({ scope, externalCustomerId, buyer }: NewBuyer): Fragment {
  const customer = customerNamed(scope, externalCustomerId);
  return sql.fragment`
    select from subscriptions s left join checkouts bought on bought.id = s.checkout_id
    where s.customer_id in (${sameBuyer(scope, customer, buyer.email)}) and ${hadTrial}`;
}

function customerNamed({ merchantId, environment }: Scope, externalCustomerId: string | null): Fragment {
  return sql.fragment`(
    select id from customers where merchant_id = ${merchantId} and environment = ${environment}
      and external_customer_id = ${externalCustomerId}::text)`;
}

/** Facts about the buyer that a click provides. */
interface BuyerOfClick {
  readonly email: string | null;
  /** Keyed hash. */
  readonly card: Buffer | null;
}

const found = z.object({ is_subscribed: z.boolean(), had_trial: z.boolean(), trial_under_way: z.boolean() });

/**
 * Call it under the session's lock, before the session's state changes. Claims of one buyer wait for each other here.
 * If the buyer has already had the trial, the session charges the price from now on.
 * @returns why the click may not be charged; null if it may be
 */
export async function refusalOfBuyer(
  tx: Transaction,
  session: LockedSession,
  buyer: BuyerOfClick,
): Promise<OncePerCustomerRefusal | null> {
  const { product, price } = session.terms;
  const onlyOne = price.recurring !== null && product.one_subscription_per_customer === true;
  const onlyOneTrial = hasTrial(session) && product.one_trial_per_customer === true;
  if (!onlyOne && !onlyOneTrial) return null;
  await waitForBuyer(tx, session, [
    emailOf(sql.fragment`${session.customer_id}`, buyer.email),
    sql.fragment`${buyer.card?.toString('hex') ?? null}::text`,
  ]);
  const { is_subscribed, had_trial, trial_under_way } = await purchasesOf(tx, session, buyer);
  if (onlyOne && is_subscribed) return 'subscription_exists';
  if (!onlyOneTrial) return null;
  if (had_trial) await endTrialOffer(tx, session.id);
  return had_trial ? 'terms_changed' : trial_under_way ? 'trial_under_way' : null;
}

export function hasTrial({ terms }: Pick<LockedSession, 'terms'>): boolean {
  return Boolean(terms.price.recurring?.trial_period_days);
}

function purchasesOf(tx: Transaction, session: LockedSession, { email, card }: BuyerOfClick) {
  const { id, merchant_id: merchantId, environment, customer_id: customerId, terms } = session;
  return tx.one(sql.type(found)`
    with product as (select ${terms.product.id}::text as id, ${terms.product.offering_id}::text as offering_id),
    own as (
      select s.id from subscriptions s
      where s.customer_id in (${sameBuyer({ merchantId, environment }, sql.fragment`${customerId}`, email)})
      union
      select s.id from subscriptions s where s.merchant_id = ${merchantId} and s.environment = ${environment}
        and s.trial_card = ${card && sql.binary(card)}::bytea
    )
    select
      coalesce(bool_or(is_of_group and s.customer_id = ${customerId} and (s.status in ${BILLED} or is_being_paid)), false)
        as is_subscribed,
      coalesce(bool_or(${hadTrial}), false) as had_trial,
      coalesce(bool_or(is_of_group and is_being_paid
        and bought.terms #>> '{price,recurring,trial_period_days}' is not null), false) as trial_under_way
    from own join subscriptions s on s.id = own.id cross join product
    left join checkouts bought on bought.id = s.checkout_id
    cross join lateral (
      select coalesce(s.status = 'incomplete' and bought.state not in ('created', 'failed'), false) as is_being_paid,
        ${isOrEntersSameGroup} as is_of_group
    ) paying
    where s.checkout_id is distinct from ${id}
  `);
}

/** If the session offers a trial, ends that offer: the session charges the price from now on. Notifies open pages. */
export async function endTrialOffer(tx: Transaction, checkoutId: string): Promise<void> {
  const { rowCount } = await tx.query(sql.typeAlias('void')`
    update checkouts set terms = jsonb_set(terms, '{price,recurring}',
      terms #> '{price,recurring}' || '{"trial_period_days": null, "trial_used": true}')
    where id = ${checkoutId} and terms #>> '{price,recurring,trial_period_days}' is not null
  `);
  if (rowCount) await priceAgain(tx, checkoutId);
}
