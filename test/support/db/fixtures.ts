/**
 * Rows for tests. Each function inserts one object with sensible defaults, accepts overrides, and returns
 * ids. `insertShop` inserts everything that a purchase needs.
 */
import { createHash, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { createApiKey, hashApiKey } from '../../../contract/merchant/api-key.ts';
import { type Db, sql } from '../../../db/core/pool.ts';
import { type CreatedSession, createSession, type NewSession } from '../../../db/session/create-session.ts';
import type { ApiKeyScope } from '../../../domain/core/api-key-scope.ts';
import type { Environment, Scope } from '../../../domain/core/environment.ts';
import type { RailCapabilities } from '../../../domain/payment/rail-capabilities.ts';
import { SecretBox } from '../../../platform/secrets/encryption.ts';
import { createPageToken } from '../../../platform/secrets/page-token.ts';
import { mandateOf, railCredentialOf } from '../../../platform/secrets/places.ts';

export const TEST_PEPPER = 'a pepper for tests only: quick jumbo dwarf';
export const TEST_SECRETS_KEY = createHash('sha256').update('a key for tests only').digest('base64');
/** Secrets used to open the accounts of `insertRailAccount`. */
export const RAIL_CREDENTIAL = 'canary-rail-credential-1f9c';
export const testSecretBox = new SecretBox(TEST_SECRETS_KEY);

const id = z.object({ id: z.string() });
const unique = () => randomBytes(6).toString('hex');

export interface MerchantValues {
  readonly name?: string;
  readonly status?: 'active' | 'inactive';
  readonly subscriptionsEnabled?: boolean;
  readonly branding?: { logo_url?: string; color?: string; language?: string };
  readonly supportEmail?: string;
  readonly supportUrl?: string;
  readonly supportPhone?: string;
}

export async function insertMerchant(db: Db, values: MerchantValues = {}): Promise<string> {
  const {
    name = 'Kaffeerösterei Nord',
    status = 'active',
    subscriptionsEnabled = true,
    branding = {},
    supportEmail = null,
    supportUrl = null,
    supportPhone = null,
  } = values;
  const legalIdentity = {
    name: `${name} GmbH`,
    address_lines: ['Hafenweg 1', '20457 Hamburg'],
    vat_id: 'DE123456789',
  };
  return db.oneFirst(sql.type(id)`
    insert into merchants (name, status, subscriptions_enabled, branding, legal_identity, support_email, support_url,
      support_phone)
    values (${name}, ${status}, ${subscriptionsEnabled}, ${sql.jsonb(branding)}, ${sql.jsonb(legalIdentity)},
      ${supportEmail}, ${supportUrl}, ${supportPhone})
    returning id
  `);
}

/** @returns the key itself, as a merchant would hold it */
export async function insertApiKey(
  db: Db,
  { merchantId, environment }: Scope,
  { scope = 'all' }: { readonly scope?: ApiKeyScope } = {},
): Promise<string> {
  const key = createApiKey(environment);
  await db.query(sql.unsafe`
    insert into api_keys (merchant_id, environment, key_hmac, last4, scope)
    values (${merchantId}, ${environment}, ${sql.binary(hashApiKey(key, TEST_PEPPER))}, ${key.slice(-4)}, ${scope})
  `);
  return key;
}

export interface ProductValues {
  readonly merchantId: string;
  readonly name?: string;
  readonly description?: string | null;
  readonly externalReference?: string | null;
  readonly quantity?: { readonly min: number; readonly max: number } | null;
  readonly billingCycles?: number | null;
  readonly oneSubscriptionPerCustomer?: boolean;
  readonly oneTrialPerCustomer?: boolean;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly status?: 'active' | 'inactive';
  /** Null for a product without any price. */
  readonly price?: PriceValues | null;
}

export interface PriceValues {
  readonly amount?: number;
  readonly currency?: string;
  readonly taxRate?: number;
  readonly billingMode?: 'one_time' | 'recurring';
  readonly interval?: 'day' | 'week' | 'month' | 'year' | null;
  readonly intervalCount?: number | null;
  readonly trialPeriodDays?: number | null;
  readonly status?: 'active' | 'inactive';
}

/** Recurring prices are monthly by default. */
export const RECURRING: PriceValues = {
  billingMode: 'recurring',
  interval: 'month',
  intervalCount: 1,
  amount: 900,
};

export async function insertProduct(
  db: Db,
  values: ProductValues,
): Promise<{ productId: string; priceId: string }> {
  const {
    merchantId,
    name = 'Filterkaffee, 1 kg',
    description = null,
    externalReference = null,
    quantity = null,
    billingCycles = null,
    oneSubscriptionPerCustomer = false,
    oneTrialPerCustomer = false,
  } = values;
  const { metadata = {}, status = 'active', price = {} } = values;
  const productId = await db.oneFirst(sql.type(id)`
    insert into products (merchant_id, name, description, external_reference, metadata, status, quantity_min, quantity_max,
      billing_cycles, one_subscription_per_customer, one_trial_per_customer)
    values (${merchantId}, ${name}, ${description}, ${externalReference}, ${sql.jsonb(metadata)}, ${status},
      ${quantity?.min ?? null}, ${quantity?.max ?? null}, ${billingCycles}, ${oneSubscriptionPerCustomer}, ${oneTrialPerCustomer})
    returning id
  `);
  return { productId, priceId: price === null ? '' : await insertPrice(db, productId, price) };
}

export function insertPrice(db: Db, productId: string, values: PriceValues): Promise<string> {
  const {
    amount = 1900,
    currency = 'EUR',
    taxRate = 19,
    billingMode = 'one_time',
    status = 'active',
  } = values;
  const { interval = null, intervalCount = null, trialPeriodDays = null } = values;
  return db.oneFirst(sql.type(id)`
    insert into prices (product_id, amount, currency, tax_rate, billing_mode, interval, interval_count,
      trial_period_days, status)
    values (${productId}, ${amount}, ${currency}, ${taxRate}, ${billingMode}, ${interval}, ${intervalCount},
      ${trialPeriodDays}, ${status})
    returning id
  `);
}

export interface RailAccountValues extends Scope {
  readonly status?: 'activating' | 'active' | 'disabled';
  readonly rail?: string;
  readonly capabilities?: Partial<RailCapabilities>;
  readonly credential?: Readonly<Record<string, string>>;
}

export function insertRailAccount(db: Db, values: RailAccountValues): Promise<string> {
  const { merchantId, environment, status = 'active', rail = 'sandbox' } = values;
  const { credential = { token: RAIL_CREDENTIAL } } = values;
  const capabilities: RailCapabilities = {
    cardFields: true,
    recurring: true,
    wallets: ['apple_pay'],
    refunds: false,
    currencies: ['EUR'],
    ...values.capabilities,
  };
  const accountId = `acct_${unique()}`;
  const sealed = testSecretBox.seal(JSON.stringify(credential), railCredentialOf(accountId));
  return db.oneFirst(sql.type(id)`
    insert into rail_accounts (id, merchant_id, environment, rail, status, was_active, capabilities, credential)
    values (${accountId}, ${merchantId}, ${environment}, ${rail}, ${status},
      ${status !== 'activating'}, ${sql.jsonb({ ...capabilities })}, ${sql.binary(sealed)})
    returning id
  `);
}

export interface Shop {
  readonly merchantId: string;
  readonly environment: Environment;
  readonly apiKey: string;
  readonly railAccountId: string;
  /** Product ids: 19.00 once; 9.00 a month; 9.00 a month after 14 days. */
  readonly products: { readonly oneTime: string; readonly recurring: string; readonly trial: string };
}

/** A merchant that can sell: key, rail account and three products. */
export async function insertShop(
  db: Db,
  merchant: MerchantValues = {},
  environment: Environment = 'sandbox',
): Promise<Shop> {
  const merchantId = await insertMerchant(db, merchant);
  const scope = { merchantId, environment };
  const oneTime = await insertProduct(db, { merchantId, externalReference: 'coffee-1kg' });
  const recurring = await insertProduct(db, { merchantId, name: 'Kaffee-Abo', price: RECURRING });
  const trialPrice = { ...RECURRING, trialPeriodDays: 14 };
  const trial = await insertProduct(db, { merchantId, name: 'Kaffee-Abo mit Probezeit', price: trialPrice });
  return {
    ...scope,
    apiKey: await insertApiKey(db, scope),
    railAccountId: await insertRailAccount(db, scope),
    products: { oneTime: oneTime.productId, recurring: recurring.productId, trial: trial.productId },
  };
}

/** A session as `POST /v1/checkouts` creates it, without its workflow. */
export async function insertSession(
  db: Db,
  { merchantId, environment }: Scope,
  productId: string,
  values: Partial<NewSession> = {},
): Promise<CreatedSession> {
  const outcome = await createSession(db, {
    scope: { merchantId, environment },
    source: 'checkout',
    productId,
    externalCustomerId: `customer-${unique()}`,
    buyer: { email: null, party: null },
    amount: null,
    quantity: null,
    preselectedMethod: null,
    locale: null,
    merchantReference: null,
    pageToken: createPageToken(testSecretBox, 'ap_chk_'),
    successUrl: 'https://shop.example/thanks',
    failUrl: 'https://shop.example/cart',
    lifetimeSeconds: 1_800,
    maxAttempts: 5,
    railNames: ['sandbox'],
    ...values,
  });
  if (outcome.refusal !== null) throw new Error(`the session was refused: ${outcome.refusal}`);
  return outcome;
}

/** @returns its public id */
export function insertStorefrontClient(
  db: Db,
  { merchantId, environment, origins }: Scope & { readonly origins: readonly string[] },
): Promise<string> {
  return db.oneFirst(sql.type(id)`
    insert into storefront_clients (merchant_id, environment, name, origins)
    values (${merchantId}, ${environment}, 'Shop', ${sql.array([...origins], 'text')})
    returning id`);
}

/** A session in a given state, as the billing lists show it. */
export async function insertPurchase(
  db: Db,
  scope: Scope,
  productId: string,
  values: { readonly paymentStatus?: string; readonly recurring?: boolean } = {},
): Promise<Purchase> {
  const { merchantId, environment } = scope;
  const { paymentStatus = 'succeeded', recurring = false } = values;
  const checkout = await insertSession(db, scope, productId);
  const {
    customer_id: customerId,
    price_id: priceId,
    rail_account_id: railAccountId,
  } = await db.one(
    sql.type(z.object({ customer_id: z.string(), price_id: z.string(), rail_account_id: z.string() }))`
      select customer_id, price_id, rail_account_id from checkouts where id = ${checkout.id}`,
  );
  const { amount, currency } = checkout;
  const line = { product_id: productId, price_id: priceId, description: 'Filterkaffee, 1 kg', quantity: 1 };
  const lines = sql.jsonb([{ ...line, unit_amount: amount, amount, tax_rate: 19, tax_amount: 303 }]);
  const orderId = await db.oneFirst(sql.type(id)`
    insert into orders (merchant_id, environment, checkout_id, customer_id, product_id, price_id, source,
      external_reference, line_items, amount, currency, status)
    values (${merchantId}, ${environment}, ${checkout.id}, ${customerId}, ${productId}, ${priceId}, 'checkout',
      'cart-1', ${lines}, ${amount}, ${currency}, 'completed')
    returning id`);
  const paymentId = await db.oneFirst(sql.type(id)`
    insert into payments (merchant_id, environment, order_id, checkout_id, customer_id, attempt_no, claim_id, rail_account_id,
      rail, rail_order_id, payment_method, status, amount, currency, credential_secret_ref)
    values (${merchantId}, ${environment}, ${orderId}, ${checkout.id}, ${customerId}, 1, ${`claim-${unique()}`}, ${railAccountId},
      'sandbox', 'ch_1', '{"type": "card", "brand": "visa", "last4": "4242"}'::jsonb, ${paymentStatus}, ${amount},
      ${currency}, ${sql.binary(testSecretBox.seal('mandate_canary', mandateOf(customerId)))})
    returning id`);
  await db.query(sql.unsafe`update orders set payment_id = ${paymentId} where id = ${orderId}`);
  const subscriptionId = recurring
    ? await db.oneFirst(sql.type(id)`
        insert into subscriptions (merchant_id, environment, checkout_id, customer_id, product_id, price_id,
          rail_account_id, status, amount, currency, current_period_start, current_period_end, payment_method)
        values (${merchantId}, ${environment}, ${checkout.id}, ${customerId}, ${productId}, ${priceId},
          ${railAccountId}, 'active', ${amount}, ${currency}, '2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z',
          '{"type": "card", "brand": "visa", "last4": "4242"}'::jsonb)
        returning id`)
    : null;
  const invoiceId = await db.oneFirst(sql.type(id)`
    insert into invoices (merchant_id, environment, number, issued_at, supplied_at, customer_id, order_id,
      subscription_id, status, amount, amount_due, currency, customer, supplier, line_items)
    values (${merchantId}, ${environment}, ${`2026-${unique()}`}, service_clock(), service_clock(), ${customerId},
      ${orderId}, ${subscriptionId}, 'created', ${amount}, 0, ${currency},
      jsonb_build_object('id', ${customerId}::text, 'external_customer_id', 'u-1', 'email', 'ada@example.eu',
        'name', 'Ada', 'billing_details', null, 'tax_value', null, 'tax_type', null),
      '{}'::jsonb, ${lines})
    returning id`);
  return { checkoutId: checkout.id, customerId, priceId, orderId, paymentId, subscriptionId, invoiceId };
}

export interface Purchase {
  readonly checkoutId: string;
  readonly customerId: string;
  readonly priceId: string;
  readonly orderId: string;
  readonly paymentId: string;
  readonly subscriptionId: string | null;
  readonly invoiceId: string;
}
