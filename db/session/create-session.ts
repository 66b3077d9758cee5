/** Creates checkout sessions: all database checks and all rows in one statement. */
import { z } from 'zod';
import type { Scope } from '../../domain/core/environment.ts';
import { CURRENCIES, MAX_CENTS } from '../../domain/core/money.ts';
import type { MethodType } from '../../domain/payment/payment-method.ts';
import { countStep } from '../../platform/observability/state-changes.ts';
import { type Db, sql } from '../core/pool.ts';
import { NOW } from '../core/service-clock.ts';
import { type BuyerDetails, storedDetails } from './core/buyer-details.ts';
import { termsOfOffer } from './core/session-terms.ts';
import { runningSubscription, usedTrial } from './once-per-customer.ts';

/** The token in the page's address, as a hash and encrypted. */
export interface NewPageToken {
  readonly hash: Buffer;
  readonly sealed: Buffer;
}

export interface NewSession {
  readonly scope: Scope;
  readonly source: 'checkout' | 'checkout_client';
  readonly productId: string;
  /** Null for a buyer whom the merchant does not know, for whom a new customer is created. */
  readonly externalCustomerId: string | null;
  readonly buyer: BuyerDetails;
  /** The amount in cents; null means the price's amount. */
  readonly amount: number | null;
  /** Null leaves the choice to the buyer, within the product's bounds. */
  readonly quantity: number | null;
  /** True if the request gives a coupon: the buyer is then not asked for a code. */
  readonly hasCoupon?: boolean;
  readonly preselectedMethod: MethodType | null;
  /** A language tag; null leaves the page's language to the browser. */
  readonly locale: string | null;
  readonly merchantReference: string | null;
  readonly pageToken: NewPageToken;
  readonly successUrl: string | null;
  readonly failUrl: string | null;
  readonly lifetimeSeconds: number;
  readonly maxAttempts: number;
  /** The adapters of this installation; accounts of other adapters cannot be used. */
  readonly railNames: readonly string[];
}

/** Refusals in the order of the checks (docs/contract.md#order-of-checks). */
export const SESSION_REFUSALS = [
  'product_not_found',
  'merchant_feature_not_enabled',
  'recurring_price_interval_missing',
  'checkout_quantity_invalid',
  'checkout_amount_not_allowed_with_trial',
  'checkout_amount_exceeds_price',
  'subscription_exists',
  'payment_rail_activation_in_progress',
  'payment_rail_unavailable',
] as const;

/** `rail_out_seconds`: seconds until a rail that fails entirely may be tried again. */
const refused = z.object({ refusal: z.enum(SESSION_REFUSALS), rail_out_seconds: z.number().nullable() });
/** Columns of the page's token; `page_token` is encrypted. */
export const storedPageToken = {
  page_token: z.instanceof(Buffer),
  page_token_hash: z.instanceof(Buffer),
};
export const createdSession = z.object({
  refusal: z.null(),
  id: z.string(),
  ...storedPageToken,
  expires_at: z.string(),
  /** `expires_at - service_clock()`: the workflow's start delay. */
  ms_to_expiry: z.number(),
  product_name: z.string(),
  amount: z.number(),
  currency: z.enum(CURRENCIES),
});
/** Selects a session created earlier, as row `c` of checkouts. */
export const selectCreatedSession = sql.fragment`
  null as refusal, c.id, c.page_token, c.page_token_hash, c.expires_at,
  ms_between(service_clock(), c.expires_at) as ms_to_expiry,
  c.terms #>> '{product,name}' as product_name, c.amount, c.currency`;
/** Selects a session to be created, from rows `verdict` and `session`. */
export const selectOutcome = sql.fragment`
  verdict.refusal, case when verdict.rail_fits then verdict.rail_out_seconds end as rail_out_seconds,
  session.id, session.page_token, session.page_token_hash, session.expires_at,
  ms_between(service_clock(), session.expires_at) as ms_to_expiry,
  verdict.product_name, session.amount, session.currency`;
const outcome = z.union([createdSession, refused]);
export type CreatedSession = z.infer<typeof createdSession>;
export type CreationOutcome = z.infer<typeof outcome>;

/**
 * Creates a session with its customer, or returns the check that failed and writes nothing. Each external id has one
 * customer per scope; the request's details about an existing customer stay with the session.
 */
export async function createSession(db: Db, session: NewSession): Promise<CreationOutcome> {
  const created = await insertSession(db, session);
  if (created.refusal === null) countCreated(session.scope);
  return created;
}

export function countCreated({ merchantId, environment }: Scope): void {
  countStep({ merchant_id: merchantId, environment, subscription_id: null }, 'created');
}

