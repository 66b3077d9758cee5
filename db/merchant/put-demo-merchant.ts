/**
 * For the demo only: a declarative upsert of a merchant and its rows. Adds missing rows and changes differing ones,
 * except those that a person changed over HTTP according to the audit log. Secrets arrive hashed or encrypted.
 */
import type { Environment } from '../../domain/core/environment.ts';
import type { Pool, Transaction } from '../core/pool.ts';
import { sql } from '../core/pool.ts';

/** Actors who are people; programs and operators have other prefixes. */
const PEOPLE = 'person:%';

export interface MerchantToPut {
  readonly id: string;
  readonly name: string;
  readonly status: 'active' | 'inactive';
  readonly subscriptionsEnabled: boolean;
  readonly branding: Readonly<Record<string, string>>;
  readonly legalIdentity: {
    readonly name: string;
    readonly address_lines: readonly string[];
    readonly vat_id: string;
  };
  readonly supportEmail: string | null;
  readonly apiKeys: readonly ApiKeyToPut[];
  readonly products: readonly ProductToPut[];
  readonly railAccount: RailAccountToPut | null;
  readonly webhookEndpoint: WebhookEndpointToPut | null;
  /** The products that it may sell. */
  readonly storefrontClient: StorefrontClientToPut | null;
}

interface ApiKeyToPut {
  readonly id: string;
  readonly environment: Environment;
  readonly hmac: Buffer;
  readonly last4: string;
}

interface ProductToPut {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly externalReference: string;
  /** The buyer may choose from one up to this many; null: one only. */
  readonly mostQuantity: number | null;
  readonly price: PriceToPut;
}

export interface PriceToPut {
  readonly id: string;
  readonly amountCents: number;
  readonly taxRatePercent: number;
  readonly billingMode: 'one_time' | 'recurring';
  readonly interval: 'day' | 'week' | 'month' | 'year' | null;
  readonly intervalCount: number | null;
  readonly trialPeriodDays: number | null;
}

interface RailAccountToPut {
  readonly id: string;
  readonly environment: Environment;
  readonly rail: string;
  readonly status: 'activating' | 'active' | 'disabled';
  readonly capabilities: object;
  readonly sealedCredential: Buffer;
}

interface WebhookEndpointToPut {
  readonly id: string;
  readonly environment: Environment;
  readonly url: string;
  readonly sealedSecret: Buffer;
}

interface StorefrontClientToPut {
  readonly id: string;
  readonly environment: Environment;
  readonly name: string;
  readonly origins: readonly string[];
  readonly successUrl: string;
  readonly failUrl: string;
}

export async function putMerchant(pool: Pool, merchant: MerchantToPut): Promise<void> {
  await pool.transaction(async (tx) => {
    await putMerchantRow(tx, merchant);
    for (const key of merchant.apiKeys) await putApiKey(tx, merchant.id, key);
    for (const product of merchant.products) await putProduct(tx, merchant.id, product);
    if (merchant.railAccount) await putRailAccount(tx, merchant.id, merchant.railAccount);
    if (merchant.webhookEndpoint) await putWebhookEndpoint(tx, merchant.id, merchant.webhookEndpoint);
    if (merchant.storefrontClient) await putStorefrontClient(tx, merchant, merchant.storefrontClient);
  });
}

async function putMerchantRow(tx: Transaction, merchant: MerchantToPut): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into merchants (id, name, status, subscriptions_enabled, branding, legal_identity, support_email)
    values (${merchant.id}, ${merchant.name}, ${merchant.status}, ${merchant.subscriptionsEnabled},
            ${sql.jsonb(merchant.branding)}, ${sql.jsonb(merchant.legalIdentity)}, ${merchant.supportEmail})
    on conflict (id) do update
    set name = excluded.name, status = excluded.status, subscriptions_enabled = excluded.subscriptions_enabled,
        branding = excluded.branding, legal_identity = excluded.legal_identity, support_email = excluded.support_email,
        updated_at = service_clock()
    where ${isUntouched(merchant.id)}
  `);
}

async function putApiKey(tx: Transaction, merchantId: string, key: ApiKeyToPut): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into api_keys (id, merchant_id, environment, key_hmac, last4)
    values (${key.id}, ${merchantId}, ${key.environment}, ${sql.binary(key.hmac)}, ${key.last4})
    on conflict (id) do update set key_hmac = excluded.key_hmac, last4 = excluded.last4
  `);
}

