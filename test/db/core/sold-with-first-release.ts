/** Rows as 0.1.0 wrote them: a subscription whose next period is due, and what belongs to it and its merchant. */
import { createWebhookSecret } from '../../../contract/webhook/webhook-signature.ts';
import { type Pool, sql } from '../../../db/core/pool.ts';
import { boundary } from '../../../domain/core/calendar.ts';
import { mandateOf, methodTokenOf, railCredentialOf, webhookSecretOf } from '../../../secrets/places.ts';
import { SecretBox } from '../../../secrets/secret-box.ts';
import {
  insertShop,
  insertStorefrontClient,
  type Shop,
  TEST_SECRETS_KEY,
} from '../../support/db/fixtures.ts';

/** 0.1.0 sealed without a place and without a key id. */
const secrets = new SecretBox(TEST_SECRETS_KEY, { previousReleaseRuns: true });
const CLAIM = 'claim-1';
const EVENT = { id: 'evt_of_0_1_0', type: 'subscription.created' };
/** One period ended some days ago, and the next one has not ended yet. */
const BEGUN_MS = 40 * 86_400_000;

export interface Sold {
  readonly shop: Shop;
  readonly railAccount: { readonly id: string; readonly secret: string };
  readonly subscriptionId: string;
  readonly periodEnd: string;
  readonly event: typeof EVENT;
  readonly endpointSecret: string;
}

/** @param mandateAt stores a card at the rail, and answers with what charges it */
export async function sellWithFirstRelease(
  pool: Pool,
  endpointUrl: string,
  mandateAt: (railAccount: Sold['railAccount']) => Promise<string>,
): Promise<Sold> {
  const shop = await insertShop(pool);
  const railAccount = { id: shop.railAccountId, secret: `secret-of-${shop.railAccountId}` };
  const credential = JSON.stringify({
    account: railAccount.id,
    secret: railAccount.secret,
    webhookSecret: 'webhook-secret-of-tests',
  });
  await pool.query(sql.unsafe`
    update rail_accounts set credential = ${sql.binary(secrets.seal(credential, railCredentialOf(railAccount.id)))}
    where id = ${railAccount.id}
  `);
  const customerId = 'ap_cus_of_0_1_0';
  const mandate = secrets.seal(await mandateAt(railAccount), mandateOf(customerId));
  const periodStart = new Date(Date.now() - BEGUN_MS).toISOString();
  const periodEnd = boundary(periodStart, 'month', 1);
  const subscriptionId = 'ap_sub_of_0_1_0';
  await insertSale(pool, { shop, customerId, mandate, periodStart, periodEnd, subscriptionId });
  const endpointSecret = createWebhookSecret();
  await insertWebhooks(pool, { shop, endpointUrl, endpointSecret, subscriptionId });
  await insertStorefrontClient(pool, { ...shop, origins: ['https://shop.example'] });
  return { shop, railAccount, subscriptionId, periodEnd, event: EVENT, endpointSecret };
}

interface Sale {
  readonly shop: Shop;
  readonly customerId: string;
  readonly mandate: Buffer;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly subscriptionId: string;
}