/** Like `createSession`, but without counting the session: the caller's transaction may still be rolled back. */
export function insertSession(db: Db, session: NewSession): Promise<CreationOutcome> {
  const { merchantId, environment } = session.scope;
  const { buyer, preselectedMethod, pageToken } = session;
  return db.one(sql.type(outcome)`
    with offer as materialized (${offerTo(session)}),
    verdict as materialized (
      select offer.*, case
        when price_id is null then 'product_not_found'
        when recurs and not subscriptions_enabled then 'merchant_feature_not_enabled'
        when recurs and interval is null then 'recurring_price_interval_missing'
        when quantity not between least_quantity and coalesce(quantity_max, 1)
          or price_amount::int8 * quantity > ${MAX_CENTS} then 'checkout_quantity_invalid'
        when offers_trial and ${session.amount}::int8 is not null then 'checkout_amount_not_allowed_with_trial'
        when ${session.amount}::int8 > price_amount::int8 * quantity then 'checkout_amount_exceeds_price'
        when recurs and one_subscription_per_customer and exists (${runningSubscription(session)})
          then 'subscription_exists'
        when rail_status = 'activating' then 'payment_rail_activation_in_progress'
        when not rail_fits or rail_out_seconds is not null then 'payment_rail_unavailable'
      end as refusal
      from offer
    ),
    customer as (${upsertCustomer(session)}),
    session as (
      insert into checkouts (merchant_id, environment, source, customer_id, product_id, price_id, rail_account_id,
        amount, quantity, currency, terms, preselected_method, locale, merchant_reference, success_url, fail_url, max_attempts,
        asks_email, buyer, created_at, expires_at, next_action_at, page_token_hash,
        page_token)
      select ${merchantId}, ${environment}, ${session.source}, customer.id, product_id, price_id, rail_account_id,
        case when has_trial then 0 else coalesce(${session.amount}::int8, price_amount::int8 * quantity) end, quantity, currency,
        ${termsOfOffer}, ${preselectedMethod}::text, ${session.locale}::text, ${session.merchantReference}::text,
        ${session.successUrl}::text, ${session.failUrl}::text, ${session.maxAttempts}, ${buyer.email === null}, ${storedDetails(buyer)}, verdict.created_at, expiry.at,
        expiry.at, ${sql.binary(pageToken.hash)}, ${sql.binary(pageToken.sealed)}
      from verdict
      cross join customer
      cross join lateral (
        select verdict.created_at + ${session.lifetimeSeconds}::float8 * interval '1 second' as at
      ) expiry
      returning id, page_token, page_token_hash, expires_at, amount, currency
    )
    select ${selectOutcome}
    from verdict
    left join session on true
  `);
}

/** Selects the product that the session would sell, and the rail account that would charge it. */
function offerTo(session: NewSession) {
  const { scope, productId, railNames, preselectedMethod, quantity, amount, hasCoupon = false } = session;
  const wallet = preselectedMethod === 'card' ? null : preselectedMethod;
  return sql.fragment`
      select m.name as merchant_name, m.branding, m.legal_identity, m.support_email, m.support_url, m.support_phone, m.subscriptions_enabled,
        product.id as product_id, product.name as product_name, product.description, product.external_reference,
        product.offering_id, product.image, coalesce(product.quantity_min, 1) as least_quantity, product.quantity_max, product.billing_cycles,
        product.one_subscription_per_customer, product.one_trial_per_customer,
        coalesce(${quantity}::int, product.quantity_min, 1) as quantity,
        ${quantity}::int is null and ${amount}::int8 is null as asks_quantity,
        ${!hasCoupon} and ${amount}::int8 is null and exists (
          select from coupons
          where merchant_id = m.id and environment = ${scope.environment} and status = 'active'
            and coalesce(valid_until, 'infinity') > ${NOW} and (product_ids is null or product.id = any (product_ids))
        ) as takes_codes,
        price.id as price_id, price.amount as price_amount, price.currency, price.tax_rate, price.billing_mode, price.interval,
        price.interval_count, price.trial_period_days,
        price.billing_mode = 'recurring' as recurs,
        price.billing_mode = 'recurring' and price.trial_period_days is not null as offers_trial, trial.used as trial_used,
        price.billing_mode = 'recurring' and price.trial_period_days is not null and not trial.used as has_trial,
        account.id as rail_account_id, account.status as rail_status,
        coalesce(account.rail = any (${sql.array([...railNames], 'text')})
          and account.capabilities -> 'cardFields' = 'true'
          and account.capabilities -> 'currencies' ? price.currency
          and (price.billing_mode <> 'recurring' or account.capabilities -> 'recurring' = 'true')
          and (${wallet}::text is null or account.capabilities -> 'wallets' ? ${wallet}::text),
          false) as rail_fits,
        rail_out_seconds(account.id, account.rail, account.environment) as rail_out_seconds,
        service_clock() as created_at
      from merchants m
      left join products product
        on product.merchant_id = m.id and product.id = ${productId} and product.status = 'active'
      left join prices price on price.product_id = product.id and price.status = 'active'
      left join rail_accounts account
        on account.merchant_id = m.id and account.environment = ${scope.environment} and account.status <> 'disabled'
      cross join lateral (
        select case when product.one_trial_per_customer and price.trial_period_days is not null
          then exists (${usedTrial(session)}) else false end as used
      ) trial
      where m.id = ${scope.merchantId}`;
}

/** Inserts or finds the session's customer, unless a check failed. The email makes a new customer searchable. */
function upsertCustomer({ scope, externalCustomerId, buyer }: NewSession) {
  return sql.fragment`
      insert into customers (merchant_id, environment, external_customer_id, email)
      select ${scope.merchantId}, ${scope.environment}, ${externalCustomerId}::text, ${buyer.email}::text
      from verdict where refusal is null
      on conflict (merchant_id, environment, external_customer_id) where external_customer_id is not null
      do update set updated_at = service_clock()
      returning id`;
}