async function putProduct(tx: Transaction, merchantId: string, product: ProductToPut): Promise<void> {
  const { price } = product;
  await tx.query(sql.typeAlias('void')`
    insert into products (id, merchant_id, name, description, external_reference, quantity_min, quantity_max)
    values (${product.id}, ${merchantId}, ${product.name}, ${product.description}, ${product.externalReference},
      ${product.mostQuantity && 1}, ${product.mostQuantity})
    on conflict (id) do update
    set name = excluded.name, description = excluded.description,
        external_reference = excluded.external_reference, quantity_min = excluded.quantity_min,
        quantity_max = excluded.quantity_max, updated_at = service_clock()
    where ${isUntouched(product.id)}
  `);
  await tx.query(sql.typeAlias('void')`
    insert into prices (id, product_id, amount, tax_rate, billing_mode, interval, interval_count, trial_period_days)
    values (${price.id}, ${product.id}, ${price.amountCents}, ${price.taxRatePercent}, ${price.billingMode},
            ${price.interval}, ${price.intervalCount}, ${price.trialPeriodDays})
    on conflict (id) do update
    set amount = excluded.amount, tax_rate = excluded.tax_rate, billing_mode = excluded.billing_mode,
        interval = excluded.interval, interval_count = excluded.interval_count,
        trial_period_days = excluded.trial_period_days
  `);
}

/** Makes this account the one in use and disables the previous one, unless a person set the account in use. */
async function putRailAccount(tx: Transaction, merchantId: string, account: RailAccountToPut): Promise<void> {
  const isTheirs = await tx.exists(sql.typeAlias('void')`
    select from audit_log log join rail_accounts account on account.id = log.subject_id
    where account.merchant_id = ${merchantId} and account.environment = ${account.environment}
      and log.actor like ${PEOPLE}
  `);
  if (isTheirs) return;
  await tx.query(sql.typeAlias('void')`
    update rail_accounts set status = 'disabled', updated_at = service_clock()
    where merchant_id = ${merchantId} and environment = ${account.environment} and id <> ${account.id}
      and status <> 'disabled'
  `);
  await tx.query(sql.typeAlias('void')`
    insert into rail_accounts (id, merchant_id, environment, rail, status, was_active, capabilities, credential)
    values (${account.id}, ${merchantId}, ${account.environment}, ${account.rail}, ${account.status},
            ${account.status === 'active'}, ${sql.jsonb(account.capabilities as Record<string, never>)}, ${sql.binary(account.sealedCredential)})
    on conflict (id) do update
    set status = excluded.status, was_active = rail_accounts.was_active or excluded.was_active,
        capabilities = excluded.capabilities, credential = excluded.credential, updated_at = service_clock()
  `);
}

async function putWebhookEndpoint(
  tx: Transaction,
  merchantId: string,
  endpoint: WebhookEndpointToPut,
): Promise<void> {
  await tx.query(sql.typeAlias('void')`
    insert into webhook_endpoints (id, merchant_id, environment, url, secret)
    values (${endpoint.id}, ${merchantId}, ${endpoint.environment}, ${endpoint.url}, ${sql.binary(endpoint.sealedSecret)})
    on conflict (id) do update
    set url = excluded.url, secret = excluded.secret, updated_at = service_clock()
    where ${isUntouched(endpoint.id)}
  `);
}

async function putStorefrontClient(
  tx: Transaction,
  { id: merchantId, products }: MerchantToPut,
  client: StorefrontClientToPut,
): Promise<void> {
  const put = await tx.maybeOne(sql.typeAlias('void')`
    insert into storefront_clients (id, merchant_id, environment, name, origins, success_url, fail_url)
    values (${client.id}, ${merchantId}, ${client.environment}, ${client.name},
      ${sql.array([...client.origins], 'text')}, ${client.successUrl}, ${client.failUrl})
    on conflict (id) do update
    set name = excluded.name, origins = excluded.origins, success_url = excluded.success_url,
        fail_url = excluded.fail_url, updated_at = service_clock()
    where ${isUntouched(client.id)}
    returning id
  `);
  if (!put) return;
  const productIds = products.map(({ id }) => id);
  await tx.query(sql.typeAlias('void')`
    insert into storefront_client_products (client_id, product_id)
    select ${client.id}, product_id from unnest(${sql.array(productIds, 'text')}) as product_id
    on conflict do nothing
  `);
}

function isUntouched(subjectId: string) {
  return sql.fragment`
    not exists (select from audit_log where subject_id = ${subjectId} and actor like ${PEOPLE})`;
}