async function insertSale(pool: Pool, sale: Sale): Promise<void> {
  const { merchantId, environment, railAccountId, products } = sale.shop;
  const { customerId, periodStart, periodEnd } = sale;
  const scope = sql.fragment`${merchantId}, ${environment}`;
  const mandate = sql.binary(sale.mandate);
  const method = sql.jsonb({ type: 'card', brand: 'visa', last4: '4242' });
  await pool.query(sql.unsafe`
    with customer as (
      insert into customers (id, merchant_id, environment, external_customer_id, email)
      values (${customerId}, ${scope}, 'customer-1', 'ada@example.eu') returning id
    ), price as (
      select id, product_id, amount, currency from prices where product_id = ${products.recurring}
    ), checkout as (
      insert into checkouts (merchant_id, environment, customer_id, product_id, price_id, rail_account_id, amount,
        currency, terms, max_attempts, expires_at, state, finished_at)
      select ${scope}, customer.id, product_id, price.id, ${railAccountId}, amount, currency, '{}', 5,
        service_clock(), 'succeeded', service_clock()
      from customer, price returning *
    ), click as (
      insert into pay_requests (claim_id, checkout_id, method_type, method_token, email, not_after)
      select ${CLAIM}, id, 'card', ${sql.binary(secrets.seal('tok_1', methodTokenOf(CLAIM)))}, 'ada@example.eu',
        service_clock()
      from checkout
    ), sold as (
      insert into orders (merchant_id, environment, checkout_id, customer_id, product_id, price_id, source, line_items,
        amount, currency, status)
      select ${scope}, id, customer_id, product_id, price_id, 'checkout', '[]', amount, currency, 'completed'
      from checkout returning id, checkout_id
    ), subscription as (
      insert into subscriptions (id, merchant_id, environment, checkout_id, customer_id, product_id, price_id,
        rail_account_id, status, amount, currency, billing_anchor, current_period_start, current_period_end,
        payment_method, credential_secret_ref, next_action_at)
      select ${sale.subscriptionId}, ${scope}, id, customer_id, product_id, price_id, rail_account_id, 'active', amount,
        currency, ${periodStart}, ${periodStart}, ${periodEnd}, ${method}::jsonb, ${mandate}, ${periodEnd}
      from checkout returning id
    ), counted as (
      insert into invoice_counters (merchant_id, environment, year, last_number)
      values (${scope}, extract(year from service_clock()), 1) returning year
    ), invoice as (
      insert into invoices (merchant_id, environment, number, issued_at, supplied_at, customer_id, order_id,
        subscription_id, period_start, period_end, status, amount, amount_due, currency, customer, supplier, line_items)
      select ${scope}, year || '-000001', service_clock(), service_clock(), checkout.customer_id, sold.id,
        subscription.id, ${periodStart}, ${periodEnd}, 'created', amount, 0, currency, '{}', '{}', '[]'
      from checkout, sold, subscription, counted returning id
    )
    insert into payments (merchant_id, environment, order_id, checkout_id, invoice_id, attempt_no, claim_id,
      rail_account_id, rail, rail_order_id, status, amount, currency, payment_method, credential_secret_ref)
    select ${scope}, sold.id, checkout.id, invoice.id, 1, ${CLAIM}, ${railAccountId}, 'sandbox', 'ch_1', 'succeeded',
      amount, currency, ${method}::jsonb, ${mandate}
    from checkout, sold, invoice
  `);
}

interface Webhooks {
  readonly shop: Shop;
  readonly endpointUrl: string;
  readonly endpointSecret: string;
  readonly subscriptionId: string;
}

/** An event that is still to be delivered. */
async function insertWebhooks(pool: Pool, webhooks: Webhooks): Promise<void> {
  const { merchantId, environment } = webhooks.shop;
  const endpointId = 'ap_whe_of_0_1_0';
  const secret = sql.binary(secrets.seal(webhooks.endpointSecret, webhookSecretOf(endpointId)));
  await pool.query(sql.unsafe`
    with endpoint as (
      insert into webhook_endpoints (id, merchant_id, environment, url, secret)
      values (${endpointId}, ${merchantId}, ${environment}, ${webhooks.endpointUrl}, ${secret}) returning id
    ), event as (
      insert into events (id, merchant_id, environment, type, aggregate_id, aggregate_version, body)
      values (${EVENT.id}, ${merchantId}, ${environment}, ${EVENT.type}, ${webhooks.subscriptionId}, 1,
        ${JSON.stringify(EVENT)})
      returning id
    )
    insert into deliveries (endpoint_id, event_id) select endpoint.id, event.id from endpoint, event
  `);
}
