/**
 * Payment-method changes: hosted sessions of 0 cents with strong authentication. Claims, challenges, expiry and
 * look-ups work as for a purchase; `close-method-change.ts` records the outcome.
 */
import { z } from 'zod';
import type { Scope } from '../../domain/core/environment.ts';
import { refusalOf, refusalsOf, type StateRefusal } from '../../domain/subscription/operations.ts';
import { storable } from '../core/is-there.ts';
import { type Db, type Pool, sql, type Transaction } from '../core/pool.ts';
import { operable } from '../subscription/core/subscription-operations.ts';
import { lockSubscription } from '../subscription/core/subscription-row.ts';
import { type BuyerDetails, storedDetails } from './core/buyer-details.ts';
import { termsOfOffer } from './core/session-terms.ts';
import { createdSession, type NewPageToken, selectCreatedSession, selectOutcome } from './create-session.ts';

const METHOD_CHANGE_LIFETIME_SECONDS = 900;

export interface NewMethodChange {
  readonly scope: Scope;
  /** Null if the request has no idempotency key. */
  readonly operationId: string | null;
  readonly subscriptionId: string;
  /** The external id of the customer to whom the subscription must belong; null accepts any. */
  readonly externalCustomerId: string | null;
  readonly buyer: BuyerDetails;
  readonly pageToken: NewPageToken;
  readonly successUrl: string;
  readonly failUrl: string;
  readonly maxAttempts: number;
  /** The adapters of this installation; accounts of other adapters cannot be used. */
  readonly railNames: readonly string[];
}

/** Refusals in the order of the checks. */
export const METHOD_CHANGE_REFUSALS = [
  'merchant_feature_not_enabled',
  'subscription_not_found',
  ...refusalsOf('changeMethod'),
  'payment_rail_activation_in_progress',
  'payment_rail_unavailable',
] as const;

const created = createdSession.extend({ customer_id: z.string() });
type CreatedMethodChange = z.infer<typeof created>;
const outcome = z.union([
  created,
  z.object({ refusal: z.enum(METHOD_CHANGE_REFUSALS), rail_out_seconds: z.number().nullable() }),
]);

/** Creates the method change once per operation, or returns the check that failed and writes nothing. */
export function createMethodChange(pool: Pool, change: NewMethodChange): Promise<z.infer<typeof outcome>> {
  return pool.transaction(async (tx) => {
    const subscriptionId = await lockSubscriptionOf(tx, change);
    if (subscriptionId === null) return insert(tx, change, null);
    const earlier = await findByOperation(tx, change.operationId);
    if (earlier) return earlier;
    const subscription = await lockSubscription(tx, subscriptionId);
    return insert(tx, change, refusalOf('changeMethod', operable(subscription)));
  });
}

/** Makes a concurrent run of the same operation wait until the first commits. */
function lockSubscriptionOf(
  tx: Transaction,
  { scope, subscriptionId }: NewMethodChange,
): Promise<string | null> {
  return tx.maybeOneFirst(sql.type(z.object({ id: z.string() }))`
    select id from subscriptions
    where id = ${subscriptionId} and merchant_id = ${scope.merchantId} and environment = ${scope.environment}
    for update
  `);
}

function findByOperation(tx: Transaction, operationId: string | null): Promise<CreatedMethodChange | null> {
  return tx.maybeOne(sql.type(created)`
    select ${selectCreatedSession}, c.customer_id
    from checkouts c where operation_id = ${operationId}
  `);
}

/** @param refusal the subscription's state forbids the change with this code */
function insert(
  tx: Transaction,
  change: NewMethodChange,
  refusal: StateRefusal | null,
): Promise<z.infer<typeof outcome>> {
  const { scope, buyer, pageToken } = change;
  return tx.one(sql.type(outcome)`
    with offer as materialized (${offerTo(change)}),
    verdict as materialized (
      select offer.*, case
        when not subscriptions_enabled then 'merchant_feature_not_enabled'
        when subscription_id is null then 'subscription_not_found'
        when ${refusal}::text is not null then ${refusal}
        when rail_status = 'activating' then 'payment_rail_activation_in_progress'
        when not rail_fits or rail_out_seconds is not null then 'payment_rail_unavailable'
      end as refusal
      from offer
    ),
    session as (
      insert into checkouts (id, page_token_hash, page_token, operation_id, purpose, subscription_id,
        merchant_id, environment, customer_id, product_id, price_id, rail_account_id, amount, currency, terms, success_url, fail_url,
        max_attempts, buyer, created_at, expires_at, next_action_at)
      select new_id('ap_pmc_'), ${sql.binary(pageToken.hash)}, ${sql.binary(pageToken.sealed)},
        ${change.operationId}, 'method_change', subscription_id,
        ${scope.merchantId}, ${scope.environment}, customer_id, product_id, price_id, rail_account_id, 0, currency,
        ${termsOfOffer}, ${change.successUrl}, ${change.failUrl}, ${change.maxAttempts}, ${storedDetails(buyer)}, verdict.created_at, expiry.at, expiry.at
      from verdict
      cross join lateral (
        select verdict.created_at + ${METHOD_CHANGE_LIFETIME_SECONDS}::float8 * interval '1 second' as at
      ) expiry
      where verdict.refusal is null
      returning id, subscription_id, page_token, page_token_hash, customer_id, expires_at, amount, currency
    ),
    newest as (
      update subscriptions s set newest_method_change_id = session.id from session where s.id = session.subscription_id
    )
    select ${selectOutcome}, session.customer_id
    from verdict
    left join session on true
  `);
}

/**
 * Selects the subscription whose method is changed, and the rail account that would store the new one.
 *
 * @param invoiceId the invoice of a payment link, which shows that invoice's plan
 */
export function offerTo(
  {
    scope,
    subscriptionId,
    externalCustomerId,
    railNames,
  }: Pick<NewMethodChange, 'scope' | 'subscriptionId' | 'externalCustomerId' | 'railNames'>,
  invoiceId: string | null = null,
) {
  return sql.fragment`
      select s.id as subscription_id, s.customer_id, plan.id as product_id, price.id as price_id, s.currency,
        m.subscriptions_enabled, m.name as merchant_name, m.branding, m.legal_identity, m.support_email, m.support_url, m.support_phone,
        plan.name as product_name, plan.description, plan.external_reference, s.offering_id, plan.image,
        false as takes_codes, false as asks_quantity, null::integer as quantity_max, 1 as least_quantity,
        null::integer as billing_cycles, false as one_subscription_per_customer, false as one_trial_per_customer,
        false as trial_used,
        price.amount as price_amount, price.tax_rate, price.interval, price.interval_count,
        'recurring' as billing_mode, null::integer as trial_period_days,
        account.id as rail_account_id, account.status as rail_status,
        coalesce(account.rail = any (${sql.array([...railNames], 'text')})
          and account.capabilities -> 'cardFields' = 'true' and account.capabilities -> 'recurring' = 'true'
          and account.capabilities -> 'currencies' ? s.currency, false) as rail_fits,
        rail_out_seconds(account.id, account.rail, account.environment) as rail_out_seconds,
        service_clock() as created_at
      from merchants m
      left join subscriptions s
        on s.id = ${subscriptionId} and s.merchant_id = m.id and s.environment = ${scope.environment}
        and exists (
          select from customers u where u.id = s.customer_id and (
            ${externalCustomerId}::text is null or u.external_customer_id = ${externalCustomerId})
        )
      left join lateral (
        select i.line_items -> -1 as line from invoices i where i.id = ${invoiceId}
      ) charged on true
      left join products plan on plan.id = coalesce(charged.line ->> 'product_id', s.product_id)
      left join prices price on price.id = coalesce(charged.line ->> 'price_id', s.price_id)
      left join rail_accounts account
        on account.merchant_id = m.id and account.environment = ${scope.environment} and account.status <> 'disabled'
      where m.id = ${scope.merchantId}`;
}

/** Returns whether the customer with this external id has the subscription. */
export function isSubscriptionOf(
  db: Db,
  { merchantId, environment }: Scope,
  named: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  return db.exists(sql.typeAlias('void')`
    select from subscriptions s join customers u on u.id = s.customer_id
    where s.id = ${storable(named.subscriptionId)} and u.external_customer_id = ${storable(named.externalCustomerId)}
      and s.merchant_id = ${merchantId} and s.environment = ${environment}
  `);
}

/** @returns null if the row does not exist (rule 30) */
export function subscriptionOfSession(db: Db, checkoutId: string): Promise<string | null> {
  return db.maybeOneFirst(sql.type(z.object({ subscription_id: z.string() }))`
    select subscription_id from checkouts where id = ${checkoutId} and subscription_id is not null
  `);
}
